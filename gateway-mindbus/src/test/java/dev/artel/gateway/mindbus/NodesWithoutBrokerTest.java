package dev.artel.gateway.mindbus;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.TaskParameters;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.Progress;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.transport.ReferenceEngine;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The agents by what they send, at times that a test sets.
final class NodesWithoutBrokerTest {
    private static final String AGENT = "agent.test";
    private static final BusEvent.Sender SENDER = new BusEvent.Sender(AGENT, Optional.empty());
    private static final URI BROKER = URI.create("amqp://127.0.0.1:1");
    private static final long ROOM = 100_000;

    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final PassportRoom room = new PassportRoom(ROOM);
    private boolean isElsewhere;
    private boolean isTaken;
    private long revision;
    private SessionShell shell;
    private NodeRegistry registry;

    @BeforeEach
    void begin() {
        var engine = new ReferenceEngine(now::get);
        shell =
                new SessionShell(
                        SessionSettings.DEFAULTS, now::get, (worker, token, part, message) -> {});
        engine.connect(shell);
        shell.connect(engine);
        var config = MindBusConfig.at(BROKER);
        var counts = new BusCounts();
        var assignments =
                new TaskAssignments(
                        new TaskParameters(payload -> {
                            throw new IllegalStateException("nothing is kept: " + payload);
                        }),
                        Optional.empty());
        var commands =
                new Commands(
                        shell,
                        new CommandPublisher(config.exchange(), counts, () -> {}),
                        new CommandBodies(config, assignments, now::get),
                        counts,
                        now::get,
                        task -> Optional.of(task.spec().params()));
        registry =
                new NodeRegistry(
                        shell, commands, config, new AnyName(), new NoFleet(), now::get, room);
    }

    @AfterEach
    void end() {
        shell.close();
    }

    /// Trap: each event of an agent that has left copies what it has named before, and holds back the heartbeats of all others.
    @Test
    void ofAnAgentThatIsNotThere_noProgressIsRemembered() {
        register();
        awaitThere();
        registry.deregistered(JsonObject.of("name", new JsonString(AGENT)), SENDER);
        var free = free();

        for (var number = 0; number < 100; number++) {
            registry.reported(SENDER, progress("a." + number + ".1.x"));
        }

        assertThat(free()).isEqualTo(free);
    }

    /// Trap: one account floods the queue of events, the heartbeats of all agents wait behind that, and all of them are gone.
    @Test
    void anAgentWhoseEventsHaveNotBeenRead_isNotSilent() {
        var lease = MindBusConfig.at(BROKER).terms().lease();
        register();
        awaitThere();
        var heard = now.get();

        passTime(lease.multipliedBy(3), heard);
        assertThat(registry.uidOf(AGENT)).isPresent();
        registry.look(true, heard.plus(lease));
        assertThat(registry.uidOf(AGENT)).isPresent();
        registry.look(true, heard.plus(lease).plusMillis(1));

        assertThat(registry.uidOf(AGENT)).isEmpty();
    }

    /// Trap: an account of the broker registers the name of a worker over HTTP, and pauses that one.
    @Test
    void aControlForAllAgents_isForNoWorkerOnAnotherWire() {
        isElsewhere = true;
        register();
        assertThat(registry.addressed("all")).isEmpty();
        assertThat(registry.addressed("agent_test")).isEmpty();

        isElsewhere = false;
        register();
        awaitThere();

        assertThat(registry.addressed("all")).containsExactly(new WorkerId(AGENT));
    }

    /// Trap: the operator gives a worker a token of its own, and the agent that is there under its name stays that worker until it leaves.
    @Test
    void anAgentWhoseNameGetsAToken_isThereNoMore() {
        register();
        awaitThere();

        isTaken = true;
        registry.look(true, now.get());
        assertThat(registry.uidOf(AGENT)).as("nothing has changed yet").isPresent();
        revision++;
        registry.look(true, now.get());
        assertThat(registry.uidOf(AGENT)).isEmpty();
        heartbeat();
        register();
        assertThat(registry.uidOf(AGENT)).isEmpty();

        isTaken = false;
        revision++;
        registry.look(true, now.get());
        heartbeat();
        awaitThere();
    }

