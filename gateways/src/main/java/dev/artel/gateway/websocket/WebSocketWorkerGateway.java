package dev.artel.gateway.websocket;

import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.FrequentHeartbeats;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.TaskParameters;
import dev.artel.gateway.shell.ValueAddresses;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.MalformedMessage;
import dev.artel.worker.server.EndpointSocket;
import dev.artel.worker.server.hub.AcceptedRequest;
import dev.artel.worker.server.hub.CloseCode;
import dev.artel.worker.server.hub.HubOptions;
import dev.artel.worker.server.hub.MessageEvent;
import dev.artel.worker.server.hub.OrphanedRequest;
import dev.artel.worker.server.hub.PooledWorker;
import dev.artel.worker.server.hub.UnreadableFrame;
import dev.artel.worker.server.hub.WorkerDisconnected;
import dev.artel.worker.server.hub.WorkerHub;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.ServiceUnavailableResponse;
import io.javalin.http.TooManyRequestsResponse;
import io.javalin.http.UnauthorizedResponse;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.eclipse.jetty.ee10.websocket.server.JettyWebSocketServletFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Workers on WebSockets at `/ws/worker`: a hub for their connections, and a conversation for each session. Safe for use by many
/// threads. Nothing of it is durable but what the conversation of all wires keeps.
public final class WebSocketWorkerGateway implements AutoCloseable {
    /// Where workers connect.
    public static final String PATH = "/ws/worker";

    private static final Logger LOG = LoggerFactory.getLogger(WebSocketWorkerGateway.class);
    private static final String TOKEN = "artel.websocket.token";
    private static final String SCHEME = "Bearer ";
    private static final Duration STOP_LIMIT = Duration.ofSeconds(2);

    private final WorkerHub hub;
    private final SocketAdmission admission;
    private final SocketWiring wiring;
    private final WorkMessages messages;
    private final WorkerAuthentication authentication;
    private final WorkerLimits limits;
    private final int maxMessageBytes;

    /// The conversation of each worker that is connected.
    private final ConcurrentMap<String, SocketConversation> conversations =
            new ConcurrentHashMap<>();

    /// A gateway for the workers of `shell`, which begins with [#start].
    ///
    /// @param parameters reads what tasks are given
    /// @param values where workers fetch and put large values; empty: nowhere
    public WebSocketWorkerGateway(
            SessionShell shell,
            WorkerAuthentication authentication,
            WorkerLimits limits,
            TaskParameters parameters,
            Optional<ValueAddresses> values,
            SocketGatewayConfig config) {
        this.authentication = authentication;
        this.limits = limits;
        this.maxMessageBytes = config.limits().maxMessageBytes();
        admission = new SocketAdmission(authentication, limits, acknowledgement(config));
        hub =
                new WorkerHub(
                        HubOptions.DEFAULTS
                                .withAuthenticator(admission)
                                .withAdmission(admission)
                                .withTimes(config.times())
                                .withLimits(config.limits())
                                .withRequestNames(WebSocketWorkerGateway::shown));
        wiring =
                new SocketWiring(
                        hub,
                        shell,
                        new FrequentHeartbeats(shell),
                        admission,
                        limits,
                        new TaskAssignments(parameters, values, config.taskSigner()),
                        values,
                        new CallRoom(config.maxCalls()),
                        config);
        messages = new WorkMessages(wiring);
        var _ = hub.onConnected(this::connected);
        var _ = hub.onRegisteredAgain(this::registeredAgain);
        var _ = hub.onDisconnected(this::disconnected);
        var _ = hub.onAnyMessage(this::received);
        var _ = hub.onProtocolMessage(this::heard);
        var _ = hub.onUnreadable(this::answers);
        var _ = hub.onAccepted(this::accepted);
        var _ = hub.onOrphaned(this::orphaned);
    }

    /// The ids of requests are lease tokens.
    private static String shown(String requestId) {
        return new LeaseToken(requestId).shown();
    }

    private static JsonObject acknowledgement(SocketGatewayConfig config) {
        return JsonObject.builder()
                .put("acceptWithinMs", config.acceptWithin().toMillis())
                .put("maxMessageBytes", (long) config.limits().maxMessageBytes())
                .build();
    }

    /// Begins to look at heartbeats and registrations that do not come.
    public void start() {
        hub.start();
    }

    /// Adds the route to a server, in whose factory of WebSockets [#addTo(JettyWebSocketServletFactory)] adds the endpoint.
    public void addTo(JavalinDefaultRoutingApi routes) {
        routes.wsBeforeUpgrade(PATH, this::admit);
        routes.ws(PATH, _ -> {});
        routes.get(
                PATH,
                _ -> {
                    throw wantsUpgrade();
                });
    }

    /// Adds the endpoint.
    public void addTo(JettyWebSocketServletFactory factory) {
        factory.addMapping(
                PATH,
                (request, response) -> {
                    response.setExtensions(List.of()); // no compression
                    var token = (String) request.getHttpServletRequest().getAttribute(TOKEN);
                    return EndpointSocket.of(
                            PATH,
                            connection -> {
                                var upgraded = new UpgradedConnection(connection, token);
                                return upgraded.watched(hub.opened(upgraded));
                            },
                            maxMessageBytes);
                });
    }

    private static BadRequestResponse wantsUpgrade() {
        return new BadRequestResponse("a WebSocket upgrade is expected here");
    }

