package dev.artel.gateway.http;

import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskParameters;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.task.Payload;
import dev.artel.session.SessionSettings;
import io.javalin.Javalin;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// A gateway on a port of this machine.
final class GatewayServer implements AutoCloseable {
    static final String TOKEN = "worker-token-of-the-tests";

    final int port;
    final SessionShell shell;
    private final Javalin server;

    GatewayServer(int port, InstantSource clock, WorkerAuthentication authentication) {
        this(port, clock, authentication, WorkerLimits.NONE);
    }

    GatewayServer(
            int port,
            InstantSource clock,
            WorkerAuthentication authentication,
            WorkerLimits limits) {
        this(port, clock, authentication, limits, (_, _, _, _) -> {}, Way.SHORT_CUT);
    }

    /// How requests come to their answers.
    enum Way {
        SHORT_CUT,
        ROUTES
    }

    GatewayServer(
            int port,
            InstantSource clock,
            WorkerAuthentication authentication,
            WorkerLimits limits,
            SessionShell.ProgressListener progress,
            Way way) {
        shell = new SessionShell(SessionSettings.DEFAULTS, clock, progress);
        var gateway =
                new HttpWorkerGateway(
                        shell,
                        authentication,
                        limits,
                        new TaskParameters(GatewayServer::inline),
                        Optional.empty(),
                        () -> new byte[32],
                        GatewayConfig.DEFAULTS);
        server =
                Javalin.create(javalin -> {
                    var fastPathConfig =
                            new FastPath.FastPathConfig(
                                    "", () -> true, Optional.of(() -> true), _ -> {});
                    var fastPath = gateway.shortCut(fastPathConfig);
                    javalin.concurrency.useVirtualThreads = true;
                    javalin.jetty.threadPool = threads();
                    javalin.startup.showJavalinBanner = false;
                    javalin.jetty.modifyWebSocketServletFactory(gateway::addTo);
                    javalin.jetty.addConnector((jetty, http) -> {
                        var factory = new HttpConnectionFactory(http);
                        var one = new ServerConnector(jetty, 1, 1, factory);
                        one.setHost("127.0.0.1");
                        one.setPort(port);
                        return one;
                    });
                    if (way == Way.SHORT_CUT) {
                        javalin.jetty.modifyServer(jetty -> jetty.setHandler(fastPath));
                    }
                    gateway.addTo(javalin.routes);
                    ExceptionRoutes.map(
                            javalin.routes, Exception.class, (_, request) -> request.status(500));
                });
        server.start();
        this.port = server.port();
    }

    /// Connections are read by a platform thread.
    private static QueuedThreadPool threads() {
        var threads = new QueuedThreadPool();
        threads.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
        return threads;
    }

    static JsonValue inline(Payload payload) {
        return switch (payload) {
            case Payload.Inline(var value) -> value;
            case Payload.Ref _, Payload.Slice _, Payload.Members _ ->
                    throw new IllegalStateException("nothing is kept: " + payload);
        };
    }

    void connect(WorkerPort engine, Consumer<WorkerPort.Listener> listen) {
        listen.accept(shell);
        shell.connect(engine);
    }

    @Override
    public void close() {
        shell.close();
        server.stop();
    }
}
