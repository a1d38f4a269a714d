package dev.artel.gateway.mindbus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.jackson.JsonFormat;
import java.net.URI;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The library of CloudEvents understands what the bus sends, and the bus understands what the library writes.
final class CloudEventsTest {
    private static final Instant NOON = Instant.parse("2026-11-26T12:00:00.123456Z");
    private static final JsonFormat FORMAT = new JsonFormat();

    @Test
    void whatIsWritten_isACloudEvent_withAllItsAttributes() {
        var trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

        var event =
                FORMAT.deserialize(
                        BusEvent.write(
                                BusEvent.COMMAND,
                                "id-1",
                                "job-1",
                                Optional.of(trace),
                                NOON,
                                JsonObject.of("action", new JsonString("écrire"))));

        assertThat(event.getSpecVersion()).hasToString("1.0");
        assertThat(event.getType()).isEqualTo("ai.team.command");
        assertThat(event.getId()).isEqualTo("id-1");
        assertThat(event.getSource()).isEqualTo(URI.create("orchestrator"));
        assertThat(event.getSubject()).isEqualTo("job-1");
        assertThat(event.getTime()).isEqualTo(OffsetDateTime.ofInstant(NOON, ZoneOffset.UTC));
        assertThat(event.getDataContentType()).isEqualTo("application/json");
        assertThat(event.getExtension("traceparent")).isEqualTo(trace);
        assertThat(event.getData())
                .isNotNull()
                .extracting(data -> new String(data.toBytes(), UTF_8))
                .asString()
                .contains("écrire");
    }

    @Test
    void whatTheLibraryWrites_isRead() {
        var bytes =
                FORMAT.serialize(
                        CloudEventBuilder.v1()
                                .withId("id-2")
                                .withType("ai.team.event")
                                .withSource(URI.create("agent.writer.001"))
                                .withTime(OffsetDateTime.parse("2026-11-26T14:00:00.123456+02:00"))
                                .withExtension("priority", 10)
                                .withData(
                                        "application/json",
                                        "{\"event_type\":\"node.heartbeat\"}".getBytes(UTF_8))
                                .build());

        var event =
                BusEvent.read(
                        new BasicProperties.Builder().contentType("application/json").build(),
                        bytes);

        assertThat(event.id()).isEqualTo("id-2");
        assertThat(event.source()).isEqualTo("agent.writer.001");
        assertThat(event.time()).hasValue(NOON);
        assertThat(event.text("event_type")).hasValue("node.heartbeat");
    }
}
