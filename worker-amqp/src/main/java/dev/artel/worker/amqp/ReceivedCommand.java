package dev.artel.worker.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.artel.amqp.BoundedConnections;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.protocol.TaskAssignment;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A `COMMAND`, or a `CONTROL` before it is looked into.
///
/// @param idempotencyKey of two commands with the same action and the same key one is done
/// @param timeout how long the orchestrator waits for the answer; null if it does not state it
record ReceivedCommand(
        Origin origin,
        String action,
        String idempotencyKey,
        JsonObject params,
        JsonObject context,
        int priority,
        @Nullable Duration timeout) {
    static final String COMMAND = "ai.team.command";
    static final String CONTROL = "ai.team.control";
    private static final int LONGEST_ACTION = 100;
    private static final int LONGEST_KEY = 255;
    private static final int LONGEST_TIMEOUT = 3600;

    /// Members of the context that lead to the step. What else is there is a parameter.
    private static final Set<String> KNOWN_CONTEXT =
            Set.of("process_id", "step", "step_id", "target_node");

    /// Which message it is, and where its answer goes.
    ///
    /// @param id of the event
    /// @param replyTo the queue of the answer; null: nobody wants it
    /// @param expiration how long it could wait at the broker, in milliseconds; null: for good
    record Origin(
            String id,
            @Nullable String replyTo,
            @Nullable String expiration,
            @Nullable String subject,
            @Nullable String traceparent) {}

    /// The envelope of a message. Members that are null count as absent.
    ///
    /// @throws MalformedCommand if it is none of the bus
    static JsonObject envelope(BasicProperties properties, byte[] body, String expectedType) {
        BoundedConnections.refusal(properties)
                .ifPresent(reason -> {
                    throw new MalformedCommand(reason);
                });
        var contentType = properties.getContentType();
        if (contentType == null || !contentType.toLowerCase(Locale.ROOT).contains("json")) {
            throw new MalformedCommand("its content_type is " + contentType + ", expected JSON");
        }
        var envelope = withoutNulls(body);
        for (var name : Set.of("specversion", "id", "type", "source")) {
            if (envelope.string(name).filter(text -> !text.isBlank()).isEmpty()) {
                throw new MalformedCommand("the attribute '" + name + "' is missing or no text");
            }
        }
        if (!envelope.string("specversion").orElseThrow().equals("1.0")) {
            throw new MalformedCommand("the specversion is not 1.0");
        }
        if (!envelope.string("type").orElseThrow().equals(expectedType)) {
            throw new MalformedCommand("the type is not " + expectedType);
        }
        if (envelope.object("data").isEmpty()) {
            throw new MalformedCommand("the attribute 'data' is missing or no object");
        }
        return envelope;
    }

    private static JsonObject withoutNulls(byte[] body) {
        try {
            if (JsonText.read(body) instanceof JsonObject object) {
                return withoutNulls(object);
            }
        } catch (MalformedJson malformed) {
            throw new MalformedCommand("it is no JSON: " + malformed.getMessage());
        }
        throw new MalformedCommand("it is no JSON object");
    }

    private static JsonObject withoutNulls(JsonObject object) {
        var members = JsonObject.builder();
        object.members()
                .forEach((name, value) -> {
                    if (value != JsonNull.NULL) {
                        members.put(name, value);
                    }
                });
        return members.build();
    }

    /// Who is to be answered, as far as that can be read.
    static @Nullable Origin origin(BasicProperties properties, byte[] body) {
        try {
            var envelope = withoutNulls(body);
            var id =
                    envelope.string("id")
                            .filter(text -> !text.isBlank())
                            .orElse(properties.getCorrelationId());
            return id == null || properties.getReplyTo() == null
                    ? null
                    : origin(id, properties, envelope);
        } catch (MalformedCommand unreadable) {
            var id = properties.getCorrelationId();
            return id == null || properties.getReplyTo() == null
                    ? null
                    : new Origin(
                            id, properties.getReplyTo(), properties.getExpiration(), null, null);
        }
    }

    private static Origin origin(String id, BasicProperties properties, JsonObject envelope) {
        return new Origin(
                id,
                properties.getReplyTo(),
                properties.getExpiration(),
                envelope.string("subject").orElse(null),
                envelope.string("traceparent").orElse(null));
    }

    /// Reads a command.
    ///
    /// @throws MalformedCommand if it is none
    static ReceivedCommand read(BasicProperties properties, byte[] body) {
        var envelope = envelope(properties, body, COMMAND);
        var data = withoutNulls(envelope.object("data").orElseThrow());
        var id = envelope.string("id").orElseThrow();
        var action = text(data, "action", "", LONGEST_ACTION);
        if (action.isBlank()) {
            throw new MalformedCommand("the action is missing");
        }
        var priority = properties.getPriority();
        return new ReceivedCommand(
                origin(id, properties, envelope),
                action,
                text(data, "idempotency_key", id, LONGEST_KEY),
                object(data, "params"),
                object(data, "context"),
                priority == null ? 0 : priority,
                timeout(data));
    }

    private static String text(JsonObject data, String name, String otherwise, int longest) {
        return switch (data.get(name).orElse(JsonNull.NULL)) {
            case JsonNull _ -> otherwise;
            case JsonString(var text) when text.length() <= longest -> text;
            case JsonValue _ ->
                    throw new MalformedCommand(
                            name + " is no text of at most " + longest + " characters");
        };
    }

    private static JsonObject object(JsonObject data, String name) {
        return switch (data.get(name).orElse(JsonNull.NULL)) {
            case JsonNull _ -> JsonObject.EMPTY;
            case JsonObject object -> object;
            case JsonValue _ -> throw new MalformedCommand(name + " is no object");
        };
    }

    private static @Nullable Duration timeout(JsonObject data) {
        var value = data.get("timeout_seconds").orElse(JsonNull.NULL);
        if (value == JsonNull.NULL) {
            return null;
        }
        if (value instanceof JsonNumber number
                && number.isLong()
                && number.asLong() >= 1
                && number.asLong() <= LONGEST_TIMEOUT) {
            return Duration.ofSeconds(number.asLong());
        }
        throw new MalformedCommand(
                "timeout_seconds is no number from 1 to " + LONGEST_TIMEOUT + ", was " + value);
    }

    /// Whether it is for an agent of another name.
    boolean isForAnotherThan(AgentName agent) {
        return context.string("target_node")
                .filter(target -> !target.isBlank() && !target.equals(agent.value()))
                .isPresent();
    }

    /// The job that it belongs to, as far as that is known.
    String job() {
        var process = context.string("process_id");
        var subject = origin.subject();
        return process.filter(text -> !text.isBlank())
                .orElse(subject == null || subject.isBlank() ? origin.id() : subject);
    }

    /// The same for a handler. Its lease is the id of the command.
    TaskAssignment assignment() {
        var trace = origin.traceparent();
        return new TaskAssignment(
                job(),
                origin.id(),
                action,
                parameters(),
                trace == null
                        ? JsonObject.EMPTY
                        : JsonObject.of("traceparent", new JsonString(trace)),
                new TaskAssignment.Terms(
                        origin.id(),
                        1,
                        priority,
                        timeout == null ? null : Instant.now().plus(timeout),
                        null));
    }

    /// What the sender gave as a context of its own is a parameter, as over other wires.
    private JsonObject parameters() {
        var more = JsonObject.builder();
        context.members()
                .forEach((name, value) -> {
                    if (!KNOWN_CONTEXT.contains(name)) {
                        more.put(name, value);
                    }
                });
        var given = more.build();
        return given.isEmpty() || params.has("context") ? params : params.with("context", given);
    }
}
