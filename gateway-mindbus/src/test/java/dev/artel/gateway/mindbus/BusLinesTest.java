package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// How much of the log a sender on the bus can fill.
final class BusLinesTest extends BusTestCase {
    private static final int MANY = 400;
    private static final int LINES = 60;

    /// Trap: each message has a line, and a sender fills the disk with as many as it likes.
    @Test
    void messagesOfAProcessThatWasReplaced_haveSomeLinesAMinute() throws Exception {
        var agent = present("echo");
        var next = UUID.randomUUID().toString();
        agent.event("node.registered", agent.registration(next, 600, "echo"));
        awaitTrue(() -> server.gateway().uidOf(agent.name).filter(next::equals).isPresent());
        try (var lines = new LoggedLines(NodeRegistry.class)) {
            for (var i = 0; i < MANY; i++) {
                agent.heartbeat(agent.uid);
            }
            // Over one channel, so that it is heard behind them.
            var last = agent();
            agent.event("node.registered", last.registration(last.uid, 600, "echo"));
            awaitThere(last);

            assertThat(lines.texts().stream().filter(line -> line.startsWith("two processes")))
                    .hasSize(LINES);
        }
    }

    @Test
    void agentsThatComeAndGo_haveSomeLinesAMinute() throws Exception {
        var agent = present("echo");
        try (var lines = new LoggedLines(NodeRegistry.class)) {
            for (var i = 0; i < MANY; i++) {
                agent.heartbeat(UUID.randomUUID().toString());
                agent.event("node.deregistered", JsonObject.EMPTY);
            }
            awaitThere(registered());

            assertThat(lines.texts()).hasSizeLessThanOrEqualTo(NodeRegistry.MOST_COMINGS + LINES);
        }
    }

    @Test
    void controls_haveSomeLinesAMinute() throws Exception {
        var agent = present("echo");
        try (var lines = new LoggedLines(AgentControls.class)) {
            for (var i = 0; i < MANY; i++) {
                agent.control(agent.name, i % 2 == 0 ? "pause" : "resume");
            }
            awaitTrue(() -> server.gateway().counts().received() >= MANY);
            awaitThere(registered());

            awaitTrue(() -> lines.texts().size() >= LINES);
            assertThat(lines.texts()).hasSize(LINES);
        }
    }

    @Test
    void answersToNoCommand_haveSomeLinesAMinute() throws Exception {
        var agent = present("echo");
        var _ = server.engine.submit("echo");
        var command = agent.command();
        var properties =
                new AMQP.BasicProperties.Builder()
                        .contentType("application/json")
                        .correlationId("of no command")
                        .build();
        var answer =
                JsonText.write(
                        agent.envelope("ai.team.result", TestAgent.success(JsonObject.EMPTY)));
        try (var lines = new LoggedLines(CommandAnswers.class)) {
            var before = server.gateway().counts().received();
            for (var i = 0; i < MANY; i++) {
                agent.answer(command, properties, answer);
            }
            awaitTrue(() -> server.gateway().counts().received() >= before + MANY);

            // Gateways of other tests may have lines of other kinds.
            assertThat(lines.texts())
                    .filteredOn(line -> line.startsWith("an agent answers no command"))
                    .hasSize(LINES);
        }
    }

    private TestAgent registered() throws Exception {
        var last = agent();
        last.register(600, "echo");
        return last;
    }
}
