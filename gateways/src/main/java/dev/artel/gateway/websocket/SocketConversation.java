package dev.artel.gateway.websocket;

import dev.artel.gateway.shell.PushChannel;
import dev.artel.gateway.shell.SessionMailbox;
import dev.artel.gateway.shell.WaitingPoll;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.CancelTask;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Renew;
import dev.artel.protocol.RenewAnswer;
import dev.artel.protocol.SocketMessage;
import dev.artel.protocol.TaskAssignment;
import dev.artel.session.PushTerms;
import dev.artel.session.SessionReply;
import dev.artel.worker.server.hub.CloseCode;
import dev.artel.worker.server.hub.DispatchRequest;
import dev.artel.worker.server.hub.PooledWorker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One session of a worker: the channel over which it is sent tasks. What is sent leaves in order, and on a thread of its own,
/// as parameters may have to be read. Safe for use by many threads.
final class SocketConversation implements PushChannel {
    private static final Logger LOG = LoggerFactory.getLogger(SocketConversation.class);
    private static final String WIRE = "websocket";

    private final SocketWiring wiring;
    private final WorkerId worker;
    private final String session;
    private final UpgradedConnection connection;
    private final SessionMailbox<Runnable> outbox;

    /// The number of its channel, from when that is open.
    private final CompletableFuture<Long> number = new CompletableFuture<>();

    private final Set<WaitingPoll> polls = ConcurrentHashMap.newKeySet();

    private volatile SocketRegistration registration;

    /// Whether the worker gets nothing until it shows that it takes more.
    private volatile boolean isPaused;

    private volatile boolean isEnded;

    SocketConversation(
            SocketWiring wiring,
            PooledWorker pooled,
            UpgradedConnection connection,
            SocketRegistration registration) {
        this.wiring = wiring;
        this.worker = new WorkerId(pooled.id());
        this.session = pooled.sessionId();
        this.connection = connection;
        this.registration = registration;
        // Bounded by what the worker may have in work.
        this.outbox = new SessionMailbox<>(this::perform, wiring::execute, Integer.MAX_VALUE);
        this.outbox.open();
    }

