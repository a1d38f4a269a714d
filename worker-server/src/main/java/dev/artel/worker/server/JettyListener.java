package dev.artel.worker.server;

import java.io.IOException;
import java.time.Duration;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One start of a worker server: a Jetty that is never started again.
final class JettyListener {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerServer.class);
    private static final int MAX_THREADS = 16;
    private static final Duration MIN_IDLE = Duration.ofMinutes(5);

    /// No buffer of one connection serves another one.
    ///
    /// Jetty (12.1.13 and before) answers a request that cannot be parsed while the thread that found it out is still parsing, and the end of that answer has another thread go on with
    /// the connection. The one gives the buffer back while the other reads the socket into it; out of a pool, another connection would take those bytes for its request. The class that
    /// would have to let one thread at a time read is not exported by Jetty's module, and this one runs on the module path. Buffers on the heap, since others cost more to make than to fill.
    private static final ByteBufferPool BUFFERS_OF_ONE_USE = ByteBufferPool.NON_POOLING;

    private static final long ENDING_MILLIS = 500;
    private static final long STOPPING_MILLIS = 1_000;

    private final Server server;
    private final ServerConnector connector;
    private final Sessions sessions = new Sessions();

    JettyListener(WorkerServerOptions options, Routes routes) {
        server = new Server(threads());
        connector = connector(server, options);
        server.addConnector(connector);
        server.setStopTimeout(STOPPING_MILLIS);
        var sockets = ServerWebSocketContainer.ensure(server);
        sockets.setIdleTimeout(idle(options));
        server.setHandler(
                new Dispatcher(
                        routes, sockets, sessions, options.hub().limits().maxMessageBytes()));
    }

    void start() throws IOException {
        try {
            server.start();
        } catch (IOException e) {
            stop();
            throw e;
        } catch (Exception e) {
            stop();
            throw new IllegalStateException("the listener of the worker server failed", e);
        }
    }

    int port() {
        return connector.getLocalPort();
    }

    /// Takes no more connections and begins to close those that are there.
    void refuse() {
        connector.close();
        sessions.close();
    }

    void stop() {
        sessions.end(ENDING_MILLIS);
        try {
            server.stop();
        } catch (Exception e) {
            LOG.atWarn().setCause(e).log("the listener did not stop as it should");
        }
        server.destroy();
    }

    /// Few threads of the platform, which only find out who has something to read.
    private static QueuedThreadPool threads() {
        var threads = new QueuedThreadPool(MAX_THREADS);
        threads.setName("artel-worker-server");
        threads.setDaemon(true);
        var virtual = new VirtualThreadPool();
        virtual.setName("artel-worker-server-task");
        threads.setVirtualThreadsExecutor(virtual);
        return threads;
    }

    static ServerConnector connector(Server server, WorkerServerOptions options) {
        var settings = new HttpConfiguration();
        settings.setSendServerVersion(false);
        var http = new HttpConnectionFactory(settings);
        settings.setUseInputDirectByteBuffers(false);
        settings.setUseOutputDirectByteBuffers(false);
        ConnectionFactory[] layers = {http};
        if (options.tls() != null) {
            var tls = new SslContextFactory.Server();
            tls.setSslContext(options.tls());
            layers =
                    new ConnectionFactory[] {
                        new SslConnectionFactory(tls, http.getProtocol()), http
                    };
        }
        var connector = new ServerConnector(server, null, null, BUFFERS_OF_ONE_USE, 1, 1, layers);
        connector.setHost(options.host());
        connector.setPort(options.port());
        return connector;
    }

    /// Longer than the hub waits for heartbeats: it finds dead workers itself.
    private static Duration idle(WorkerServerOptions options) {
        var silence = options.hub().times().heartbeatTimeout().multipliedBy(4);
        return silence.compareTo(MIN_IDLE) > 0 ? silence : MIN_IDLE;
    }

    /// Leads a request to its WebSocket, to a handler, or to 404.
    private static final class Dispatcher extends Handler.Abstract {
        private final Routes routes;
        private final ServerWebSocketContainer sockets;
        private final Sessions sessions;
        private final int maxMessageBytes;

        Dispatcher(
                Routes routes,
                ServerWebSocketContainer sockets,
                Sessions sessions,
                int maxMessageBytes) {
            this.routes = routes;
            this.sockets = sockets;
            this.sessions = sessions;
            this.maxMessageBytes = maxMessageBytes;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            var call = new JettyCall(request, response, callback);
            var route = routes.socket(call.path());
            if (request.getHeaders().contains(HttpHeader.UPGRADE, "websocket")) {
                if (route.isEmpty()) {
                    call.respond(404, HttpAnswers.error("Not found"));
                } else if (admitted(route.get(), call)) {
                    upgrade(route.get(), call, request, response, callback);
                }
            } else if (!routes.handle(call)) {
                call.respond(404, HttpAnswers.error("Not found"));
            }
            return true;
        }

        private void upgrade(
                Routes.Route route,
                JettyCall call,
                Request request,
                Response response,
                Callback callback) {
            var upgraded =
                    sockets.upgrade(
                            (_, _, _) -> new EndpointSocket(route, maxMessageBytes, sessions),
                            request,
                            response,
                            callback);
            if (!upgraded) {
                call.respond(400, HttpAnswers.error("Not a WebSocket handshake"));
            }
        }

        private static boolean admitted(Routes.Route route, JettyCall call) {
            boolean admitted;
            try {
                admitted = route.guard().admits(call);
            } catch (RuntimeException e) {
                LOG.atError()
                        .addKeyValue("path", route.path())
                        .addKeyValue("problem", String.valueOf(e.getMessage()))
                        .setCause(e)
                        .log("guard of WebSockets failed");
                admitted = false;
            }
            if (!admitted && !call.isAnswered()) {
                call.respond(401, HttpAnswers.error("Unauthorized"));
            }
            return admitted && !call.isAnswered();
        }
    }
}
