package dev.artel.worker.server.hub;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.ValueRoom;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Workers behind WebSockets: registers them, watches their heartbeats, selects one for each request and keeps track of
/// what each has in work. It has no server of its own; any WebSocket server feeds it through [#opened].
///
/// - Safe for use by many threads. No method waits for a peer, but for [#stop].
/// - Nothing is durable: what a hub knows ends with it.
/// - A request that is dispatched is in flight until it is settled by the handle, by an event of the worker that has it, by
///   [#releaseRequest] or [#completeRequest], or until it is reported as orphaned, exactly once. If its worker is lost
///   or does not confirm it, the hub dispatches it again, to another worker where there is one: a worker may execute a
///   request that another one had begun.
/// - Handlers run without the hub's lock and one by one for each connection: connected, messages, disconnected. They may
///   call the hub. What one throws is logged.
/// - A program that does not use [#start] calls [#tick] at least as often as [HubTimes#healthCheckInterval].
public final class WorkerHub implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerHub.class);
    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);
    private static final int MAX_VIOLATIONS = 3;
    private static final int MAX_WARNINGS = 10;
    private static final int MAX_UNREGISTERED_MESSAGES = 100;
    private static final int MAX_TIMESTAMP = 64;
    private static final int DEAD_AFTER_TIMEOUTS = 3;
    private static final long MAX_GRACE = Duration.ofDays(1).toMillis();

    /// The code of connections that broke without a handshake (RFC 6455, 7.1.5).
    private static final int ABNORMAL = 1006;

    /// How long something may wait for a peer without a break while too much waits for all peers.
    private static final Duration STALLED = Duration.ofSeconds(1);

    /// How long nobody looks again for peers for which something waits for that long.
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    /// How many workers are asked whether they have room for one request.
    private static final int MOST_FULL = 8;

    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
    private static final Duration MAX_TICK = Duration.ofSeconds(1);

    private final HubOptions options;
    private final HubTimes times;
    private final HubRuntime runtime;
    private final HubHandlers handlers = new HubHandlers();

    /// How many bytes all workers may declare: an eighth of the heap.
    private static final long MOST_DECLARED = Runtime.getRuntime().maxMemory() / 8;

    private final StrangerRoom strangers = new StrangerRoom();
    private final ValueRoom values;
    private final AtomicInteger largeMessages = new AtomicInteger();
    private final OutboundRoom sends;

    /// When there may be peers again for which something has waited for long.
    private Instant lookAgain = Instant.MIN;

    /// Whether a connection ends so that there is room for a request.
    private boolean isMakingRoom;

    private final PeerWarnings warnings = new PeerWarnings(LOG);
    private final PeerWarnings presence = PeerWarnings.ofPresence(LOG);
    private final Registrations registrations;
    private final EventQueue requestEvents;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition connectionClosed = lock.newCondition();

    // Guarded by the lock.
    private final HubTime time;
    private final WorkerPool pool;
    private final Set<HubConnection> connections = new LinkedHashSet<>();
    private final SequencedMap<String, TrackedRequest> waiting = new LinkedHashMap<>();
    private boolean accepting = true;
    private long pings;
    private @Nullable ScheduledExecutorService ticker;

    /// A hub on the machine's own clocks and threads.
    public WorkerHub(HubOptions options) {
        this(options, HubRuntime.system());
    }

    /// A hub on the clocks and threads of `runtime`.
    public WorkerHub(HubOptions options, HubRuntime runtime) {
        this(options, runtime, new ValueRoom());
    }

    /// @param values room for the messages of all peers
    WorkerHub(HubOptions options, HubRuntime runtime, ValueRoom values) {
        this.values = values;
        this.options = options;
        this.times = options.times();
        this.runtime = runtime;
        this.sends = new OutboundRoom(options.limits().maxQueuedBytesOfAll(), runtime.monotonic());
        this.registrations = new Registrations(this, options, runtime);
        this.requestEvents = new EventQueue(runtime.executor());
        this.time = new HubTime(runtime.monotonic(), times.healthCheckInterval());
        this.pool = new WorkerPool(options.modelMatch(), MOST_DECLARED);
    }

    // Life

    /// Begins to call [#tick], at least once a second, on a thread of its own.
    ///
    /// @throws IllegalStateException if the hub is already running
    public void start() {
        var interval = tickInterval();
        lock.lock();
        try {
            if (ticker != null) {
                throw new IllegalStateException("the worker hub is already running");
            }
            accepting = true;
            time.resume();
            ticker =
                    Executors.newSingleThreadScheduledExecutor(
                            Thread.ofPlatform().daemon().name("artel-hub-ticker").factory());
            var _ =
                    ticker.scheduleWithFixedDelay(
                            this::guardedTick,
                            interval.toNanos(),
                            interval.toNanos(),
                            TimeUnit.NANOSECONDS);
        } finally {
            lock.unlock();
        }
    }

    /// Stops within 5 seconds, as [#stop(Duration)] does.
    public List<OrphanedRequest> stop() {
        return stop(STOP_LIMIT);
    }

    /// Closes all connections with [CloseCode#GOING_AWAY] and forgets all workers and requests. Then waits for at most
    /// `limit` until the peers have closed as well, and ends the transports of those that have not. Every session ends
    /// with its disconnected event, every request in flight with its orphaned one. New connections are refused until
    /// [#start].
    ///
    /// @return the requests that were in flight
    public List<OrphanedRequest> stop(Duration limit) {
        var left =
                locked(after -> {
                    accepting = false;
                    if (ticker != null) {
                        ticker.shutdown();
                        ticker = null;
                    }
                    var inFlight =
                            pool.requests().stream()
                                    .map(request ->
                                            request.orphaned(OrphanedRequest.Reason.STOPPED))
                                    .toList();
                    for (var connection : List.copyOf(connections)) {
                        end(
                                connection,
                                new Ending(
                                        CloseCode.GOING_AWAY,
                                        "Server shutting down",
                                        WorkerDisconnected.Reason.STOPPED),
                                after);
                    }
                    for (var request : List.copyOf(pool.requests())) {
                        orphan(request, OrphanedRequest.Reason.STOPPED, after);
                    }
                    return inFlight;
                });
        if (!left.isEmpty()) {
            LOG.atWarn().addKeyValue("pending", left.size()).log("stopped with requests in flight");
        }
        awaitClosed(limit);
        locked(after -> {
            for (var connection : List.copyOf(connections)) {
                terminate(connection, after);
            }
            return true;
        });
        return left;
    }

    @Override
    public void close() {
        var _ = stop();
    }

    /// Takes a connection whose WebSocket handshake is done. The server reports all that comes over it to what is
    /// returned. If the hub is stopped or has too many connections, it closes this one.
    public ConnectionInput opened(WorkerConnection connection) {
        return locked(after -> {
            var opened = new HubConnection(this, connection, options, time.now());
            if (!accepting) {
                turnAway(opened, CloseCode.GOING_AWAY, "Server shutting down", after);
            } else if (connections.size() >= options.limits().maxConnections()) {
                warning()
                        .addKeyValue("remote", opened.remote())
                        .addKeyValue("connections", connections.size())
                        .log("connection refused: there are too many");
                turnAway(opened, CloseCode.TRY_AGAIN_LATER, "Try again later", after);
            } else {
                connections.add(opened);
            }
            return opened;
        });
    }

    /// Does what is due: finds workers without heartbeats, connections without registrations, requests that no worker confirmed
    /// or that are too old, drains and closing handshakes that take too long.
    public void tick() {
        locked(after -> {
            var now = time.now();
            for (var connection : List.copyOf(connections)) {
                checkConnection(connection, now, after);
            }
            for (var worker : List.copyOf(pool.workers())) {
                checkWorker(worker, now, after);
            }
            for (var request : List.copyOf(pool.requests())) {
                checkRequest(request, now, after);
            }
            placeWaiting(after);
            return true;
        });
    }

    // Handlers

    /// Runs `handler` for each session that begins; a worker that registers again on its connection goes on with its session.
    ///
    /// @return what removes the handler
    public Runnable onConnected(Consumer<PooledWorker> handler) {
        return HubHandlers.add(handlers.connected, handler);
    }

    /// Runs `handler` for each registration of a worker on the connection of the session that it has: what it declares may
    /// have changed.
    ///
    /// @return what removes the handler
    public Runnable onRegisteredAgain(Consumer<PooledWorker> handler) {
        return HubHandlers.add(handlers.registeredAgain, handler);
    }

    /// Runs `handler` for each session that ends.
    ///
    /// @return what removes the handler
    public Runnable onDisconnected(Consumer<WorkerDisconnected> handler) {
        return HubHandlers.add(handlers.disconnected, handler);
    }

    /// Runs `handler` for each message of `type` of a registered worker. Messages of the protocol itself
    /// (`worker_registration`, `heartbeat`, `worker_draining`) never reach it.
    ///
    /// @return what removes the handler
    public Runnable onMessage(String type, Consumer<MessageEvent> handler) {
        return handlers.addForType(type, handler);
    }

    /// Runs `handler` for each application message of a registered worker, behind the handlers of its type.
    ///
    /// @return what removes the handler
    public Runnable onAnyMessage(Consumer<MessageEvent> handler) {
        return HubHandlers.add(handlers.anyMessage, handler);
    }

    /// Runs `handler` for each application message of a connection without a registration: not yet, or no longer, since
    /// it was replaced or its worker is dead. Its sender is not verified, and it settles no request.
    ///
    /// @return what removes the handler
    public Runnable onUnregisteredMessage(Consumer<MessageEvent> handler) {
        return HubHandlers.add(handlers.unregistered, handler);
    }

    /// Runs `handler` for each heartbeat and each `worker_draining` of a registered worker, behind what the hub does about it.
    ///
    /// @return what removes the handler
    public Runnable onProtocolMessage(Consumer<MessageEvent> handler) {
        return HubHandlers.add(handlers.protocolMessage, handler);
    }

    /// Asks `handler` about each message of a registered worker that is no JSON, or too large. It must not wait. Every such message counts as a
    /// violation; one that is too large ends the connection unless a handler answers it.
    ///
    /// @param handler returns whether the worker gets an answer
    /// @return what removes the handler
    public Runnable onUnreadable(Predicate<UnreadableFrame> handler) {
        return handlers.addUnreadable(handler);
    }

    /// Runs `handler` for each request of which its worker has confirmed that it has it, before the message that did.
    ///
    /// @return what removes the handler
    public Runnable onAccepted(Consumer<AcceptedRequest> handler) {
        return HubHandlers.add(handlers.accepted, handler);
    }

    /// Runs `handler` for each request that is no longer in flight although no worker settled it.
    ///
    /// @return what removes the handler
    public Runnable onOrphaned(Consumer<OrphanedRequest> handler) {
        return HubHandlers.add(handlers.orphaned, handler);
    }

    // Requests

    /// Sends the message of `request` to the least loaded worker that takes it, and tracks it.
    ///
    /// @return empty if there is no such worker at this moment; nothing is kept then
    /// @throws RequestInFlight if a request of the same id is in flight
    /// @throws IllegalArgumentException if the message cannot be written
    public Optional<DispatchHandle> dispatch(DispatchRequest request) {
        var given = request.message().string("requestId");
        var id = given.orElseGet(() -> UUID.randomUUID().toString());
        var message =
                given.isPresent()
                        ? request.message()
                        : request.message().with("requestId", JsonValue.of(id));
        var encoded = encode(message);
        var tracked =
                locked(_ -> TrackedRequest.of(request, id, message, encoded, time.now(), times));
        var tried = new HashSet<String>();
        while (true) {
            var assignment =
                    lockedOrNull(after -> {
                        if (pool.request(id) != null) {
                            throw new RequestInFlight(id, shown(id));
                        }
                        return accepting && makeRoom(encoded.bytes(), after)
                                ? assign(tracked, tried, after)
                                : null;
                    });
            if (assignment == null) {
                return Optional.empty();
            }
            if (isOnItsWay(tracked, assignment)) {
                return Optional.of(new DispatchHandle(this, assignment.worker(), message, tracked));
            }
            LOG.atWarn()
                    .addKeyValue("worker", assignment.worker().id())
                    .addKeyValue("request", shown(id))
                    .log("request not sent; trying the next worker");
            tried.add(assignment.worker().sessionId());
        }
    }

    /// Sends the message of `request` to the session that the caller has selected, and tracks it: the model of the request is not
    /// looked at, its category and the limits of the worker are. What is lost or not confirmed is orphaned without its message, and not
    /// dispatched again.
    ///
    /// @return whether the request is in flight; false if the session has ended, drains, is unhealthy or has no room, or its
    ///     connection takes nothing more
    /// @throws RequestInFlight if a request of the same id is in flight
    /// @throws IllegalArgumentException if the message has no `requestId`, or cannot be written
    public boolean dispatchTo(String workerId, String sessionId, DispatchRequest request) {
        var id =
                request.message()
                        .string("requestId")
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "a request for session %s of worker %s needs a \"requestId\""
                                                .formatted(sessionId, workerId)));
        var encoded = encode(request.message());
        var tracked = locked(_ -> TrackedRequest.once(request, id, time.now(), times));
        var assignment =
                lockedOrNull(after -> {
                    if (pool.request(id) != null) {
                        throw new RequestInFlight(id, shown(id));
                    }
                    var isRoom = accepting && makeRoom(encoded.bytes(), after);
                    var worker = session(workerId, sessionId);
                    return !isRoom
                                    || worker == null
                                    || !worker.isCandidate()
                                    || !worker.hasRoomFor(request.category())
                            ? null
                            : give(tracked, encoded, worker, after);
                });
        return assignment != null && isOnItsWay(tracked, assignment);
    }

    /// Sends `message` to a worker, without tracking anything.
    ///
    /// @return whether it was handed to the worker's connection, which proves nothing about its arrival; false if there is no such worker or its
    ///     connection is closing
    /// @throws IllegalArgumentException if the message cannot be written
    public boolean send(String workerId, JsonObject message) {
        var encoded = encode(message);
        return sendTo(() -> pool.worker(workerId), encoded);
    }

    /// Sends `message` to a worker if it still has the session `sessionId`.
    ///
    /// @return as [#send] does
    /// @throws IllegalArgumentException if the message cannot be written
    public boolean sendToSession(String workerId, String sessionId, JsonObject message) {
        var encoded = encode(message);
        return sendTo(() -> session(workerId, sessionId), encoded);
    }

    /// Sends `message` to a worker if it still has the session `sessionId`, and reports what became of that: exactly one of
    /// `onSent`, when the message is handed to the network, and `onFailed` runs, on any thread, perhaps before this returns.
    /// Neither may wait.
    ///
    /// @throws IllegalArgumentException if the message cannot be written
    public void sendToSession(
            String workerId,
            String sessionId,
            JsonObject message,
            Runnable onSent,
            Runnable onFailed) {
        var encoded = encode(message);
        var isOffered =
                locked(after -> {
                    var worker = session(workerId, sessionId);
                    if (worker == null || !worker.connection.transport.isOpen()) {
                        return false;
                    }
                    var outgoing =
                            new Outgoing(
                                    new Outgoing.Frame.Text(
                                            Objects.requireNonNull(encoded.text()),
                                            encoded.bytes()),
                                    onSent,
                                    onFailed);
                    var _ = outgoing.unwatch();
                    return offered(worker.connection, outgoing, after);
                });
        if (!isOffered) {
            onFailed.run();
        }
    }

    /// Sends `message` to all workers, whatever their status.
    ///
    /// @return to how many connections it was handed
    /// @throws IllegalArgumentException if the message cannot be written
    public int broadcast(JsonObject message) {
        var encoded = encode(message);
        var sent = 0;
        for (var worker : workers()) {
            if (sendTo(() -> session(worker.id(), worker.sessionId()), encoded)) {
                sent++;
            }
        }
        return sent;
    }

    /// Counts `requestId`, which the caller sends itself, among the requests of a worker.
    ///
    /// @return false if there is no such worker, it has no room or drains, or a request of this id is in flight
    public boolean trackRequest(String workerId, String requestId) {
        return track(workerId, requestId, null);
    }

    /// Counts `requestId`, which the caller sends itself, among the requests of a worker and those of `category`.
    ///
    /// @return false if there is no such worker, it has no room or drains, or a request of this id is in flight
    public boolean trackRequest(String workerId, String requestId, String category) {
        return track(workerId, requestId, category);
    }

    /// Ends a request without counting it as completed.
    ///
    /// @return false if it is not in flight
    public boolean releaseRequest(String requestId) {
        return settle(requestId, false);
    }

    /// The same if the session `sessionId` has the request.
    ///
    /// @return false if it does not
    public boolean releaseRequest(String sessionId, String requestId) {
        return settleFrom(sessionId, requestId, false);
    }

    /// Ends a request and counts it as completed by its worker.
    ///
    /// @return false if it is not in flight
    public boolean completeRequest(String requestId) {
        return settle(requestId, true);
    }

    /// The same if the session `sessionId` has the request.
    ///
    /// @return false if it does not
    public boolean completeRequest(String sessionId, String requestId) {
        return settleFrom(sessionId, requestId, true);
    }

    // Workers

    /// All workers, in the order in which they registered.
    public List<PooledWorker> workers() {
        return locked(_ -> pool.snapshots().toList());
    }

    /// The worker `workerId`; empty if it is not registered.
    public Optional<PooledWorker> worker(String workerId) {
        return locked(_ -> Optional.ofNullable(pool.worker(workerId)).map(PoolEntry::snapshot));
    }

    /// The connection of a worker that still has the session `sessionId`, the object that the WebSocket server gave to the hub.
    public Optional<WorkerConnection> connection(String workerId, String sessionId) {
        return locked(_ ->
                Optional.ofNullable(session(workerId, sessionId))
                        .map(worker -> worker.connection.transport));
    }

    /// How many workers are registered.
    public int workerCount() {
        return locked(_ -> pool.workers().size());
    }

    /// How many workers take requests.
    public int availableWorkerCount() {
        return locked(_ -> (int) pool.workers().stream().filter(PoolEntry::isCandidate).count());
    }

    /// How many connections there are, registered or not.
    public int connectionCount() {
        return locked(_ -> connections.size());
    }

    /// How many messages that are not small have room in memory: not all that follows from them is done.
    public int largeMessageCount() {
        return largeMessages.get();
    }

    /// How many requests wait to be dispatched again.
    public int waitingRequestCount() {
        return locked(_ -> waiting.size());
    }

    /// The worker that would get a request for `model`.
    public Optional<PooledWorker> availableWorker(String model) {
        return availableWorkers(model, null).stream().findFirst();
    }

    /// The worker that would get a request of `category` for `model`.
    public Optional<PooledWorker> availableWorker(String model, String category) {
        return availableWorkers(model, category).stream().findFirst();
    }

    /// The workers that take a request for `model`, in the order in which they are asked: the least loaded first, the smallest id
    /// among equals.
    ///
    /// @param category null for none
    public List<PooledWorker> availableWorkers(String model, @Nullable String category) {
        return locked(
                _ -> pool.candidates(model, category).stream().map(PoolEntry::snapshot).toList());
    }

    /// The first registered worker that is healthy and does not drain, be it busy.
    public Optional<PooledWorker> anyAvailableWorker() {
        return locked(_ ->
                pool.workers().stream()
                        .filter(worker -> !worker.unhealthy && worker.drainBy == null)
                        .findFirst()
                        .map(PoolEntry::snapshot));
    }

    /// How many more requests for `model` all workers together take.
    public int availableSlots(String model) {
        return locked(_ -> pool.slots(model, null));
    }

    /// How many more requests of `category` for `model` all workers together take.
    public int availableSlots(String model, String category) {
        return locked(_ -> pool.slots(model, category));
    }

    /// Has a worker finish what it has and take nothing more: it receives `drain_request`, and with its last request, or
    /// after [HubTimes#drainGrace], its connection is closed with [CloseCode#DRAINED].
    ///
    /// @param reason for people
    /// @return false if there is no such worker
    public boolean drain(String workerId, String reason) {
        return locked(after -> {
            var worker = pool.worker(workerId);
            if (worker == null) {
                return false;
            }
            var grace = times.drainGrace();
            beginDrain(worker, grace, reason);
            offer(
                    worker.connection,
                    JsonObject.builder()
                            .put("type", "drain_request")
                            .put("workerId", workerId)
                            .put("reason", reason)
                            .put("pending", JsonArray.ofStrings(worker.pending.keySet()))
                            .put("deadline", timestamp(runtime.clock().instant().plus(grace)))
                            .build(),
                    after);
            closeIfDrained(worker, after);
            return true;
        });
    }

    /// Ends a session and closes its connection behind what waits to be sent.
    ///
    /// @return false if the worker does not have this session any more
    public boolean disconnect(String workerId, String sessionId, int closeCode, String reason) {
        return locked(after -> {
            var worker = session(workerId, sessionId);
            if (worker == null) {
                return false;
            }
            end(
                    worker.connection,
                    new Ending(closeCode, reason, WorkerDisconnected.Reason.DISCONNECTED),
                    after);
            return true;
        });
    }

    // What connections report

    Registrations registrations() {
        return registrations;
    }

    /// What waits to be sent to all peers.
    OutboundRoom sends() {
        return sends;
    }

    Executor executor() {
        return runtime.executor();
    }

    /// Whether a message of so many bytes is looked at.
    boolean mayReceive(HubConnection connection) {
        return locked(after -> {
            if (connection.closed || connection.expelled) {
                return false;
            }
            if (!connection.rate.take(time.now())) {
                expel(
                        connection,
                        new Ending(
                                CloseCode.POLICY,
                                "Too many messages",
                                WorkerDisconnected.Reason.PROTOCOL_ERROR),
                        after);
                return false;
            }
            return true;
        });
    }

    MessageRoom room(HubConnection connection, byte[] text) {
        return MessageRoom.take(
                values,
                connection.transport.owner(),
                text,
                connection.events.isBusy(),
                largeMessages);
    }

    StrangerRoom strangers() {
        return strangers;
    }

    /// Whether a handler answers a message that cannot be read.
    boolean isAnswered(
            HubConnection connection, Supplier<String> text, boolean isTooLarge, String problem) {
        if (!handlers.takeUnreadable()) {
            return false;
        }
        var sender =
                lockedOrNull(_ -> {
                    var worker = connection.worker;
                    return worker == null || connection.closed || connection.expelled
                            ? null
                            : worker.snapshot();
                });
        return sender != null
                && handlers.answer(new UnreadableFrame(sender, text.get(), isTooLarge, problem));
    }

    /// Begins a line of the log about what a peer does wrong, or loses.
    private LoggingEventBuilder present() {
        return presence.next(runtime.monotonic().instant());
    }

    LoggingEventBuilder warning() {
        return warnings.next(runtime.monotonic().instant());
    }

    /// Drops a frame that is no message, and closes with the third.
    void violation(HubConnection connection, String problem) {
        locked(after -> {
            warning()
                    .addKeyValue("remote", connection.remote())
                    .addKeyValue("worker", nameOf(connection))
                    .addKeyValue("problem", problem)
                    .log("message dropped");
            connection.violations++;
            if (connection.violations >= MAX_VIOLATIONS) {
                expel(connection, protocolError(), after);
            }
            return true;
        });
    }

    /// Closes a connection of which nothing more is looked at.
    void expel(
            HubConnection connection,
            int code,
            String reason,
            WorkerDisconnected.Reason disconnected) {
        locked(after -> {
            expel(connection, new Ending(code, reason, disconnected), after);
            return true;
        });
    }

    /// Sends a refused acknowledgement and closes.
    void refuse(HubConnection connection, JsonObject answer, AdmissionVerdict.Refused refused) {
        locked(after -> {
            offer(connection, answer, after);
            expel(
                    connection,
                    new Ending(
                            refused.closeCode(),
                            refused.closeReason(),
                            WorkerDisconnected.Reason.REFUSED),
                    after);
            return true;
        });
    }

    /// Puts a worker into the pool, or updates the one that has the connection.
    ///
    /// @param room of the registration
    void admit(
            HubConnection connection, RegistrationForm form, JsonObject members, MessageRoom room) {
        var refused =
                lockedOrNull(after -> {
                    if (connection.closed || connection.expelled || !connection.outbound.isOpen()) {
                        return null;
                    }
                    var own =
                            connection.worker == null
                                    ? connection.formerWorker
                                    : connection.worker.id;
                    if (own != null && !own.equals(form.workerId())) {
                        return Registrations.secondId(own);
                    }
                    var present = pool.worker(form.workerId());
                    if (!pool.hasRoom(form.capabilities(), present)) {
                        return registrations.noRoom();
                    }
                    if (present != null && present.connection == connection) {
                        pool.update(present, form.workerName(), form.capabilities());
                        acknowledge(present, members, after);
                        report(
                                connection,
                                present.snapshot(),
                                handlers::registeredAgain,
                                room,
                                after);
                        placeWaiting(after);
                        return null;
                    }
                    if (present != null && options.duplicates() == HubOptions.Duplicates.REFUSE) {
                        return registrations.duplicate(form.workerId());
                    }
                    if (present != null) {
                        end(
                                present.connection,
                                new Ending(
                                        CloseCode.REPLACED_OR_DEAD,
                                        "Replaced by new connection",
                                        WorkerDisconnected.Reason.REPLACED),
                                after);
                    }
                    insert(connection, form, members, room, after);
                    return null;
                });
        if (refused != null) {
            registrations.refuse(connection, form.workerId(), refused);
        }
    }

    /// Counts only for the worker that is registered on the connection.
    ///
    /// @param room of the message
    void heartbeat(HubConnection connection, JsonObject message, MessageRoom room) {
        locked(after -> {
            var worker = connection.worker;
            var named = message.string("workerId").orElse("");
            if (worker == null || !worker.id.equals(named)) {
                warning()
                        .addKeyValue("worker", named)
                        .addKeyValue("remote", connection.remote())
                        .addKeyValue("registered", nameOf(connection))
                        .log("heartbeat for a worker that is not registered on its connection");
                expel(connection, protocolError(), after);
                return false;
            }
            pool.heard(worker, moment());
            var answer = JsonObject.builder().put("type", "heartbeat_ack");
            message.string("timestamp")
                    .filter(timestamp -> timestamp.length() <= MAX_TIMESTAMP)
                    .ifPresent(timestamp -> answer.put("timestamp", timestamp));
            answer.put(
                    "nextHeartbeatDeadline",
                    timestamp(runtime.clock().instant().plus(times.heartbeatTimeout())));
            offer(connection, answer.build(), after);
            protocolMessage(worker, "heartbeat", message, room, after);
            placeWaiting(after);
            return true;
        });
    }

    /// A worker takes nothing more.
    ///
    /// @param room as in [#heartbeat]
    void workerDraining(HubConnection connection, JsonObject message, MessageRoom room) {
        var draining = lockedOrNull(after -> beginDrain(connection, message, after));
        if (draining == null) {
            return;
        }
        // Without the lock: the ids may be many.
        var answer =
                encode(
                        JsonObject.builder()
                                .put("type", "worker_draining_ack")
                                .put("pending", JsonArray.ofStrings(draining.pending()))
                                .put(
                                        "deadline",
                                        timestamp(runtime.clock().instant().plus(draining.grace())))
                                .build());
        locked(after -> {
            var worker = draining.worker();
            if (connection.worker == worker) {
                offer(connection, answer, after);
                protocolMessage(worker, "worker_draining", message, room, after);
                closeIfDrained(worker, after);
            }
            return true;
        });
    }

    /// A worker that takes nothing more, and what it has.
    private record Draining(PoolEntry worker, Duration grace, PendingIds pending) {}

    private @Nullable Draining beginDrain(
            HubConnection connection, JsonObject message, AfterLock after) {
        var worker = connection.worker;
        var named = message.string("workerId").orElse("");
        if (worker == null || !worker.id.equals(named)) {
            warning()
                    .addKeyValue("worker", named)
                    .addKeyValue("remote", connection.remote())
                    .log("drain of a worker that is not registered on its connection");
            expel(connection, protocolError(), after);
            return null;
        }
        var grace =
                message.number("graceMs")
                        .filter(number -> number.isLong() && number.asLong() >= 0)
                        .map(number -> Duration.ofMillis(Math.min(number.asLong(), MAX_GRACE)))
                        .orElse(times.drainGrace());
        beginDrain(worker, grace, message.string("reason").orElse(""));
        return new Draining(worker, grace, worker.pendingIds);
    }

    private void protocolMessage(
            PoolEntry worker, String type, JsonObject message, MessageRoom room, AfterLock after) {
        if (!handlers.protocolMessage.isEmpty()) {
            var event =
                    new ConnectionEvent(
                            this, worker.connection, worker.snapshot(), type, message, room);
            var hold = room.hold();
            after.event(
                    worker.connection.events,
                    () -> {
                        try (hold) {
                            handlers.protocolMessage(event);
                        }
                    },
                    room.weight());
        }
    }

    /// The event of an application message, with the worker as it is now; null if the peer sends too many.
    @Nullable ConnectionEvent applicationMessage(
            HubConnection connection, String type, JsonObject message, MessageRoom room) {
        return lockedOrNull(after -> {
            var worker = connection.worker;
            if (worker == null) {
                connection.unregisteredMessages++;
                if (connection.unregisteredMessages > MAX_UNREGISTERED_MESSAGES) {
                    expel(
                            connection,
                            new Ending(
                                    CloseCode.POLICY,
                                    "Too many messages before a registration",
                                    WorkerDisconnected.Reason.PROTOCOL_ERROR),
                            after);
                    return null;
                }
                var id = connection.formerWorker;
                return new ConnectionEvent(
                        this,
                        connection,
                        PooledWorker.unregistered(id == null ? PooledWorker.UNKNOWN : id),
                        type,
                        message,
                        room);
            }
            var request = worker.pending.get(message.string("requestId").orElse(""));
            if (request != null) {
                accepted(request, worker, after);
            }
            return new ConnectionEvent(this, connection, worker.snapshot(), type, message, room);
        });
    }

    /// Runs the handlers of an application message.
    void deliver(ConnectionEvent event) {
        if (event.worker().isRegistered()) {
            if (handlers.take(event.type())) {
                handlers.message(event);
            } else if (!event.type().equals("work_accepted")) {
                warnUnhandled(event);
            }
            return;
        }
        if (handlers.unregistered.isEmpty()) {
            warnUnhandled(event);
        } else {
            handlers.unregisteredMessage(event);
        }
    }

    /// The connection has received all that was sent before ping `number`.
    void pong(HubConnection connection, long number) {
        locked(after -> {
            var worker = connection.worker;
            if (worker != null) {
                for (var request : List.copyOf(worker.pinged.headMap(number, true).values())) {
                    accepted(request, worker, after);
                }
            }
            return true;
        });
    }

    /// The transport could not send: it is broken, or it is closing by itself, as after a frame that is none. It has the time of a closing handshake, so that the code
    /// with which it closes can leave.
    void sendFailed(HubConnection connection, Throwable cause) {
        locked(after -> {
            LOG.atDebug()
                    .addKeyValue("remote", connection.remote())
                    .addKeyValue("problem", String.valueOf(cause.getMessage()))
                    .log("sending failed");
            lose(
                    connection,
                    new Ending(ABNORMAL, "Sending failed", WorkerDisconnected.Reason.SEND_FAILED),
                    after);
            connection.expelled = true;
            connection.events.end();
            after.call(connection.outbound::abandon);
            if (connection.terminateBy == null) {
                connection.terminateBy = time.now().plus(times.closeGrace());
            }
            placeWaiting(after);
            return true;
        });
    }

    /// The connection is closed.
    void closed(HubConnection connection, int code, String reason) {
        locked(after -> {
            if (!connection.closed) {
                LOG.atDebug()
                        .addKeyValue("remote", connection.remote())
                        .addKeyValue("worker", nameOf(connection))
                        .addKeyValue("code", code)
                        .addKeyValue("reason", reason)
                        .log("connection closed");
                lose(connection, new Ending(code, reason, WorkerDisconnected.Reason.CLOSED), after);
                forget(connection, after);
                placeWaiting(after);
            }
            return true;
        });
    }

    /// Settles a request for its owner.
    boolean settle(TrackedRequest request, boolean completed) {
        return locked(after -> pool.isInFlight(request) && release(request, completed, after));
    }

    /// Settles a request if the session of `sessionId` has it.
    boolean settleFrom(String sessionId, String requestId, boolean completed) {
        return locked(after -> {
            var request = pool.request(requestId);
            return request != null
                    && request.owner != null
                    && request.owner.sessionId.equals(sessionId)
                    && release(request, completed, after);
        });
    }

    // Under the lock

    /// How a connection ends, and what the event of its worker reports of it.
    private record Ending(int code, String text, WorkerDisconnected.Reason reason) {}

    /// A request on its way to a worker.
    private record Assignment(Outgoing outgoing, PooledWorker worker) {}

    private static Ending protocolError() {
        return new Ending(
                CloseCode.PROTOCOL_ERROR,
                "Protocol error",
                WorkerDisconnected.Reason.PROTOCOL_ERROR);
    }

    private void checkConnection(HubConnection connection, Instant now, AfterLock after) {
        if (connection.terminateBy != null) {
            if (now.isAfter(connection.terminateBy)) {
                terminate(connection, after);
            }
        } else if (connection.worker == null && now.isAfter(connection.registerBy)) {
            expel(
                    connection,
                    new Ending(
                            CloseCode.REGISTRATION_TIMEOUT,
                            "Registration timeout",
                            WorkerDisconnected.Reason.PROTOCOL_ERROR),
                    after);
        }
    }

    private void checkWorker(PoolEntry worker, Instant now, AfterLock after) {
        if (worker.connection.worker != worker) {
            return;
        }
        var age = Duration.between(worker.heardAt, now);
        if (age.compareTo(times.heartbeatTimeout().multipliedBy(DEAD_AFTER_TIMEOUTS)) > 0) {
            LOG.atWarn()
                    .addKeyValue("worker", worker.id)
                    .addKeyValue("silence", age)
                    .log("worker is dead");
            end(
                    worker.connection,
                    new Ending(
                            CloseCode.REPLACED_OR_DEAD,
                            "Heartbeat timeout",
                            WorkerDisconnected.Reason.HEARTBEAT_TIMEOUT),
                    after);
        } else if (worker.drainBy != null && now.isAfter(worker.drainBy)) {
            end(
                    worker.connection,
                    new Ending(
                            CloseCode.DRAINED,
                            "Drain deadline passed",
                            WorkerDisconnected.Reason.DRAIN_DEADLINE),
                    after);
        } else if (age.compareTo(times.heartbeatTimeout()) > 0 && !worker.unhealthy) {
            LOG.atWarn()
                    .addKeyValue("worker", worker.id)
                    .addKeyValue("silence", age)
                    .log("worker is unhealthy");
            pool.markUnhealthy(worker);
        }
    }

    private void checkRequest(TrackedRequest request, Instant now, AfterLock after) {
        if (!pool.isInFlight(request)) {
            return;
        }
        if (now.isAfter(request.deadline)) {
            var worker = request.owner;
            orphan(request, OrphanedRequest.Reason.DEADLINE, after);
            if (worker != null) {
                closeIfDrained(worker, after);
            }
        } else if (request.acceptBy != null && now.isAfter(request.acceptBy)) {
            notAccepted(request, after);
        }
    }

    private void accepted(TrackedRequest request, PoolEntry worker, AfterLock after) {
        if (request.acceptBy == null) {
            return;
        }
        request.acceptBy = null;
        worker.pinged.remove(request.ping);
        if (!handlers.accepted.isEmpty()) {
            var event = new AcceptedRequest(request.id, worker.id, worker.sessionId);
            after.event(worker.connection.events, () -> handlers.accepted(event));
        }
    }

    private void notAccepted(TrackedRequest request, AfterLock after) {
        var worker = request.owner;
        if (worker == null) {
            return;
        }
        LOG.atWarn()
                .addKeyValue("worker", worker.id)
                .addKeyValue("request", shown(request.id))
                .log("request not confirmed in time");
        request.excludedSessions.add(worker.sessionId);
        pool.unassign(request);
        pool.markUnhealthy(worker);
        again(request, OrphanedRequest.Reason.NOT_ACCEPTED, after);
        closeIfDrained(worker, after);
    }

    /// Reports a registration on the thread of the connection, which reads on when the handlers are done.
    ///
    /// @param room of the registration, which is held until then
    private static void report(
            HubConnection connection,
            PooledWorker registered,
            Consumer<PooledWorker> handlers,
            MessageRoom room,
            AfterLock after) {
        var hold = room.hold();
        after.call(() ->
                connection.events.deliver(
                        () -> {
                            try (hold) {
                                handlers.accept(registered);
                            }
                        },
                        registered.capabilities().weight()));
    }

    private void insert(
            HubConnection connection,
            RegistrationForm form,
            JsonObject members,
            MessageRoom room,
            AfterLock after) {
        var worker =
                new PoolEntry(
                        form.workerId(),
                        form.workerName(),
                        form.capabilities(),
                        UUID.randomUUID().toString(),
                        connection,
                        moment());
        pool.add(worker);
        connection.worker = worker;
        connection.becomesKnown();
        acknowledge(worker, members, after);
        present()
                .addKeyValue("worker", worker.id)
                .addKeyValue("name", worker.name)
                .addKeyValue("session", worker.sessionId)
                .addKeyValue("remote", connection.remote())
                .log("worker connected");
        report(connection, worker.snapshot(), handlers::connected, room, after);
        placeWaiting(after);
    }

    private void acknowledge(PoolEntry worker, JsonObject members, AfterLock after) {
        var own =
                JsonObject.builder()
                        .put("type", "worker_registration_ack")
                        .put("success", true)
                        .put("sessionId", worker.sessionId)
                        .put("heartbeatIntervalMs", times.heartbeatInterval().toMillis())
                        .build();
        offer(worker.connection, own.merge(members).merge(own), after);
    }

    private boolean sendTo(Supplier<@Nullable PoolEntry> receiver, TrackedRequest.Encoded encoded) {
        var outgoing =
                lockedOrNull(after -> {
                    var worker = receiver.get();
                    return worker == null ? null : offer(worker.connection, encoded, after);
                });
        return outgoing != null && outgoing.unwatch();
    }

    private @Nullable PoolEntry session(String workerId, String sessionId) {
        var worker = pool.worker(workerId);
        return worker != null && worker.sessionId.equals(sessionId) ? worker : null;
    }

    private boolean track(String workerId, String requestId, @Nullable String category) {
        return locked(_ -> {
            var worker = pool.worker(workerId);
            if (worker == null
                    || worker.drainBy != null
                    || worker.isFull()
                    || !worker.hasRoomFor(category)
                    || pool.request(requestId) != null) {
                return false;
            }
            var request =
                    TrackedRequest.sentByOwner(
                            requestId, category, time.now(), times.requestDeadline());
            request.attempts = 1;
            pool.assign(request, worker);
            return true;
        });
    }

    private boolean settle(String requestId, boolean completed) {
        return locked(after -> {
            var request = pool.request(requestId);
            return request != null && release(request, completed, after);
        });
    }

    private boolean release(TrackedRequest request, boolean completed, AfterLock after) {
        var worker = request.owner;
        waiting.remove(request.id);
        pool.drop(request);
        if (worker != null) {
            if (completed) {
                worker.completed++;
            }
            closeIfDrained(worker, after);
        }
        placeWaiting(after);
        return true;
    }

    /// Gives a request to the least loaded worker, but for sessions of `tried`. Whether there is room for all peers was asked before.
    private @Nullable Assignment assign(
            TrackedRequest request, Set<String> tried, AfterLock after) {
        for (var full = 0; full < MOST_FULL; ) {
            var worker = pool.candidate(request.model, request.category, tried);
            if (worker == null) {
                return null;
            }
            if (!worker.connection.outbound.hasRoom(request.encoded.bytes())) {
                full++;
            }
            var assignment = give(request, request.encoded, worker, after);
            if (assignment != null) {
                return assignment;
            }
            tried.add(worker.sessionId);
        }
        return null;
    }

    /// Sends a request to a worker and counts it among those of the worker; null if its connection takes nothing more.
    private @Nullable Assignment give(
            TrackedRequest request,
            TrackedRequest.Encoded encoded,
            PoolEntry worker,
            AfterLock after) {
        var outgoing =
                new Outgoing(
                        new Outgoing.Frame.Text(
                                Objects.requireNonNull(encoded.text()), encoded.bytes()),
                        () -> notSent(request, worker.sessionId));
        if (!worker.connection.outbound.hasRoom(encoded.bytes())
                || !offered(worker.connection, outgoing, after)) {
            return null;
        }
        pool.assign(request, worker);
        request.attempts++;
        request.acceptBy = time.now().plus(times.acceptTimeout());
        request.ping = 0;
        if (!worker.capabilities.acceptsWork()) {
            request.ping = ++pings;
            worker.pinged.put(request.ping, request);
            var _ =
                    worker.connection.outbound.offer(
                            Outgoing.of(new Outgoing.Frame.Ping(Long.toString(request.ping))));
        }
        return new Assignment(outgoing, worker.snapshot());
    }

    /// Whether a request is in flight, or its worker is lost, or another thread has given it to another one.
    private boolean isOnItsWay(TrackedRequest request, Assignment assignment) {
        var outgoing = assignment.outgoing();
        return outgoing.unwatch() || outgoing.isBroken() || !takenBack(request, assignment);
    }

    /// Whether a request that could not be sent is not in flight any more: another thread may have given it to another worker.
    private boolean takenBack(TrackedRequest request, Assignment assignment) {
        return locked(after -> {
            var worker = request.owner;
            if (worker == null || !worker.sessionId.equals(assignment.worker().sessionId())) {
                return false;
            }
            request.attempts--;
            pool.drop(request);
            closeIfDrained(worker, after);
            return true;
        });
    }

    /// A request could not be sent after [#dispatch] had returned. One whose writing broke is that of a worker that was lost.
    private void notSent(TrackedRequest request, String sessionId) {
        locked(after -> {
            var worker = request.owner;
            if (worker != null && worker.sessionId.equals(sessionId)) {
                request.excludedSessions.add(sessionId);
                pool.unassign(request);
                again(request, OrphanedRequest.Reason.NOT_SENT, after);
                closeIfDrained(worker, after);
                placeWaiting(after);
            }
            return true;
        });
    }

    /// Lets a request that has no worker wait for another one, or gives it up.
    private void again(TrackedRequest request, OrphanedRequest.Reason reason, AfterLock after) {
        if (!accepting) {
            orphan(request, OrphanedRequest.Reason.STOPPED, after);
        } else if (!request.mayBeDispatchedAgain()) {
            orphan(request, reason, after);
        } else if (waiting.size() >= options.limits().maxWaitingRequests()) {
            orphan(request, OrphanedRequest.Reason.TOO_MANY_WAITING, after);
        } else {
            waiting.put(request.id, request);
        }
    }

    private void orphan(TrackedRequest request, OrphanedRequest.Reason reason, AfterLock after) {
        waiting.remove(request.id);
        pool.drop(request);
        warning()
                .addKeyValue("request", shown(request.id))
                .addKeyValue("worker", request.lastWorker)
                .addKeyValue("attempts", request.attempts)
                .addKeyValue("reason", reason)
                .log("request orphaned");
        var orphaned = request.orphaned(reason);
        after.event(requestEvents, () -> handlers.orphaned(orphaned));
    }

    /// Dispatches what waits, oldest first, as far as there are workers: to one that did not have it where there is one.
    private void placeWaiting(AfterLock after) {
        if (waiting.isEmpty() || !pool.hasCandidates()) {
            return;
        }
        for (var request : List.copyOf(waiting.values())) {
            if (!pool.hasCandidates()) {
                return;
            }
            // Connections that end for it may have their requests placed, and this one with them.
            if (!makeRoom(request.encoded.bytes(), after) || !waiting.containsKey(request.id)) {
                continue;
            }
            var assignment = assign(request, new HashSet<>(request.excludedSessions), after);
            if (assignment == null && !request.excludedSessions.isEmpty()) {
                assignment = assign(request, new HashSet<>(), after);
            }
            if (assignment != null) {
                waiting.remove(request.id);
                var _ = assignment.outgoing().unwatch();
            }
        }
    }

    private void beginDrain(PoolEntry worker, Duration grace, String reason) {
        present()
                .addKeyValue("worker", worker.id)
                .addKeyValue("pending", worker.active())
                .addKeyValue("reason", reason)
                .log("worker drains");
        pool.drain(worker, time.now().plus(grace));
    }

    private void closeIfDrained(PoolEntry worker, AfterLock after) {
        if (worker.drainBy != null
                && worker.pending.isEmpty()
                && worker.connection.worker == worker) {
            end(
                    worker.connection,
                    new Ending(
                            CloseCode.DRAINED,
                            "Draining complete",
                            WorkerDisconnected.Reason.DRAINED),
                    after);
        }
    }

    /// Takes the worker of a connection out of the pool, and reports that.
    private void lose(HubConnection connection, Ending ending, AfterLock after) {
        var worker = connection.worker;
        if (worker == null) {
            return;
        }
        var last = worker.snapshot();
        var left = pool.remove(worker);
        connection.worker = null;
        connection.formerWorker = worker.id;
        (left.isEmpty() ? present() : warning())
                .addKeyValue("worker", worker.id)
                .addKeyValue("reason", ending.reason())
                .addKeyValue("code", ending.code())
                .addKeyValue("pending", left.size())
                .log("worker disconnected");
        var event = new WorkerDisconnected(last, ending.reason(), ending.code(), ending.text());
        after.event(connection.events, () -> handlers.disconnected(event));
        for (var request : left) {
            again(request, OrphanedRequest.Reason.WORKER_LOST, after);
        }
    }

    /// Closes a connection behind what waits to be sent. The pool is free of its worker first.
    private void end(HubConnection connection, Ending ending, AfterLock after) {
        connection.events.end();
        lose(connection, ending, after);
        if (connection.terminateBy == null) {
            connection.terminateBy = time.now().plus(times.closeGrace());
            connection.outbound.close(ending.code(), ending.text());
            after.flush(connection);
        }
        placeWaiting(after);
    }

    /// Closes a connection of which nothing more is looked at.
    private void expel(HubConnection connection, Ending ending, AfterLock after) {
        connection.expelled = true;
        if (!connection.closed) {
            end(connection, ending, after);
        }
    }

    private void turnAway(HubConnection connection, int code, String text, AfterLock after) {
        connection.expelled = true;
        connection.closed = true;
        connection.outbound.close(code, text);
        after.flush(connection);
    }

    /// Ends a transport without a handshake; the hub does not wait for it to report that.
    private void terminate(HubConnection connection, AfterLock after) {
        after.call(connection.transport::terminate);
        forget(connection, after);
    }

    private void forget(HubConnection connection, AfterLock after) {
        connection.closed = true;
        connection.events.end();
        connections.remove(connection);
        connectionClosed.signalAll();
        after.call(connection.outbound::abandon);
        after.call(connection.outbound::forgo);
    }

    private @Nullable Outgoing offer(
            HubConnection connection, JsonObject message, AfterLock after) {
        return offer(connection, encode(message), after);
    }

    private @Nullable Outgoing offer(
            HubConnection connection, TrackedRequest.Encoded encoded, AfterLock after) {
        var outgoing =
                Outgoing.of(
                        new Outgoing.Frame.Text(
                                Objects.requireNonNull(encoded.text()), encoded.bytes()));
        return connection.transport.isOpen() && offered(connection, outgoing, after)
                ? outgoing
                : null;
    }

    /// Whether `outgoing` waits to be sent. A peer that lets too much wait is closed at once: what waits would never leave.
    private boolean offered(HubConnection connection, Outgoing outgoing, AfterLock after) {
        return switch (connection.outbound.offer(outgoing)) {
            case QUEUED -> {
                after.flush(connection);
                yield true;
            }
            case CLOSED -> false;
            case NO_ROOM -> {
                if (makeRoom(connection, outgoing.bytes(), after)) {
                    yield offered(connection, outgoing, after);
                }
                dropSlowConsumer(connection, after);
                yield false;
            }
            case FULL -> {
                dropSlowConsumer(connection, after);
                yield false;
            }
        };
    }

    /// Whether all peers leave room for a message to one of them, if need be after others have ended: those for which something has waited for long, then all, and first those for
    /// which most waits.
    private boolean makeRoom(HubConnection connection, int bytes, AfterLock after) {
        while (!connection.outbound.hasRoom(bytes)) {
            var most = stalled().or(() -> holdingMost(Instant.MAX));
            if (most.isEmpty() || most.get() == connection) {
                return false;
            }
            cutSlowConsumer(most.get(), after);
        }
        return true;
    }

    /// Whether all peers leave room for a request to one for which nothing waits, if need be after those have ended for which something has waited for long. A request can wait itself.
    private boolean makeRoom(int bytes, AfterLock after) {
        while (!sends.has(bytes, 0)) {
            var stalled = isMakingRoom ? Optional.<HubConnection>empty() : stalled();
            if (stalled.isEmpty()) {
                return false;
            }
            isMakingRoom = true;
            try {
                cutSlowConsumer(stalled.get(), after);
            } finally {
                isMakingRoom = false;
            }
        }
        return true;
    }

    /// The connection with most of what waits, of those for whose peers something has waited for long.
    private Optional<HubConnection> stalled() {
        var now = sends.now();
        if (now.isBefore(lookAgain)) {
            return Optional.empty();
        }
        var found = holdingMost(now.minus(STALLED));
        if (found.isEmpty()) {
            lookAgain = now.plus(LOOK_AGAIN);
        }
        return found;
    }

    /// @param since something has waited at least since then
    private Optional<HubConnection> holdingMost(Instant since) {
        return connections.stream()
                .filter(other -> other.outbound.held() > 0)
                .filter(other -> !other.outbound.waitingSince().isAfter(since))
                .max(Comparator.comparingLong(other -> other.outbound.held()));
    }

    private void cutSlowConsumer(HubConnection connection, AfterLock after) {
        connection.outbound.forgo();
        warning()
                .addKeyValue("worker", nameOf(connection))
                .addKeyValue("remote", connection.remote())
                .log(
                        "a connection has ended, since its peer does not read, and too much waits for all peers");
        connection.expelled = true;
        connection.events.end();
        lose(
                connection,
                new Ending(ABNORMAL, "Slow consumer", WorkerDisconnected.Reason.SLOW_CONSUMER),
                after);
        terminate(connection, after);
    }

    private void dropSlowConsumer(HubConnection connection, AfterLock after) {
        var ending =
                new Ending(
                        CloseCode.POLICY, "Slow consumer", WorkerDisconnected.Reason.SLOW_CONSUMER);
        connection.expelled = true;
        connection.events.end();
        lose(connection, ending, after);
        connection.terminateBy = time.now().plus(times.closeGrace());
        after.call(connection.outbound::abandon);
        after.call(() -> connection.transport.close(ending.code(), ending.text()));
    }

    private void awaitClosed(Duration limit) {
        lock.lock();
        try {
            var left = limit.toNanos();
            while (!connections.isEmpty() && left > 0) {
                left = connectionClosed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void guardedTick() {
        try {
            tick();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("check of the workers failed; the next one follows");
        }
    }

    private Duration tickInterval() {
        return Stream.of(times.healthCheckInterval(), times.acceptTimeout().dividedBy(5), MAX_TICK)
                .min(Duration::compareTo)
                .filter(Duration::isPositive)
                .orElse(Duration.ofMillis(1));
    }

    private void warnUnhandled(ConnectionEvent event) {
        var connection = event.connection();
        (connection.warnings++ < MAX_WARNINGS ? warning() : LOG.atDebug())
                .addKeyValue("type", event.type())
                .addKeyValue("worker", event.worker().id())
                .log("message without a handler dropped");
    }

    private PoolEntry.Times moment() {
        return new PoolEntry.Times(time.now(), runtime.clock().instant());
    }

    private static String nameOf(HubConnection connection) {
        var worker = connection.worker;
        if (worker != null) {
            return worker.id;
        }
        return connection.formerWorker == null ? PooledWorker.UNKNOWN : connection.formerWorker;
    }

    /// What of the id of a request is for people.
    private String shown(String requestId) {
        return options.requestNames().apply(requestId);
    }

    private static String timestamp(Instant instant) {
        return TIMESTAMP.format(instant);
    }

    private static TrackedRequest.Encoded encode(JsonObject message) {
        var bytes = JsonText.write(message);
        return new TrackedRequest.Encoded(new String(bytes, StandardCharsets.UTF_8), bytes.length);
    }

    private <T> T locked(Function<AfterLock, T> step) {
        var after = new AfterLock();
        T result;
        lock.lock();
        try {
            result = step.apply(after);
        } finally {
            lock.unlock();
        }
        after.run();
        return result;
    }

    private <T> @Nullable T lockedOrNull(Function<AfterLock, @Nullable T> step) {
        var after = new AfterLock();
        T result;
        lock.lock();
        try {
            result = step.apply(after);
        } finally {
            lock.unlock();
        }
        after.run();
        return result;
    }
}
