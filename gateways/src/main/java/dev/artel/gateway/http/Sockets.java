package dev.artel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.gateway.access.TokenConnections;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.WorkerEvent;
import dev.artel.worker.server.EndpointSocket;
import dev.artel.worker.server.hub.CloseCode;
import dev.artel.worker.server.hub.ConnectionInput;
import dev.artel.worker.server.hub.WorkerConnection;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.eclipse.jetty.ee10.websocket.server.JettyServerUpgradeRequest;
import org.eclipse.jetty.ee10.websocket.server.JettyServerUpgradeResponse;
import org.eclipse.jetty.ee10.websocket.server.JettyWebSocketServletFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// WebSockets: cancels go out, progress comes in. One with the worker's id in its path is that worker's; one without
/// is the worker's whose own token it shows, or else of an unknown one.
final class Sockets {
    private static final Logger LOG = LoggerFactory.getLogger(Sockets.class);
    private static final String NAMELESS = "/_worker/ws";
    private static final String NAMED = "/_worker/ws/{worker_id}";
    private static final String ADMITTED = "artel.socket.admitted";
    private static final int LARGEST_MESSAGE = 64 << 10;
    private static final int TOO_LARGE = 1009;
    private static final Duration PING = Duration.ofSeconds(15);

    private final SessionShell shell;
    private final Requests requests;
    private final int most;
    private final AtomicInteger open = new AtomicInteger();

    Sockets(SessionShell shell, Requests requests, int most) {
        this.shell = shell;
        this.requests = requests;
        this.most = most;
    }

    /// What is known of a socket before it is open.
    ///
    /// @param worker whose it is; null: that is not known
    private record Admitted(String token, @Nullable WorkerId worker) {}

    /// The workers that `token` lets its holder be.
    private record Holder(Requests requests, String token) implements Predicate<WorkerId> {
        @Override
        public boolean test(WorkerId worker) {
            return requests.mayBe(token, worker);
        }

        /// Tokens are in no log.
        @Override
        public String toString() {
            return "the holder of a token";
        }
    }

    /// Adds the routes, which admit sockets; [#addTo(JettyWebSocketServletFactory)] adds what serves them.
    void addTo(JavalinDefaultRoutingApi routes) {
        routes.wsBeforeUpgrade(NAMELESS, ctx -> admit(ctx, null));
        routes.wsBeforeUpgrade(NAMED, ctx -> admit(ctx, ctx.pathParam("worker_id")));
        routes.ws(NAMELESS, _ -> {});
        routes.ws(NAMED, _ -> {});
        routes.get(
                NAMELESS,
                _ -> {
                    throw wantsUpgrade();
                });
        routes.get(
                NAMED,
                _ -> {
                    throw wantsUpgrade();
                });
    }

    void addTo(JettyWebSocketServletFactory factory) {
        factory.addMapping(NAMELESS, this::endpoint);
        factory.addMapping(NAMELESS + "/*", this::endpoint);
    }

    private static BadRequestResponse wantsUpgrade() {
        return new BadRequestResponse("a WebSocket upgrade is expected here");
    }

    private void admit(Context ctx, @Nullable String named) {
        var token = Requests.token(ctx);
        var worker = named == null ? requests.sender(ctx, token, null) : requests.workerOfPath(ctx);
        if (worker != null) {
            ctx.attribute(Requests.WORKER, worker.value());
        }
        if (open.get() >= most) {
            throw HttpRefusal.later(
                    Duration.ofSeconds(10), most + " sockets are open; try again later");
        }
        ctx.req().setAttribute(ADMITTED, new Admitted(token, worker));
    }

    private Object endpoint(
            JettyServerUpgradeRequest request, JettyServerUpgradeResponse response) {
        response.setExtensions(List.of()); // no compression
        var admitted =
                (Admitted)
                        Objects.requireNonNull(
                                request.getHttpServletRequest().getAttribute(ADMITTED));
        return EndpointSocket.of(
                NAMELESS, connection -> opened(connection, admitted), LARGEST_MESSAGE);
    }

    private ConnectionInput opened(WorkerConnection connection, Admitted admitted) {
        var place = requests.connection(admitted.token(), admitted.worker());
        if (place.isEmpty()) {
            connection.close(CloseCode.TOO_MANY_CONNECTIONS, "Too many connections");
            return _ -> {};
        }
        open.incrementAndGet();
        var socket = new CancelSocket(connection);
        var worker = admitted.worker();
        var token = admitted.token();
        var number =
                worker == null
                        ? shell.openedNameless(socket, new Holder(requests, token))
                        : shell.opened(socket, worker);
        var pings = Thread.ofVirtual().name("artel-socket-pings").start(() -> ping(connection));
        return new Incoming(connection, admitted, number, place.get(), pings);
    }

    /// Keeps the ways to the peer open, and has a connection end whose peer is gone; a peer that does not read has one ping under way.
    private static void ping(WorkerConnection connection) {
        var isUnderWay = new AtomicBoolean();
        try {
            while (connection.isOpen()) {
                Thread.sleep(PING);
                if (!isUnderWay.compareAndSet(false, true)) {
                    continue;
                }
                connection.sendPing(
                        "",
                        () -> isUnderWay.set(false),
                        failed ->
                                LOG.atDebug()
                                        .addKeyValue("remote", connection.remoteAddress())
                                        .setCause(failed)
                                        .log("a ping was not sent"));
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /// What comes in over one socket.
    private final class Incoming implements ConnectionInput {
        private final WorkerConnection connection;
        private final Admitted admitted;
        private final long number;
        private final TokenConnections.Place place;
        private final Thread pings;

        Incoming(
                WorkerConnection connection,
                Admitted admitted,
                long number,
                TokenConnections.Place place,
                Thread pings) {
            this.connection = connection;
            this.admitted = admitted;
            this.number = number;
            this.place = place;
            this.pings = pings;
        }

        @Override
        public void onText(String text) {
            if (!requests.isGood(admitted.token(), admitted.worker())) {
                connection.close(
                        CloseCode.POLICY, "the token of this socket has expired or was revoked");
                return;
            }
            try {
                WorkerEvent.readFrame(ForeignJson.read(text.getBytes(UTF_8)))
                        .ifPresent(message -> shell.receive(number, message));
            } catch (MalformedJson | MalformedMessage unreadable) {
                LOG.atDebug()
                        .addKeyValue("cause", unreadable.getMessage())
                        .log("a frame cannot be read; ignored");
            }
        }

        @Override
        public void onTooLarge(ByteBuffer beginning) {
            connection.close(TOO_LARGE, "a message has at most " + LARGEST_MESSAGE + " bytes");
        }

        @Override
        public void onClosed(int code, String reason) {
            pings.interrupt();
            open.decrementAndGet();
            shell.closed(number);
            place.close();
        }
    }
}
