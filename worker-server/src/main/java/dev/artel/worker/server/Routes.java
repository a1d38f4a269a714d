package dev.artel.worker.server;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a worker server serves, and where. Safe for use by many threads.
final class Routes {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerServer.class);

    /// Behind one path.
    record Route(String path, SocketGuard guard, SocketEndpoint endpoint) {}

    private final Map<String, Route> sockets = new ConcurrentHashMap<>();
    private final List<HttpCallHandler> handlers = new CopyOnWriteArrayList<>();

    Routes(String workers, SocketEndpoint hub) {
        sockets.put(workers, new Route(workers, SocketGuard.none(), hub));
    }

    Runnable add(HttpCallHandler handler) {
        HttpCallHandler own = call -> handler.handle(call);
        handlers.add(own);
        return () -> handlers.remove(own);
    }

    Runnable add(String path, SocketGuard guard, SocketEndpoint endpoint) {
        var route = new Route(path, guard, endpoint);
        if (sockets.putIfAbsent(path, route) != null) {
            throw new IllegalArgumentException(
                    "cannot serve WebSockets on %s: the path is taken".formatted(path));
        }
        return () -> sockets.remove(path, route);
    }

    Optional<Route> socket(String path) {
        return Optional.ofNullable(sockets.get(path));
    }

    /// Whether a handler answered. A handler that reports so without an answer leaves one behind that states it.
    boolean handle(HttpCall call) {
        for (var handler : handlers) {
            var handled = handled(handler, call);
            if (call.isAnswered()) {
                if (!handled) {
                    LOG.atWarn()
                            .addKeyValue("path", call.path())
                            .log("a handler answered and reports the call as not handled");
                }
                return true;
            }
            if (handled) {
                LOG.atError()
                        .addKeyValue("path", call.path())
                        .log("a handler reports the call as handled and gave no answer");
                call.respond(500, HttpAnswers.error("The handler gave no answer"));
                return true;
            }
        }
        return false;
    }

    private static boolean handled(HttpCallHandler handler, HttpCall call) {
        try {
            return handler.handle(call);
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            LOG.atError()
                    .addKeyValue("path", call.path())
                    .addKeyValue("problem", e.getMessage() == null ? e : e.getMessage())
                    .setCause(e)
                    .log("handler of HTTP requests failed");
            return call.isAnswered();
        }
    }
}
