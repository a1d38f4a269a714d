package dev.artel.gateway.zeromq;

import static dev.artel.waits.Await.await;

import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.access.WorkerTokens;
import dev.artel.gateway.shell.MonotonicTime;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.TaskParameters;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.TaskLog;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.port.FreePort;
import dev.artel.testkit.transport.ReferenceEngine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A gateway on ports of this machine, before a reference engine.
final class ZeroMqServer implements AutoCloseable {
    static final String TOKEN = "worker-token-of-the-tests";

    /// Terms that workers keep on a machine that has much else to do.
    static final ZeroMqConfig.PushTiming PATIENT =
            new ZeroMqConfig.PushTiming(
                    Duration.ofMillis(50), Duration.ofMinutes(10), Duration.ofMinutes(1));

    final ReferenceEngine engine;
    final InstantSource clock;
    final List<Throwable> errors = new CopyOnWriteArrayList<>();
    final List<String> heard = new CopyOnWriteArrayList<>();
    private final WorkerAuthentication authentication;
    private final WorkerLimits limits;
    private ZeroMqConfig config;
    private SessionShell shell;
    private ZeroMqWorkerGateway gateway;

    /// In real time.
    ZeroMqServer(ZeroMqConfig config) {
        this(config, new MonotonicTime(Instant.now()), WorkerTokens.shared(TOKEN));
    }

    ZeroMqServer(ZeroMqConfig config, InstantSource clock, WorkerAuthentication authentication) {
        this(config, clock, authentication, WorkerLimits.NONE);
    }

    ZeroMqServer(
            ZeroMqConfig config,
            InstantSource clock,
            WorkerAuthentication authentication,
            WorkerLimits limits) {
        this.limits = limits;
        this.config =
                config.ports().equals(ZeroMqConfig.Ports.FREE)
                        ? config.withPorts(steadyPorts())
                        : config;
        this.clock = clock;
        this.authentication = authentication;
        engine = new ReferenceEngine(clock);
        shell = begun();
        gateway = opened();
    }

    /// Ports that no connection of this machine has: a socket that connects again and again to one of those on which nobody listens at
    /// that moment may meet itself.
    private static ZeroMqConfig.Ports steadyPorts() {
        return new ZeroMqConfig.Ports(FreePort.next(), FreePort.next(), FreePort.next());
    }

    /// On any free ports, by `clock`.
    static ZeroMqServer by(InstantSource clock, ZeroMqConfig.PushTiming terms) {
        return new ZeroMqServer(config(terms), clock, WorkerTokens.shared(TOKEN));
    }

    /// With [#PATIENT] terms.
    static ZeroMqServer patient() {
        return new ZeroMqServer(config(PATIENT));
    }

    static ZeroMqServer with(Duration heartbeatTimeout, Duration acceptWithin) {
        return new ZeroMqServer(
                config(
                        new ZeroMqConfig.PushTiming(
                                Duration.ofMillis(50), heartbeatTimeout, acceptWithin)));
    }

    private static ZeroMqConfig config(ZeroMqConfig.PushTiming terms) {
        return ZeroMqConfig.DEFAULTS.withPorts(ZeroMqConfig.Ports.FREE).withTerms(terms);
    }

    private SessionShell begun() {
        var open = new SessionShell(SessionSettings.DEFAULTS, clock, listener());
        open.recall(engine.registrations());
        engine.connect(open);
        open.connect(engine);
        return open;
    }

    private SessionShell.ProgressListener listener() {
        return new SessionShell.ProgressListener() {
            @Override
            public void progressed(
                    WorkerId worker, LeaseToken token, double fraction, String message) {
                heard.add(worker + " " + fraction + " " + message);
            }

            @Override
            public void logged(WorkerId worker, LeaseToken token, List<TaskLog.Line> lines) {
                lines.forEach(
                        line -> heard.add(worker + " " + line.level() + " " + line.message()));
            }
        };
    }

    private ZeroMqWorkerGateway opened() {
        return ZeroMqWorkerGateway.open(
                new ZeroMqWorkerGateway.Orchestrator(
                        shell,
                        authentication,
                        limits,
                        new TaskAssignments(
                                new TaskParameters(ZeroMqServer::inline), Optional.empty()),
                        Optional.empty(),
                        clock,
                        SessionSettings.DEFAULTS.cancelTimeout(),
                        errors::add),
                config);
    }

    private static JsonValue inline(Payload payload) {
        if (payload instanceof Payload.Inline(var value)) {
            return value;
        }
        throw new IllegalStateException("nothing is kept: " + payload);
    }

    ZeroMqWorkerGateway gateway() {
        return gateway;
    }

    SessionShell session() {
        return shell;
    }

    ZeroMqConfig.Ports ports() {
        return gateway.ports();
    }

    /// Starts the orchestrator anew on the same ports.
    void restart() {
        config = config.withPorts(ports());
        close();
        shell = begun();
        // On a busy machine the sockets are not closed yet when the gateway no longer waits for
        // that.
        gateway =
                await("the ports are free again")
                        .ignoreException(IllegalStateException.class)
                        .until(this::opened, Objects::nonNull);
    }

    @Override
    public void close() {
        gateway.close();
        shell.close();
    }
}
