package dev.artel.worker.server;

import dev.artel.worker.server.hub.OrphanedRequest;
import dev.artel.worker.server.hub.WorkerHub;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A [WorkerHub] with a listener of its own: one port for the WebSockets of workers, on one path, for other WebSockets and
/// for HTTP. Safe for use by many threads.
///
/// ```java
/// try (var server = new WorkerServer(WorkerServerOptions.onPort(8765))) {
///     server.hub().onMessage("work_complete", event -> event.complete());
///     server.start();
///     ...
///     server.hub().dispatch(DispatchRequest.of("sonnet", message));
/// }
/// ```
public final class WorkerServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerServer.class);

    /// For peers to close; the rest of the 5 seconds is for the listener.
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private final WorkerServerOptions options;
    private final WorkerHub hub;
    private final Routes routes;
    private @Nullable JettyListener listener;

    /// A server that is not started yet.
    public WorkerServer(WorkerServerOptions options) {
        this(options, new WorkerHub(options.hub()));
    }

    /// A server for a hub that the caller made; the server starts and stops it.
    public WorkerServer(WorkerServerOptions options, WorkerHub hub) {
        this.options = options;
        this.hub = hub;
        this.routes = new Routes(options.path(), hub::opened);
    }

    /// The hub: workers, requests and events.
    public WorkerHub hub() {
        return hub;
    }

    /// Listens. After a failure the server can be started again.
    ///
    /// @throws IllegalStateException if it is already running
    /// @throws UncheckedIOException if the port cannot be had
    public synchronized void start() {
        if (listener != null) {
            throw new IllegalStateException("the worker server is already running");
        }
        var next = new JettyListener(options, routes);
        try {
            next.start();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot start the worker server on %s:%d: %s; choose another port, or 0 for any"
                            .formatted(options.host(), options.port(), reason(e)),
                    e);
        }
        hub.start();
        listener = next;
        LOG.atInfo()
                .addKeyValue("host", options.host())
                .addKeyValue("port", next.port())
                .log("worker server started");
    }

    /// The port on which it listens; the configured one while it does not.
    public synchronized int port() {
        return listener == null ? options.port() : listener.port();
    }

    /// Stops within 5 seconds: closes all connections, of workers and others, and ends those that do not close. Does nothing
    /// if the server does not run.
    ///
    /// @return the requests that were in flight
    public synchronized List<OrphanedRequest> stop() {
        if (listener == null) {
            return List.of();
        }
        var stopping = listener;
        listener = null;
        stopping.refuse();
        var left = hub.stop(CLOSING);
        stopping.stop();
        LOG.atInfo().addKeyValue("pending", left.size()).log("worker server stopped");
        return left;
    }

    @Override
    public void close() {
        var _ = stop();
    }

    /// Adds a handler of HTTP requests behind those that are there. Requests that no handler takes are answered with 404.
    ///
    /// @return what removes the handler
    public Runnable addHttpHandler(HttpCallHandler handler) {
        return routes.add(handler);
    }

    /// Serves other WebSockets on exactly `path`; the query does not matter. `guard` decides who may open one: the hub's
    /// authentication is not asked.
    ///
    /// @return what removes the endpoint
    /// @throws IllegalArgumentException if the path is not absolute, or taken
    public Runnable addSocketEndpoint(String path, SocketGuard guard, SocketEndpoint endpoint) {
        WorkerServerOptions.checkPath(path);
        return routes.add(path, guard, endpoint);
    }

    private static String reason(IOException e) {
        var cause = e.getCause() == null ? e : e.getCause();
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