    /// A token that comes with the upgrade must be good; one may come with the registration instead.
    private void admit(Context ctx) {
        var token = token(ctx);
        if (token != null) {
            if (authentication.check(token, null)
                    instanceof WorkerAuthentication.Decision.Refused(var error)) {
                throw refusal(ctx, error);
            }
            ctx.req().setAttribute(TOKEN, token);
        }
        if (hub.connectionCount() >= wiring.config().maxConnections()) {
            ctx.header("Retry-After", "10");
            throw new ServiceUnavailableResponse(
                    wiring.config().maxConnections() + " sockets are open; try again later");
        }
    }

    private HttpResponseException refusal(Context ctx, String error) {
        var after = limits.refused(String.valueOf(ctx.ip()), error);
        if (after.isEmpty()) {
            return new UnauthorizedResponse(error);
        }
        ctx.header("Retry-After", Long.toString(after.get().plusMillis(999).toSeconds()));
        return new TooManyRequestsResponse("too many tokens from " + ctx.ip() + " were refused");
    }

    private static @Nullable String token(Context ctx) {
        var authorization = ctx.header("Authorization");
        return authorization != null
                        && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? authorization.substring(SCHEME.length()).strip()
                : ctx.header("X-Worker-Token");
    }

    /// Has a connected worker finish what it has and take nothing more over its connection, which closes after that.
    ///
    /// @param reason for people
    public void drain(WorkerId worker, String reason) {
        var _ = hub.drain(worker.value(), reason);
    }

    /// Whether a worker is connected.
    public boolean isConnected(WorkerId worker) {
        return conversations.containsKey(worker.value());
    }

    private void connected(PooledWorker worker) {
        var connection = hub.connection(worker.id(), worker.sessionId());
        if (connection.isEmpty() || !(connection.get() instanceof UpgradedConnection upgraded)) {
            return; // it is gone again, and its end follows
        }
        with(
                worker,
                registration -> {
                    var conversation =
                            new SocketConversation(wiring, worker, upgraded, registration);
                    var replaced = conversations.put(worker.id(), conversation);
                    if (replaced != null) {
                        replaced.end();
                    }
                    conversation.begin();
                });
    }

    private void registeredAgain(PooledWorker worker) {
        var conversation = find(worker);
        if (conversation != null) {
            with(worker, conversation::update);
        }
    }

    @FunctionalInterface
    private interface Registering {
        void with(SocketRegistration registration) throws InterruptedException;
    }

    private void with(PooledWorker worker, Registering step) {
        try {
            step.with(SocketRegistration.read(worker));
        } catch (MalformedMessage malformed) {
            // Was checked before the worker was let in.
            LOG.atError()
                    .addKeyValue("worker", worker.id())
                    .addKeyValue("problem", malformed.getMessage())
                    .log("a registration that was accepted cannot be read");
            var _ =
                    hub.disconnect(
                            worker.id(),
                            worker.sessionId(),
                            CloseCode.PROTOCOL_ERROR,
                            "Protocol error");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable SocketConversation find(PooledWorker worker) {
        var conversation = conversations.get(worker.id());
        return conversation != null && conversation.session().equals(worker.sessionId())
                ? conversation
                : null;
    }

    private void disconnected(WorkerDisconnected event) {
        var conversation = find(event.worker());
        if (conversation == null) {
            return;
        }
        conversations.remove(event.worker().id(), conversation);
        // Workers find their tasks again after the stop of the orchestrator.
        if (event.reason() != WorkerDisconnected.Reason.STOPPED) {
            conversation.end();
        }
    }

    private void received(MessageEvent event) {
        whileGood(event, conversation -> messages.receive(conversation, event));
    }

    private void heard(MessageEvent event) {
        whileGood(
                event,
                conversation -> {
                    if (event.type().equals("heartbeat")) {
                        messages.heartbeat(conversation, event.message());
                    } else {
                        messages.drains(conversation);
                    }
                });
    }

    private boolean answers(UnreadableFrame frame) {
        var conversation = find(frame.worker());
        return conversation != null
                && conversation.isStillGood()
                && messages.answers(conversation, frame);
    }

    /// Has the message of a worker looked at whose token is good still.
    private void whileGood(MessageEvent event, Consumer<SocketConversation> step) {
        var conversation = find(event.worker());
        if (conversation == null) {
            return;
        }
        if (conversation.isStillGood()) {
            step.accept(conversation);
        } else {
            conversation.disconnect(CloseCode.AUTHENTICATION_FAILED, "Authentication failed");
        }
    }

    private void accepted(AcceptedRequest request) {
        var conversation = conversations.get(request.workerId());
        if (conversation != null && conversation.session().equals(request.sessionId())) {
            conversation.accepted(new LeaseToken(request.requestId()));
        }
    }

    /// A task did not get to its worker, whose connection goes on.
    private void orphaned(OrphanedRequest request) {
        var conversation =
                request.workerId() == null ? null : conversations.get(request.workerId());
        if (conversation != null && request.reason() == OrphanedRequest.Reason.NOT_SENT) {
            conversation.refused(
                    new LeaseToken(request.requestId()), LeaseEnd.Returned.NOT_RECEIVED);
        }
    }

    /// Closes all connections and takes no more. To be called before the conversation of all wires and the server end.
    /// How many messages that are not small are worked on.
    int largeMessages() {
        return hub.largeMessageCount();
    }

    @Override
    public void close() {
        var _ = hub.stop(STOP_LIMIT);
    }
}
