package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.shell.MonotonicTime;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.TaskParameters;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.task.Payload;
import dev.artel.session.SessionSettings;
import dev.artel.session.WorkerSnapshot;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.waits.Await;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A gateway on a real broker, before a reference engine.
final class BusServer implements AutoCloseable {
    /// The name of a worker that has a token of its own.
    static final String TAKEN = "gpu-1";

    final InstantSource clock = new MonotonicTime(Instant.now());
    final ReferenceEngine engine = new ReferenceEngine(clock);
    final List<String> progress = new CopyOnWriteArrayList<>();
    final List<String> held = new CopyOnWriteArrayList<>();

    /// Done where an agent comes whose name is not known yet, by the thread that reads events.
    volatile Runnable onNewName = () -> {};

    /// The names of workers that are there on other wires.
    final List<String> elsewhere = new CopyOnWriteArrayList<>();

    final List<Throwable> errors = new CopyOnWriteArrayList<>();
    MindBusConfig config;
    private final long passports;
    private SessionShell shell;
    private MindBusGateway gateway;

    BusServer(MindBusConfig config) {
        this(config, PassportRoom.share());
    }

    /// @param passports how many bytes what agents have declared may take
    BusServer(MindBusConfig config, long passports) {
        this.config = config;
        this.passports = passports;
        shell = begun();
        gateway = opened();
    }

    /// With an exchange and queues of its own, as the broker is shared, and terms that a busy machine keeps.
    static MindBusConfig config(RabbitServer broker) {
        var own = UUID.randomUUID().toString().substring(0, 8);
        return MindBusConfig.at(broker.uri())
                .withExchange("bus." + own)
                .withNodeId("node-" + own)
                .withSeeds(new LinkedHashMap<>())
                .withTerms(
                        new MindBusConfig.BusTiming(
                                Duration.ofMinutes(10),
                                Duration.ofMinutes(1),
                                Duration.ofMillis(500)));
    }

    /// Connected.
    static BusServer on(RabbitServer broker) throws InterruptedException {
        var server = new BusServer(config(broker));
        server.awaitConnected();
        return server;
    }

    void awaitConnected() throws InterruptedException {
        assertThat(gateway.isConnectedWithin(Await.longest())).as("%s", gateway.trouble()).isTrue();
    }

    private SessionShell begun() {
        var open =
                new SessionShell(
                        SessionSettings.DEFAULTS,
                        clock,
                        (worker, token, fraction, message) ->
                                progress.add(line(worker, token, fraction, message)));
        open.recall(engine.registrations());
        engine.connect(open);
        open.connect(engine);
        return open;
    }

    private static String line(WorkerId worker, LeaseToken token, double fraction, String message) {
        return worker + " " + token.handOut() + " " + fraction + " " + message;
    }

    private MindBusGateway opened() {
        return MindBusGateway.open(
                new MindBusGateway.Orchestrator(
                        shell,
                        new TaskAssignments(
                                new TaskParameters(BusServer::inline), Optional.empty()),
                        engine.registrations(),
                        task -> Optional.of(task.spec().params()),
                        new KnownNames(),
                        new HeardFleet(),
                        clock,
                        errors::add),
                config,
                passports);
    }

    private final class KnownNames implements AgentNames {
        @Override
        public Optional<String> refusal(WorkerId name) {
            onNewName.run();
            return name.value().equals(TAKEN)
                    ? Optional.of("the worker has a token of its own")
                    : Optional.empty();
        }

        @Override
        public boolean isOnAnotherWire(WorkerId name) {
            return elsewhere.contains(name.value());
        }
    }

    /// Notes what it is asked for.
    private final class HeardFleet implements AgentFleet {
        @Override
        public void limited(WorkerId agent, Instant until) {
            engine.limited(agent, until);
            held.add("limited " + agent);
        }

        @Override
        public void paused(List<WorkerId> agents, String by, Optional<String> reason) {
            held.add("paused " + names(agents) + " by " + by + ": " + reason.orElse(""));
        }

        @Override
        public void resumed(List<WorkerId> agents, String by) {
            held.add("resumed " + names(agents) + " by " + by);
        }

        private static String names(List<WorkerId> agents) {
            return agents.stream().map(WorkerId::value).collect(Collectors.joining(" "));
        }
    }

    private static JsonValue inline(Payload payload) {
        if (payload instanceof Payload.Inline(var value)) {
            return value;
        }
        throw new IllegalStateException("nothing is kept: " + payload);
    }

    MindBusGateway gateway() {
        return gateway;
    }

    /// What the fleet shows of an agent that is there.
    WorkerSnapshot find(String agent) throws InterruptedException {
        return all(agent)
                .findFirst()
                .orElseThrow(() -> new AssertionError(agent + " is not there"));
    }

    boolean isThere(String agent) throws InterruptedException {
        return all(agent).findAny().isPresent();
    }

    private Stream<WorkerSnapshot> all(String agent) throws InterruptedException {
        return shell.workers().orElse(List.of()).stream()
                .filter(one -> one.worker().value().equals(agent));
    }

    /// Starts the orchestrator anew with other agents that may come.
    void restart(BusDoor door) throws InterruptedException {
        config = config.withDoor(door);
        restart();
    }

    /// Starts the orchestrator anew.
    void restart() throws InterruptedException {
        close();
        shell = begun();
        gateway = opened();
        awaitConnected();
    }

    @Override
    public void close() {
        gateway.close();
        shell.close();
    }
}
