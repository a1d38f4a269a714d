package dev.artel.worker.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A message of an agent: a CloudEvent 1.0 in structured JSON, and its properties.
final class AgentMessage {
    static final String RESULT = "ai.team.result";
    static final String ERROR = "ai.team.error";
    private static final String EVENT = "ai.team.event";
    private static final String JSON = "application/json";
    private static final int PERSISTENT = 2;
    private static final int EVENT_PRIORITY = 10;
    private static final int ANSWER_PRIORITY = 20;

    private final BasicProperties properties;
    private final byte[] body;

    private AgentMessage(BasicProperties properties, byte[] body) {
        this.properties = properties;
        this.body = body;
    }

    /// What an agent reports of itself or of a task.
    static AgentMessage event(AgentName agent, String type, JsonObject data) {
        var id = UUID.randomUUID().toString();
        var envelope = envelope(EVENT, agent, id);
        var event =
                JsonObject.builder()
                        .put("event_type", type)
                        .put("event_data", data)
                        .put("severity", "INFO")
                        .build();
        return new AgentMessage(
                properties(id, id, EVENT_PRIORITY),
                JsonText.write(envelope.put("data", event).build()));
    }

    /// The answer to a command, which expires so long after it was sent as its command did: its attempt is over then, and what nobody reads must
    /// not stand before later answers.
    ///
    /// @param type [#RESULT] or [#ERROR]
    static AgentMessage answer(
            AgentName agent, String type, ReceivedCommand.Origin command, JsonObject data) {
        var id = UUID.randomUUID().toString();
        var envelope = envelope(type, agent, id);
        put(envelope, "subject", command.subject());
        put(envelope, "traceparent", command.traceparent());
        return new AgentMessage(
                properties(id, command.id(), ANSWER_PRIORITY)
                        .builder()
                        .expiration(command.expiration())
                        .build(),
                JsonText.write(envelope.put("data", data).build()));
    }

    private static JsonObject.Builder envelope(String type, AgentName agent, String id) {
        return JsonObject.builder()
                .put("specversion", "1.0")
                .put("type", type)
                .put("source", agent.value())
                .put("id", id)
                .put("time", Instant.now().truncatedTo(ChronoUnit.MICROS).toString());
    }

    private static void put(JsonObject.Builder envelope, String name, @Nullable String value) {
        if (value != null) {
            envelope.put(name, value);
        }
    }

    private static BasicProperties properties(String id, String correlation, int priority) {
        return new BasicProperties.Builder()
                .contentType(JSON)
                .deliveryMode(PERSISTENT)
                .priority(priority)
                .messageId(id)
                .correlationId(correlation)
                .build();
    }

    BasicProperties properties() {
        return properties;
    }

    /// The properties with the account `user` as their sender, which the broker verifies; null: without.
    BasicProperties properties(@Nullable String user) {
        return user == null ? properties : properties.builder().userId(user).build();
    }

    /// The envelope; not to be changed.
    byte[] body() {
        return body;
    }
}
