package dev.artel.gateway.mindbus;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.TaskParameters;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.transport.ReferenceEngine;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Until when answers to commands are waited for.
final class CommandsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final String AGENT = "agent.one";
    private static final BusEvent.Sender SENDER = new BusEvent.Sender(AGENT, Optional.empty());

    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
    private final FakeChannel channel = new FakeChannel();
    private SessionShell shell;
    private Commands commands;
    private NodeRegistry registry;

    @BeforeEach
    void begin() {
        var engine = new ReferenceEngine(now::get);
        shell = new SessionShell(SessionSettings.DEFAULTS, now::get, (_, _, _, _) -> {});
        engine.connect(shell);
        shell.connect(engine);
        var config = MindBusConfig.at(URI.create("amqp://127.0.0.1:1"));
        var counts = new BusCounts();
        var publisher = new CommandPublisher(config.exchange(), counts, () -> {});
        channel.open(publisher);
        commands =
                new Commands(
                        shell,
                        publisher,
                        new CommandBodies(
                                config,
                                new TaskAssignments(
                                        new TaskParameters(CommandsTest::inline), Optional.empty()),
                                now::get),
                        counts,
                        now::get,
                        task -> Optional.of(task.spec().params()));
        registry =
                new NodeRegistry(
                        shell,
                        commands,
                        config,
                        AgentNames.ANY,
                        new NoFleet(),
                        now::get,
                        new PassportRoom(100_000));
    }

    @AfterEach
    void end() {
        shell.close();
    }

    private static JsonValue inline(Payload payload) {
        if (payload instanceof Payload.Inline(var value)) {
            return value;
        }
        throw new IllegalStateException("nothing is kept: " + payload);
    }

    /// Sends a command to `agent`, to which no answer comes.
    private LeaseToken send(String agent, int task) {
        var worker = new WorkerId(agent);
        var token = LeaseToken.mint(new JobId("job"), task, 1, 7);
        var lease = new Lease(token, worker, 1, NOW.plus(TIMEOUT));
        var before = channel.published.size();
        commands.send(
                new NodeChannel(
                        worker, shell, commands, () -> {}, new CommandRate(0, now::get), _ -> {}),
                new HandOut(
                        new JobId("job"), task, lease, TaskSpec.of("echo", JsonObject.EMPTY), 0),
                Duration.ofMinutes(1));
        await().until(() -> channel.published.size() > before);
        return token;
    }

    /// Trap: each command to which no answer comes stays for good.
    @Test
    void aMinuteBehindItsTimeout_noAnswerIsWaitedFor() {
        var token = send(AGENT, 0);

        now.set(NOW.plus(TIMEOUT).plusSeconds(60));
        commands.expire();
        assertThat(commands.find(token)).as("an answer may be late").isNotNull();

        now.set(NOW.plus(TIMEOUT).plusSeconds(60).plusMillis(1));
        commands.expire();
        assertThat(commands.size()).isZero();
    }

    /// Trap: what the former process was sent is answered by the next one, or kept until the orchestrator ends.
    @Test
    void anotherProcessOfAnAgent_isNotWaitedForWithTheCommandsOfTheFormer() {
        register("u-1");
        var other = send("agent.two", 1);
        var token = send(AGENT, 0);
        register("u-1");
        assertThat(commands.find(token)).as("the same process").isNotNull();

        register("u-2");

        assertThat(commands.find(token)).isNull();
        assertThat(commands.answered(token, new WorkerId(AGENT))).isNull();
        assertThat(commands.answered(other, new WorkerId("agent.two"))).isNotNull();
    }

    @Test
    void whatAnAgentWasSentThatLeaves_isNotWaitedFor() {
        register("u-1");
        var other = send("agent.two", 1);
        var token = send(AGENT, 0);

        registry.deregistered(JsonObject.of("name", new JsonString(AGENT)), SENDER);

        assertThat(commands.find(token)).isNull();
        assertThat(commands.find(other)).isNotNull();
    }

    private void register(String uid) {
        var passport =
                JsonObject.of(
                        "metadata",
                        JsonObject.of("uid", new JsonString(uid), "name", new JsonString(AGENT)));
        registry.registered(JsonObject.of("passport", passport), SENDER, false);
    }

    private static final class NoFleet implements AgentFleet {
        @Override
        public void limited(WorkerId agent, Instant until) {}

        @Override
        public void paused(List<WorkerId> agents, String by, Optional<String> reason) {}

        @Override
        public void resumed(List<WorkerId> agents, String by) {}
    }
}
