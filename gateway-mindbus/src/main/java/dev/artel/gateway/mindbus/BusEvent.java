package dev.artel.gateway.mindbus;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.artel.amqp.BoundedConnections;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.log.ForeignText;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A message of the bus: a CloudEvent 1.0 in structured JSON.
///
/// @param correlations the ids of the event that this may be an answer to, the likeliest first
/// @param time when its sender made it; empty if it does not have it
/// @param user the account of the broker that sent it, which the broker has verified; empty: it does not have it
/// @param data the payload
record BusEvent(
        String type,
        String source,
        String id,
        List<String> correlations,
        Optional<Instant> time,
        Optional<String> user,
        JsonObject data) {
    static final String COMMAND = "ai.team.command";
    static final String RESULT = "ai.team.result";
    static final String ERROR = "ai.team.error";
    static final String EVENT = "ai.team.event";
    static final String CONTROL = "ai.team.control";

    /// The `source` of what this orchestrator sends.
    static final String ORCHESTRATOR = "orchestrator";

    private static final String JSON = "application/json";
    private static final List<String> TYPES = List.of(COMMAND, RESULT, ERROR, EVENT, CONTROL);
    private static final List<String> REQUIRED = List.of("specversion", "id", "type", "source");
    private static final String SPEC_VERSION = "1.0";

    /// Reads a message. Members of the envelope that are null count as absent, and extension attributes are ignored.
    ///
    /// @throws UnreadableEvent if it is no event of the bus
    static BusEvent read(BasicProperties properties, byte[] body) {
        BoundedConnections.refusal(properties)
                .ifPresent(reason -> {
                    throw new UnreadableEvent(reason);
                });
        checkContentType(properties.getContentType());
        var envelope = envelope(body);
        for (var attribute : REQUIRED) {
            if (envelope.string(attribute).filter(text -> !text.isBlank()).isEmpty()) {
                throw new UnreadableEvent(
                        "the attribute '" + attribute + "' is missing or no text");
            }
        }
        checkAttributes(envelope);
        var type = envelope.string("type").orElseThrow();
        if (!TYPES.contains(type)) {
            throw new UnreadableEvent("the type '" + shortened(type) + "' is none of " + TYPES);
        }
        if (!(envelope.get("data").orElse(JsonNull.NULL) instanceof JsonObject data)) {
            throw new UnreadableEvent("the attribute 'data' is missing or no object");
        }
        var correlations =
                Stream.of(
                                Optional.ofNullable(properties.getCorrelationId()),
                                envelope.string("correlationid"))
                        .flatMap(Optional::stream)
                        .distinct()
                        .toList();
        return new BusEvent(
                type,
                envelope.string("source").orElseThrow(),
                envelope.string("id").orElseThrow(),
                correlations,
                time(envelope),
                Optional.ofNullable(properties.getUserId()),
                data);
    }

    private static void checkContentType(@Nullable String contentType) {
        var type =
                contentType == null
                        ? ""
                        : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!type.equals(JSON) && !type.equals("application/cloudevents+json")) {
            throw new UnreadableEvent(
                    "its content_type is "
                            + (contentType == null ? "missing" : "'" + shortened(type) + "'")
                            + ", expected "
                            + JSON);
        }
    }

    private static JsonObject envelope(byte[] body) {
        try {
            if (ForeignJson.read(body) instanceof JsonObject object) {
                var members = JsonObject.builder();
                object.members()
                        .forEach((name, value) -> {
                            if (value != JsonNull.NULL) {
                                members.put(name, value);
                            }
                        });
                return members.build();
            }
        } catch (MalformedJson malformed) {
            throw new UnreadableEvent("it is no JSON: " + malformed.getMessage(), malformed);
        }
        throw new UnreadableEvent("it is no JSON object");
    }

    private static void checkAttributes(JsonObject envelope) {
        var version = envelope.string("specversion").orElseThrow();
        if (!version.equals(SPEC_VERSION)) {
            throw new UnreadableEvent(
                    "it is no CloudEvent 1.0: its specversion is '" + shortened(version) + "'");
        }
        try {
            var _ = new URI(envelope.string("source").orElseThrow());
        } catch (URISyntaxException refused) {
            throw new UnreadableEvent(
                    "it is no CloudEvent 1.0: its source is no reference of a URI, "
                            + shortened(String.valueOf(refused.getMessage())),
                    refused);
        }
    }

    private static Optional<Instant> time(JsonObject envelope) {
        return switch (envelope.get("time").orElse(JsonNull.NULL)) {
            case JsonNull _ -> Optional.empty();
            case JsonString(var text) -> Optional.of(time(text));
            case JsonValue other ->
                    throw new UnreadableEvent(
                            "it is no CloudEvent 1.0: its time is no text but a value of kind "
                                    + other.kind());
        };
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException refused) {
            throw new UnreadableEvent(
                    "it is no CloudEvent 1.0: its time is '" + shortened(text) + "'", refused);
        }
    }

    /// Writes an event of this orchestrator.
    ///
    /// @param subject the job that it belongs to
    static byte[] write(
            String type,
            String id,
            String subject,
            Optional<String> traceparent,
            Instant now,
            JsonObject data) {
        var envelope =
                JsonObject.builder()
                        .put("specversion", SPEC_VERSION)
                        .put("id", id)
                        .put("source", ORCHESTRATOR)
                        .put("type", type)
                        .put("datacontenttype", JSON)
                        .put("subject", subject)
                        .put("time", now.truncatedTo(ChronoUnit.MICROS).toString());
        traceparent.ifPresent(parent -> envelope.put("traceparent", parent));
        return JsonText.write(envelope.put("data", data).build());
    }

    /// The properties of a message of this orchestrator.
    ///
    /// @param priority as the specification has it for the type
    static BasicProperties.Builder properties(String id, int priority) {
        return new BasicProperties.Builder()
                .contentType(JSON)
                .deliveryMode(2)
                .priority(priority)
                .correlationId(id)
                .messageId(id);
    }

    /// Who says to have sent it, and which account the broker knows.
    Sender sender() {
        return new Sender(source, user);
    }

    /// Who has sent a message.
    ///
    /// @param source as the message has it
    /// @param user the account of the broker; empty: the message does not have it
    record Sender(String source, Optional<String> user) {}

    /// A member of the data that is a text; empty if it is none.
    Optional<String> text(String name) {
        return data.get(name).flatMap(BusEvent::text);
    }

    private static Optional<String> text(JsonValue value) {
        return value instanceof JsonString(var text) ? Optional.of(text) : Optional.empty();
    }

    static String shortened(String text) {
        return ForeignText.shown(text);
    }
}