    private void perform(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException bug) {
            LOG.atError()
                    .addKeyValue("worker", worker)
                    .setCause(bug)
                    .log("a message for a worker on a WebSocket failed");
        }
    }

    WorkerId worker() {
        return worker;
    }

    String session() {
        return session;
    }

    /// For whose calls and results there is room.
    CallRoom.Peer peer() {
        return new CallRoom.Peer(connection.holder(), worker);
    }

    boolean isEnded() {
        return isEnded;
    }

    /// How large parameters may be that come in messages.
    int inline() {
        var wanted = registration.inline();
        return wanted < 0
                ? SocketGatewayConfig.MAX_INLINE_BYTES
                : Math.min(wanted, SocketGatewayConfig.MAX_INLINE_BYTES);
    }

    /// Whether the token under which the worker registered is good at this moment.
    boolean isStillGood() {
        return wiring.admission().isGood(connection.token(), worker);
    }

    /// Registers the worker with the conversation of all wires, and opens its channel.
    void begin() throws InterruptedException {
        if (registration.delivery() == SocketRegistration.Delivery.POLL) {
            open(() -> wiring.shell().opened(this, worker));
            return;
        }
        if (register()) {
            var terms = new PushTerms(WIRE, wiring.acceptWithin(), registration.instance());
            if (open(() -> wiring.shell().opened(this, worker, terms))) {
                resume();
            }
        }
    }

    /// One that has ended meanwhile opens no channel: it would take the place of that of the worker's next session.
    private synchronized boolean open(LongSupplier opening) {
        if (isEnded) {
            return false;
        }
        number.complete(opening.getAsLong());
        return true;
    }

    /// The worker has registered again on its connection.
    void update(SocketRegistration changed) throws InterruptedException {
        registration = changed;
        if (changed.delivery() == SocketRegistration.Delivery.PUSH) {
            var _ = register();
            resume();
        }
    }

    /// Whether the worker is registered; otherwise its connection is being closed.
    private boolean register() throws InterruptedException {
        switch (wiring.shell().receive(worker, registration.register())) {
            case SessionReply.TryLater(var _, var detail) -> {
                LOG.atWarn()
                        .addKeyValue("worker", worker)
                        .addKeyValue("reason", detail)
                        .log("a worker on a WebSocket is not registered");
                disconnect(CloseCode.TRY_AGAIN_LATER, "Try again later");
                return false;
            }
            case SessionReply.Message _,
                    SessionReply.Refreshed _,
                    SessionReply.Tasks _,
                    SessionReply.NoTask _,
                    SessionReply.Results _,
                    SessionReply.Done _,
                    SessionReply.Workers _,
                    SessionReply.UnknownWorker _,
                    SessionReply.TooMany _ -> {
                return true;
            }
        }
    }

    /// Confirms the tasks that the worker has in work from before, and sends it which of them are still its own.
    private void resume() throws InterruptedException {
        var running = registration.running();
        if (running.isEmpty()) {
            return;
        }
        var reply = wiring.shell().receive(worker, new Renew(worker.value(), running, List.of()));
        if (reply instanceof SessionReply.Message(RenewAnswer answer)) {
            answer.renewed().forEach(this::track);
            send(JsonObject.of("type", new JsonString("leases")).merge(answer.toJson()));
        }
    }

    /// The session is over. Its end means nothing to tasks that another one has taken over.
    synchronized void end() {
        if (isEnded) {
            return;
        }
        isEnded = true;
        onChannel(wiring.shell()::closed);
        polls.forEach(this::abandon);
    }

    /// Follows a poll to its end: one that waits is given up with the session.
    void waits(WaitingPoll poll) {
        polls.add(poll);
        if (isEnded) {
            abandon(poll);
        }
    }

    /// A poll has its answer.
    ///
    /// @return whether that may be sent
    boolean isAnswered(WaitingPoll poll) {
        return polls.remove(poll);
    }

    private void abandon(WaitingPoll poll) {
        if (polls.remove(poll)) {
            wiring.shell().abandon(poll);
        }
    }

    @Override
    public String wire() {
        return WIRE;
    }

    @Override
    public void push(List<HandOut> tasks, Duration lease) {
        var pushed = System.nanoTime();
        tasks.forEach(task -> outbox.send(() -> dispatch(task, lease, pushed)));
    }

    private void dispatch(HandOut task, Duration lease, long pushed) {
        var token = task.lease().token();
        if (!isStillGood()) {
            refused(token, LeaseEnd.Returned.NOT_RECEIVED);
            disconnect(CloseCode.AUTHENTICATION_FAILED, "Authentication failed");
            return;
        }
        try {
            var isSent =
                    wiring.assignments()
                            .write(task, lease, inline(), pushed, its -> dispatch(task, its));
            if (isSent.isEmpty()) {
                noRoom(token);
                return;
            }
            if (isSent.get()) {
                return;
            }
        } catch (RuntimeException failed) {
            LOG.atError()
                    .addKeyValue("worker", worker)
                    .addKeyValue("hand-out", token.handOut())
                    .setCause(failed)
                    .log("a task could not be sent to its worker and is returned to the queue");
        }
        refused(token, LeaseEnd.Returned.NOT_RECEIVED);
    }

    private boolean dispatch(HandOut task, TaskAssignment assignment) {
        var message =
                JsonObject.builder()
                        .put("type", "work_request")
                        .put("requestId", task.lease().token().value())
                        .put("model", task.spec().type())
                        .put("task", assignment.toJson())
                        .build();
        return wiring.hub().dispatchTo(worker.value(), session, DispatchRequest.of(message));
    }

    /// A task waits for room in memory again, and others go to the worker.
    private void noRoom(LeaseToken token) {
        onChannel(channel -> {
            wiring.shell().refused(channel, List.of(token), LeaseEnd.Returned.NO_ROOM);
            if (!isPaused) {
                wiring.shell().resumed(channel);
            }
        });
    }

    /// The worker does not have a task that was meant for it.
    void refused(LeaseToken token, LeaseEnd.Returned reason) {
        isPaused = true;
        onChannel(channel -> wiring.shell().refused(channel, List.of(token), reason));
    }

    /// Does `step` with the number of the channel, when that is open.
    private void onChannel(LongConsumer step) {
        var _ = number.thenAccept(step::accept);
    }

    /// The worker shows that it has room.
    void takesMore() {
        if (isPaused) {
            isPaused = false;
            onChannel(wiring.shell()::resumed);
        }
    }

    /// The worker has a task that it was sent.
    void accepted(LeaseToken token) {
        onChannel(channel -> wiring.shell().accepted(channel, List.of(token)));
    }

    /// The worker sends something about a task, and waits for no answer.
    void receive(SocketMessage message) {
        onChannel(channel -> wiring.shell().receive(channel, message));
    }

    /// A task that its worker is to give up occupies no place of its connection any more: what the worker may have at once is
    /// decided by the engine.
    @Override
    public void push(CancelTask cancel) {
        outbox.send(() -> {
            release(cancel.taskId());
            cancel(cancel.taskId());
        });
    }

    /// A task of this session occupies no place any more; one of another session is left alone.
    ///
    /// @return whether it did
    boolean release(String token) {
        return wiring.hub().releaseRequest(session, token);
    }

    /// The same for a task that the worker has reported.
    void complete(String token) {
        var _ = wiring.hub().completeRequest(session, token);
    }

    /// A task of the worker occupies a place again.
    void track(String token) {
        var _ = wiring.hub().trackRequest(worker.value(), token);
    }

    private void cancel(String token) {
        var message = JsonObject.builder().put("type", "work_cancel").put("requestId", token);
        var lease = new LeaseToken(token);
        lease.address().ifPresent(address -> message.put("jobId", address.job().value()));
        send(message.build());
    }

    /// A heartbeat of the worker, as the conversation of all wires understands it.
    ///
    /// @param heartbeat what it reports about itself
    void heard(Heartbeat heartbeat) {
        takesMore();
        var _ = wiring.shell().send(worker, heartbeat).thenAccept(this::answered);
    }

    private void answered(SessionReply reply) {
        switch (reply) {
            case SessionReply.Refreshed(var answer, var _, var _) ->
                    answer.cancelTasks().forEach(token -> outbox.send(() -> cancel(token)));
            case SessionReply.UnknownWorker _ -> {
                if (registration.delivery() == SocketRegistration.Delivery.PUSH) {
                    outbox.send(this::registerAnew);
                }
            }
            case SessionReply.Message _,
                    SessionReply.Tasks _,
                    SessionReply.NoTask _,
                    SessionReply.Results _,
                    SessionReply.Done _,
                    SessionReply.Workers _,
                    SessionReply.TooMany _,
                    SessionReply.TryLater _ -> {}
        }
    }

    private void registerAnew() {
        try {
            var _ = register();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Sends a message, if the session is not over.
    void send(JsonObject message) {
        var _ = wiring.hub().sendToSession(worker.value(), session, message);
    }

    /// Sends a message and reports what became of it, once.
    void send(JsonObject message, Runnable onSent, Runnable onFailed) {
        wiring.hub().sendToSession(worker.value(), session, message, onSent, onFailed);
    }

    /// Sends why a message was not taken.
    ///
    /// @param about the type of the message
    /// @param code for programs
    void refuse(JsonObject message, String about, String code, String error) {
        var json = JsonObject.builder().put("type", "error").put("about", about).put("code", code);
        message.string("requestId").ifPresent(id -> json.put("requestId", id));
        send(json.put("error", error).build());
    }

    void disconnect(int code, String reason) {
        var _ = wiring.hub().disconnect(worker.value(), session, code, reason);
    }

    @Override
    public void close(int code, String reason) {
        outbox.send(() -> disconnect(code, reason));
    }
}
