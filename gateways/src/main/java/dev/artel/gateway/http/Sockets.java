package dev.artel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.gateway.access.TokenConnections;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.WorkerEvent;
import dev.artel.worker.server.hub.CloseCode;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// WebSockets: cancels go out, progress comes in. One with the worker's id in its path is that worker's; one without
/// is the worker's whose own token it shows, or else of an unknown one.
final class Sockets {
    private static final Logger LOG = LoggerFactory.getLogger(Sockets.class);
    private static final String NAMELESS = "/_worker/ws";
    private static final String NAMED = "/_worker/ws/{worker_id}";
    private static final String WORKER = "artel.worker";
    private static final String NUMBER = "artel.socket";
    private static final String TOKEN = "artel.socket.token";
    private static final String PLACE = "artel.place";
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

    void addTo(JavalinDefaultRoutingApi routes) {
        routes.wsBeforeUpgrade(NAMELESS, ctx -> admit(ctx, null));
        routes.wsBeforeUpgrade(NAMED, ctx -> admit(ctx, ctx.pathParam("worker_id")));
        routes.ws(NAMELESS, this::serve);
        routes.ws(NAMED, this::serve);
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

    private static BadRequestResponse wantsUpgrade() {
        return new BadRequestResponse("a WebSocket upgrade is expected here");
    }

    private void admit(Context ctx, @Nullable String named) {
        var token = Requests.token(ctx);
        if (named == null) {
            ctx.attribute(WORKER, requests.sender(ctx, token, null));
        } else {
            ctx.attribute(WORKER, requests.workerOfPath(ctx));
        }
        ctx.attribute(TOKEN, token);
        if (open.get() >= most) {
            throw HttpRefusal.later(
                    Duration.ofSeconds(10), most + " sockets are open; try again later");
        }
    }

    private void serve(WsConfig socket) {
        socket.onConnect(this::opened);
        socket.onMessage(ctx -> receive(ctx, ctx.message()));
        socket.onClose(this::closed);
    }

    private void opened(WsContext ctx) {
        String token = Objects.requireNonNull(ctx.attribute(TOKEN));
        var place = requests.connection(token, ctx.attribute(WORKER)).orElse(null);
        if (place == null) {
            new JettySocket(ctx.session)
                    .close(CloseCode.TOO_MANY_CONNECTIONS, "Too many connections");
            return;
        }
        ctx.attribute(PLACE, place);
        open.incrementAndGet();
        ctx.enableAutomaticPings(PING.toSeconds(), TimeUnit.SECONDS);
        WorkerId worker = ctx.attribute(WORKER);
        var socket = new JettySocket(ctx.session);
        var number =
                worker == null
                        ? shell.openedNameless(socket, each -> requests.isGood(token, each))
                        : shell.opened(socket, worker);
        ctx.attribute(NUMBER, number);
    }

    private void receive(WsContext ctx, String text) {
        Long number = ctx.attribute(NUMBER);
        if (number == null) {
            return;
        }
        if (!isStillGood(ctx)) {
            new JettySocket(ctx.session)
                    .close(CloseCode.POLICY, "the token of this socket has expired or was revoked");
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

    /// Whether the token with which the socket was opened is good at this moment.
    private boolean isStillGood(WsContext ctx) {
        String token = ctx.attribute(TOKEN);
        return token != null && requests.isGood(token, ctx.attribute(WORKER));
    }

    private void closed(WsContext ctx) {
        Long number = ctx.attribute(NUMBER);
        if (number != null) {
            open.decrementAndGet();
            shell.closed(number);
        }
        if (ctx.attribute(PLACE) instanceof TokenConnections.Place place) {
            place.close();
        }
    }
}
