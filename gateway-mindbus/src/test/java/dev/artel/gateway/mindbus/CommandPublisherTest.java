package dev.artel.gateway.mindbus;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import dev.artel.gateway.mindbus.CommandPublisher.Fate;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.TaskParameters;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.waits.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What becomes of messages at a real broker.
@Timeout(Await.HUNG)
final class CommandPublisherTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final List<String> fates = Collections.synchronizedList(new ArrayList<>());
    private MindBusConfig config;
    private Connection connection;
    private CommandPublisher publisher;
    private String queue;

    @BeforeEach
    void open() throws Exception {
        var broker = RabbitServer.shared();
        config = BusServer.config(broker);
        connection = TestAgent.connect(broker);
        publisher = new CommandPublisher(config.exchange(), new BusCounts(), () -> {});
        publisher.opened(connection, connection::createChannel);
        var channel = connection.createChannel();
        queue = channel.queueDeclare().getQueue();
        channel.queueBind(queue, config.exchange(), "cmd.one.any");
    }

    @AfterEach
    void close() {
        if (connection != null) {
            connection.abort(5000);
        }
    }

    private void send(String id, String key) {
        publisher.send(
                key,
                BusEvent.properties(id, 1).build(),
                TestAgent.bytes("{}"),
                fate -> fates.add(id + " " + fate));
    }

    private void awaitFates(int number) {
        await("the broker has confirmed").until(() -> fates.size() == number);
    }

    /// Trap: the client library counts what it could not write, and the broker does not: each confirm is taken for that of the message before, and
    /// those of the last messages never come.
    @Test
    void aMessageThatCannotBeWritten_isNotSent_andThoseBehindItHaveTheirOwnConfirms() {
        send("a", "cmd." + "é".repeat(130) + ".any");
        publisher.sendLoosely(
                "ctl." + "é".repeat(130) + ".any",
                BusEvent.properties("b", 1).build(),
                TestAgent.bytes("{}"));
        send("c", "cmd.one.any");
        awaitFates(2);
        send("d", "cmd.nobody.any");
        awaitFates(3);
        send("e", "cmd.one.any");
        awaitFates(4);

        assertThat(fates)
                .containsExactly(
                        "a " + Fate.NOT_SENT,
                        "c " + Fate.CONFIRMED,
                        "d " + Fate.UNROUTABLE,
                        "e " + Fate.CONFIRMED);
    }

    /// Trap: RabbitMQ closes the channel of all commands for one that may wait for more than ten years.
    @Test
    void aTaskThatMayTakeVeryLong_isACommandThatTheBrokerTakes() {
        var task = task("long", Duration.ofDays(36_500));

        var sent = new ArrayList<CommandBodies.Written>();
        var isRoom = bodies().command("one", task, Duration.ofSeconds(30), sent::add);
        var written = sent.getFirst();
        publisher.send(
                "cmd.one.any", written.properties, written.body, fate -> fates.add("long " + fate));
        awaitFates(1);

        assertThat(isRoom).isTrue();

        assertThat(fates).containsExactly("long " + Fate.CONFIRMED);
        assertThat(written.properties.getExpiration()).isEqualTo("4294967295");
        assertThat(connection.isOpen()).isTrue();
        assertThat(publisher.isReady()).isTrue();
    }

    private CommandBodies bodies() {
        var assignments =
                new TaskAssignments(
                        new TaskParameters(payload -> JsonObject.EMPTY), Optional.empty());
        return new CommandBodies(config, assignments, () -> NOW);
    }

    private static HandOut task(String name, Duration timeout) {
        var job = new JobId(name);
        var token = LeaseToken.mint(job, 0, 1, 7);
        var lease = new Lease(token, new WorkerId("one"), 1, NOW.plus(timeout));
        var spec = TaskSpec.of("echo", JsonObject.EMPTY);
        return new HandOut(job, 0, lease, spec, 0, Optional.empty(), List.of());
    }

    /// Trap: an agent binds no queue and sends heartbeats, and the log has a line for each command that comes back.
    @Test
    void commandsThatNoQueueTakes_haveSomeLinesAMinute() {
        var counts = new BusCounts();
        try (var shell =
                        new SessionShell(
                                SessionSettings.DEFAULTS,
                                () -> NOW,
                                (worker, token, part, message) -> {});
                var lines = new LoggedLines(Commands.class)) {
            var commands =
                    new Commands(
                            shell,
                            publisher,
                            bodies(),
                            counts,
                            () -> NOW,
                            task -> Optional.of(task.spec().params()));
            var channel =
                    new NodeChannel(
                            new WorkerId("nobody"),
                            shell,
                            commands,
                            () -> {},
                            new CommandRate(0, () -> NOW),
                            _ -> {});
            for (var i = 0; i < 2 * Commands.MOST_LINES; i++) {
                commands.send(
                        channel, task("j-" + i, Duration.ofMinutes(1)), Duration.ofSeconds(30));
            }
            await("all have come back")
                    .until(() ->
                            counts.unroutable() == 2 * Commands.MOST_LINES && commands.size() == 0);

            // Gateways of other tests may have lines as well.
            assertThat(lines.texts())
                    .filteredOn(line -> line.contains("nobody"))
                    .hasSize(Commands.MOST_LINES);
        }
    }
}
