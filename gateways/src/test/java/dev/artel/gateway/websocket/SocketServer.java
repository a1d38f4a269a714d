package dev.artel.gateway.websocket;

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
final class SocketServer implements AutoCloseable {
    static final String TOKEN = "worker-token-of-the-tests";

    final int port;
    final SessionShell shell;
    final WebSocketWorkerGateway gateway;
    private final Javalin server;

    SocketServer(
            int port,
            InstantSource clock,
            WorkerAuthentication authentication,
            WorkerLimits limits,
            SessionShell.ProgressListener progress,
            SocketGatewayConfig config) {
        shell = new SessionShell(SessionSettings.DEFAULTS, clock, progress);
        gateway =
                new WebSocketWorkerGateway(
                        shell,
                        authentication,
                        limits,
                        new TaskParameters(SocketServer::inline),
                        Optional.empty(),
                        config);
        server =
                Javalin.create(javalin -> {
                    javalin.concurrency.useVirtualThreads = true;
                    javalin.jetty.threadPool = threads();
                    javalin.startup.showJavalinBanner = false;
                    javalin.jetty.modifyWebSocketServletFactory(gateway::addTo);
                    javalin.jetty.addConnector((jetty, http) -> {
                        var one = new ServerConnector(jetty, 1, 1, new HttpConnectionFactory(http));
                        one.setHost("127.0.0.1");
                        one.setPort(port);
                        return one;
                    });
                    gateway.addTo(javalin.routes);
                });
        server.start();
        this.port = server.port();
        gateway.start();
    }

    /// Connections are read by a platform thread.
    private static QueuedThreadPool threads() {
        var threads = new QueuedThreadPool();
        threads.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
        return threads;
    }

    private static JsonValue inline(Payload payload) {
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
        gateway.close();
        shell.close();
        server.stop();
    }
}