    private void heartbeat() {
        registry.heartbeat(
                JsonObject.of("name", new JsonString(AGENT), "node_id", new JsonString("u-1")),
                SENDER);
    }

    /// Trap: none of the agents behind it is gone when its lease is over, or renewed, for good.
    @Test
    void anAgentThatMeetsWithAnError_endsTheLookAtNoOther() {
        registry.recall(
                List.of(
                        recalled("agent.broken", Duration.ofSeconds(Long.MAX_VALUE)),
                        recalled("agent.late", Duration.ofSeconds(5))));
        var recalled = now.get();
        passTime(Duration.ofSeconds(5), recalled.plusSeconds(5));

        try (var lines = new LoggedLines(NodeRegistry.class)) {
            passTime(Duration.ofSeconds(1), recalled.plusSeconds(6));

            assertThat(lines.texts())
                    .anySatisfy(line -> assertThat(line).contains("gone", "agent.late"))
                    .anySatisfy(line -> assertThat(line).contains("error", "agent.broken"));
        }
    }

    /// Trap: what is sent to `agent.test` reaches `agent_test` as well, which gets its parameters.
    @Test
    void ofTwoNamesWithOneRoutingKey_theOneThatIsThereIsTaken_untilItHasLeft() {
        var other = "agent_test";
        register();
        awaitThere();

        try (var lines = new LoggedLines(NodeRegistry.class)) {
            register(other);
            register(other);

            assertThat(lines.texts())
                    .filteredOn(line -> line.contains("routing key"))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains(other, AGENT));
        }
        assertThat(registry.uidOf(other)).isEmpty();

        registry.deregistered(JsonObject.of("name", new JsonString(AGENT)), SENDER);
        register(other);
        await().until(() -> registry.uidOf(other).isPresent());
        register();
        assertThat(registry.uidOf(AGENT)).isEmpty();
    }

    @Test
    void ofTwoRecalledNamesWithOneRoutingKey_oneIsKept() {
        registry.recall(
                List.of(
                        recalled("agent_test", Duration.ofSeconds(5)),
                        recalled(AGENT, Duration.ofSeconds(5))));

        assertThat(registry.addressed("agent_test")).containsExactly(new WorkerId("agent_test"));
    }

    private static Passport recalled(String name, Duration lease) {
        return new Passport(name, "u", "agent", List.of("echo"), 1, new LinkedHashMap<>(), lease);
    }

    /// In steps that are no standstill of the process.
    private void passTime(Duration time, Instant readUntil) {
        for (var second = 0; second < time.toSeconds(); second++) {
            now.updateAndGet(before -> before.plusSeconds(1));
            registry.look(true, readUntil);
        }
    }

    private void register() {
        register(AGENT);
    }

    private void register(String name) {
        var passport =
                JsonObject.builder()
                        .put(
                                "metadata",
                                JsonObject.builder().put("uid", "u-1").put("name", name).build())
                        .put(
                                "spec",
                                JsonObject.of("capabilities", JsonArray.ofStrings(List.of("echo"))))
                        .build();
        registry.registered(JsonObject.of("passport", passport), SENDER, false);
    }

    private void awaitThere() {
        await().until(() -> registry.uidOf(AGENT).isPresent());
    }

    private static Progress progress(String lease) {
        return new Progress("a", lease, lease, 0.5, "working");
    }

    /// How many bytes may still be declared.
    private long free() {
        var free = ROOM;
        while (!room.has(free)) {
            free--;
        }
        return free;
    }

    private final class AnyName implements AgentNames {
        @Override
        public Optional<String> refusal(WorkerId name) {
            return isTaken ? Optional.of("the worker has a token of its own") : Optional.empty();
        }

        @Override
        public long revision() {
            return revision;
        }

        @Override
        public boolean isOnAnotherWire(WorkerId name) {
            return isElsewhere;
        }
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
