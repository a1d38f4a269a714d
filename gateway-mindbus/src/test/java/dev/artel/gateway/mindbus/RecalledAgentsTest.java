package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.Register;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.ReferenceEngine;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Agents that registered with an earlier process of the orchestrator, without a broker.
final class RecalledAgentsTest {
    private final ManualClock clock = new ManualClock();
    private final ReferenceEngine engine = new ReferenceEngine(clock);
    private final SessionShell shell =
            new SessionShell(SessionSettings.DEFAULTS, clock, (_, _, _, _) -> {});

    @AfterEach
    void close() {
        shell.close();
    }

    @ParameterizedTest
    @CsvSource({
        "30, 30",
        "0, 1",
        "-9223372036854775808, 1",
        "86401, 86400",
        "9223372036854775807, 86400"
    })
    void theLeaseOfAnAgentThatIsRecalled_hasTheBoundsOfAPassport(String label, long seconds) {
        var words =
                BusTestCase.json(
                        "{\"worker_id\":\"a\",\"supported_tasks\":[\"echo\"],\"instance\":\"i\",\"labels\":{\"mindbus.lease-seconds\":\"%s\"}}"
                                .formatted(label));

        assertThat(Passport.recalled(Register.read(words)))
                .hasValueSatisfying(passport ->
                        assertThat(passport.lease()).isEqualTo(Duration.ofSeconds(seconds)));
    }

    /// Trap: none of the agents behind it is gone when its lease is over, or renewed, for good.
    @Test
    void anAgentThatMeetsWithAnError_endsTheLookAtNoOther() {
        var registry = registry();
        registry.recall(
                List.of(
                        agent("agent.broken", Duration.ofSeconds(Long.MAX_VALUE)),
                        agent("agent.late", Duration.ofSeconds(5))));
        clock.advance(Duration.ofSeconds(2));
        registry.look(true);
        clock.advance(Duration.ofSeconds(2));
        registry.look(true);
        clock.advance(Duration.ofSeconds(2));

        try (var lines = new LoggedLines(NodeRegistry.class)) {
            registry.look(true);

            assertThat(lines.texts())
                    .anySatisfy(line -> assertThat(line).contains("gone", "agent.late"))
                    .anySatisfy(line -> assertThat(line).contains("error", "agent.broken"));
        }
    }

    private static Passport agent(String name, Duration lease) {
        return new Passport(name, "u", "agent", List.of("echo"), 1, new LinkedHashMap<>(), lease);
    }

    private NodeRegistry registry() {
        shell.connect(engine);
        var counts = new BusCounts();
        var config = MindBusConfig.at(URI.create("amqp://localhost"));
        var commands =
                new Commands(
                        shell,
                        new CommandPublisher(config.exchange(), counts, () -> {}),
                        new CommandBodies(
                                config,
                                new TaskAssignments(_ -> JsonObject.EMPTY, Optional.empty()),
                                clock),
                        counts,
                        clock,
                        task -> Optional.of(task.spec().params()));
        return new NodeRegistry(
                shell,
                commands,
                config,
                new AllNames(),
                new NoFleet(),
                clock,
                new PassportRoom(100_000));
    }

    private static final class AllNames implements AgentNames {
        @Override
        public Optional<String> refusal(WorkerId name) {
            return Optional.empty();
        }

        @Override
        public boolean isOnAnotherWire(WorkerId name) {
            return false;
        }
    }

    private static final class NoFleet implements AgentFleet {
        @Override
        public void limited(WorkerId agent, Instant until) {}

        @Override
        public void paused(WorkerId agent, String by, Optional<String> reason) {}

        @Override
        public void resumed(WorkerId agent, String by) {}
    }
}
