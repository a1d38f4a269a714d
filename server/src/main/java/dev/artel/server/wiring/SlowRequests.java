package dev.artel.server.wiring;

import dev.artel.engine.shell.Schedule;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends connections whose request, or whose handshake of TLS before it, does not arrive in time. A client that sends a byte now and then is never idle, so
/// that it would keep its connection, and who reads it, for as long as it likes.
final class SlowRequests implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SlowRequests.class);

    /// It looks at every connection, so that it does not look often.
    private static final int LOOKS_PER_LIMIT = 6;

    private static final Duration LOOK = Duration.ofSeconds(5);

    private final Server server;
    private final Duration limit;
    private final Schedule schedule = new Schedule("artel-slow-requests");

    /// What was arriving when this last looked; of the schedule's thread alone.
    private Map<HttpConnection, Arrival> arriving = new HashMap<>();

    /// @param request the number of the request on its connection
    private record Arrival(long request, long since) {}

    SlowRequests(Server server, Duration limit) {
        this.server = server;
        this.limit = limit;
        var pause = Math.max(1, Math.min(LOOK.toMillis(), limit.toMillis() / LOOKS_PER_LIMIT));
        schedule.repeat(Duration.ofMillis(pause), this::look);
    }

    private void look() {
        var now = System.nanoTime();
        var still = new HashMap<HttpConnection, Arrival>();
        try {
            for (var connector : server.getConnectors()) {
                if (connector instanceof ServerConnector network) {
                    for (var endPoint : network.getConnectedEndPoints()) {
                        if (TlsConnections.isHandshakeLate(endPoint, now, limit.toNanos())) {
                            close(endPoint);
                        } else if (connectionOf(endPoint) instanceof HttpConnection connection
                                && isArriving(connection.getParser())) {
                            still.put(connection, arrival(connection, now));
                        }
                    }
                }
            }
            still.forEach((connection, arrival) -> {
                if (now - arrival.since() > limit.toNanos()) {
                    close(connection.getEndPoint());
                }
            });
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("looking for slow requests failed");
        }
        arriving = still;
    }

    private static void close(EndPoint endPoint) {
        LOG.atDebug()
                .addKeyValue("from", endPoint.getRemoteSocketAddress())
                .log("a request did not arrive in time");
        endPoint.close();
    }

    private static Connection connectionOf(EndPoint endPoint) {
        return endPoint.getConnection() instanceof SslConnection secured
                ? secured.getSslEndPoint().getConnection()
                : endPoint.getConnection();
    }

    private Arrival arrival(HttpConnection connection, long now) {
        var before = arriving.get(connection);
        var request = connection.getMessagesIn();
        return before != null && before.request() == request ? before : new Arrival(request, now);
    }

    private static boolean isArriving(HttpParser parser) {
        return !parser.isStart() && (parser.inHeaderState() || parser.inContentState());
    }

    @Override
    public void close() {
        schedule.close();
    }
}
