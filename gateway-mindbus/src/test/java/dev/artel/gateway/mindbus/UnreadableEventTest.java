package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.task.TaskReport;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What cannot be read goes to the dead-letter queue, does nothing else, and stops nothing.
final class UnreadableEventTest extends BusTestCase {
    static Stream<Arguments> unreadable() {
        var data = "\"data\":{\"event_type\":\"node.heartbeat\",\"event_data\":{}}";
        return Stream.of(
                Arguments.of("application/json", "no json", "it is no JSON"),
                Arguments.of("application/json", "[1]", "it is no JSON object"),
                Arguments.of("application/json", "{}", "the attribute 'specversion' is missing"),
                Arguments.of(
                        "application/json",
                        "{\"specversion\":\"1.0\",\"type\":\"ai.team.event\",\"source\":\"a\","
                                + data
                                + "}",
                        "the attribute 'id' is missing"),
                Arguments.of(
                        "application/json",
                        "{\"specversion\":\"1.0\",\"id\":\"1\",\"type\":null,\"source\":\"a\","
                                + data
                                + "}",
                        "the attribute 'type' is missing"),
                Arguments.of(
                        "application/json",
                        "{\"specversion\":\"1.0\",\"id\":\"1\",\"type\":\"ai.team.event\","
                                + data
                                + "}",
                        "the attribute 'source' is missing"),
                Arguments.of(
                        "application/json",
                        "{\"specversion\":\"7.0\",\"id\":\"1\",\"type\":\"ai.team.event\",\"source\":\"a\","
                                + data
                                + "}",
                        "it is no CloudEvent 1.0"),
                Arguments.of(
                        "application/json",
                        "{\"specversion\":\"1.0\",\"id\":\"1\",\"type\":\"ai.team.event.meeting.started\",\"source\":\"a\","
                                + data
                                + "}",
                        "the type 'ai.team.event.meeting.started' is none of"),
                Arguments.of(
                        "application/json",
                        "{\"specversion\":\"1.0\",\"id\":\"1\",\"type\":\"ai.team.event\",\"source\":\"a\",\"data\":[]}",
                        "the attribute 'data' is missing or no object"),
                Arguments.of(
                        "application/json",
                        "{\"specversion\":\"1.0\",\"id\":\"1\",\"type\":\"ai.team.command\",\"source\":\"a\","
                                + data
                                + "}",
                        "a queue of events takes no ai.team.command"),
                Arguments.of("text/plain", "{}", "its content_type is 'text/plain'"),
                Arguments.of(null, "{}", "its content_type is missing"));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void whatIsNoEvent_isADeadLetter_andTheNextOneIsRead(
            String contentType, String body, String problem) throws Exception {
        var agent = agent();
        var properties = new AMQP.BasicProperties.Builder().contentType(contentType).build();

        assertThat(problemOf(properties, body)).contains(problem);
        agent.channel()
                .basicPublish(
                        server.config.exchange(),
                        "evt.node.heartbeat",
                        properties,
                        body.getBytes(StandardCharsets.UTF_8));

        awaitTrue(() -> agent.channel().messageCount(server.config.deadLetterQueue()) == 1);
        assertThat(server.gateway().counts().bad()).isEqualTo(1);
        agent.register(600, "echo");
        awaitThere(agent);
    }

    private String problemOf(AMQP.BasicProperties properties, String body) {
        try {
            var event = BusEvent.read(properties, body.getBytes(StandardCharsets.UTF_8));
            return event.type().equals(BusEvent.EVENT)
                    ? "read"
                    : "a queue of events takes no " + event.type();
        } catch (UnreadableEvent unreadable) {
            return unreadable.problem();
        }
    }

    @Test
    void anAnswerThatCannotBeRead_endsItsAttempt_withTheReason() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();

        agent.answer(
                command,
                new AMQP.BasicProperties.Builder()
                        .contentType("text/plain")
                        .correlationId(command.id())
                        .build(),
                TestAgent.bytes("done"));

        assertThat(awaitReport(job))
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        failed -> {
                            assertThat(failed.error().code()).isEqualTo("INVALID_RESULT");
                            assertThat(failed.error().message())
                                    .contains("its content_type is 'text/plain'");
                        });
        awaitTrue(() -> agent.channel().messageCount(server.config.deadLetterQueue()) == 1);
    }

    @Test
    void anAnswerThatIsTooLarge_isNotKept_andEndsItsAttempt_withTheReason() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();

        agent.answer(
                command,
                new AMQP.BasicProperties.Builder()
                        .contentType("application/json")
                        .correlationId(command.id())
                        .build(),
                new byte[server.config.maxMessageBytes() + 1]);

        assertThat(awaitReport(job))
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        failed ->
                                assertThat(failed.error().message())
                                        .contains("it has 8388609 bytes, the limit is 8388608"));
        awaitTrue(() -> agent.channel().messageCount(server.config.deadLetterQueue()) == 1);
        assertThat(server.gateway().trouble()).isEmpty();
    }

    /// Together they have more bytes than the connection may hold of what is not done.
    @Test
    void manyLargeMessages_areReadOneAfterTheOther_andTheNextOneIsReadAsWell() throws Exception {
        var agent = present("echo");
        var received = server.gateway().counts().received();
        var large = new byte[4 << 20];
        var messages = (int) (Runtime.getRuntime().maxMemory() / 32 / large.length) + 3;

        for (var i = 0; i < messages; i++) {
            agent.channel()
                    .basicPublish(
                            server.config.exchange(),
                            "evt.node.heartbeat",
                            new AMQP.BasicProperties.Builder()
                                    .contentType("application/json")
                                    .build(),
                            large);
        }

        awaitTrue(() -> server.gateway().counts().received() == received + messages);
        var job = server.engine.submit("echo");
        agent.succeed(agent.command(), JsonObject.EMPTY);
        awaitReport(job);
    }

    /// Trap: the client of RabbitMQ ends the connection over such a table, and the message comes again over each next one.
    @Test
    void aTableThatIsNestedTooDeeply_isNotRead_andTheConnectionStays() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();
        Map<String, Object> table = Map.of();
        for (var depth = 1; depth < 40; depth++) {
            table = Map.of("a", table);
        }
        var properties =
                new AMQP.BasicProperties.Builder()
                        .contentType("application/json")
                        .headers(table)
                        .build();

        for (var key : List.of("evt.node.heartbeat", "ctl.all.any")) {
            agent.channel()
                    .basicPublish(server.config.exchange(), key, properties, TestAgent.bytes("{}"));
        }
        awaitTrue(() -> agent.channel().messageCount(server.config.deadLetterQueue()) == 2);
        var answer = agent.envelope("ai.team.result", TestAgent.success(json("{\"a\":1}")));
        agent.answer(
                command,
                properties.builder().correlationId(command.id()).build(),
                JsonText.write(answer));

        assertThat(output(awaitReport(job))).isEqualTo(json("{\"a\":1}"));
        assertThat(server.gateway().trouble()).isEmpty();
    }

    @Test
    void anErrorWithoutAnErrorObject_endsItsAttempt() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");

        agent.answer(agent.command(), agent.envelope("ai.team.error", JsonObject.EMPTY));

        assertThat(awaitReport(job))
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        failed ->
                                assertThat(failed.error().message())
                                        .contains("an ERROR without an object 'error'"));
    }

    @Test
    void aRegistrationWithoutAnId_isADeadLetter() throws Exception {
        var agent = agent();

        agent.event("node.registered", json("{\"passport\":{\"metadata\":{\"name\":\"x\"}}}"));

        awaitTrue(() -> agent.channel().messageCount(server.config.deadLetterQueue()) == 1);
    }

    @Test
    void aProactiveError_isAcknowledged() throws Exception {
        var agent = present("echo");

        agent.channel()
                .basicPublish(
                        "",
                        server.config.replyQueue(),
                        new AMQP.BasicProperties.Builder().contentType("application/json").build(),
                        JsonText.write(
                                agent.envelope(
                                        "ai.team.error",
                                        json(
                                                "{\"error\":{\"code\":\"INTERNAL\",\"message\":\"x\",\"retryable\":false}}"))));

        awaitTrue(() -> server.gateway().counts().late() == 1);
        awaitTrue(() -> agent.channel().messageCount(server.config.deadLetterQueue()) == 0);
    }
}
