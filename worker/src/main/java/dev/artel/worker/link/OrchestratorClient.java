package dev.artel.worker.link;

import static dev.artel.worker.wire.WireOperation.DISCONNECT;
import static dev.artel.worker.wire.WireOperation.DRAIN;
import static dev.artel.worker.wire.WireOperation.HEARTBEAT;
import static dev.artel.worker.wire.WireOperation.LOG;
import static dev.artel.worker.wire.WireOperation.QUESTION;
import static dev.artel.worker.wire.WireOperation.RELEASE;
import static dev.artel.worker.wire.WireOperation.RENEW;
import static dev.artel.worker.wire.WireOperation.RESULT;
import static dev.artel.worker.wire.WireOperation.RESULTS;

import dev.artel.json.JsonObject;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.Progress;
import dev.artel.protocol.TaskAssignment;
import dev.artel.worker.wire.OrchestratorResponse;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireAddress;
import dev.artel.worker.wire.WireEvents;
import dev.artel.worker.wire.WireOperation;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Requests to one orchestrator, over the first of its wires that works. Safe for use by many threads.
final class OrchestratorClient implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(OrchestratorClient.class);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final byte[] NOTHING = new byte[0];

    /// How long a poll waits while an earlier wire may work again.
    private static final Duration SHORT_POLL = Duration.ofSeconds(4);

    /// How long nothing of a large value may come.
    private static final Duration SILENCE = Duration.ofMinutes(1);

    /// How long one takes at most.
    private static final Duration LONGEST_TRANSFER = Duration.ofHours(1);

    /// The most bytes of an answer over HTTP.
    static final long LARGEST_ANSWER = 64L << 20;

    private final SignsOfLife signsOfLife = new SignsOfLife();
    private final List<Orchestrator> addresses;
    private final String workerId;
    private final List<TaskWire> wires = new ArrayList<>();
    private final Runnable broke;
    private final @Nullable SSLContext tls;

    /// Held while the worker registers.
    private final ReentrantLock registering = new ReentrantLock();

    /// Held while a poll is in flight, and while the worker changes from a wire with polls to another: what a poll brings is known
    /// before the next heartbeat. Fair, so that polls let a change through.
    private final ReentrantLock polling = new ReentrantLock(true);

    private volatile int current;

    /// The wire that ended last, until it is registered anew.
    private volatile @Nullable TaskWire ended;

    /// Null before the first use: it makes TLS ready, which takes a tenth of a second, and wires without HTTP need none of it.
    private @Nullable HttpClient http;

    /// @param addresses in the order of preference
    /// @param broke called when the wire in use does not work: the worker is to register again
    OrchestratorClient(
            List<Orchestrator> addresses,
            String workerId,
            LinkSettings settings,
            WireEvents events,
            Runnable broke) {
        this.addresses = List.copyOf(addresses);
        this.workerId = workerId;
        this.broke = broke;
        this.tls = settings.tls();
        for (var address : addresses) {
            wires.add(wire(address, workerId, settings.inline(), events));
        }
    }

    private synchronized HttpClient http() {
        if (http == null) {
            var builder =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .connectTimeout(CONNECT)
                            .executor(Executors.newVirtualThreadPerTaskExecutor());
            http = (tls == null ? builder : builder.sslContext(tls)).build();
        }
        return http;
    }

    private TaskWire wire(Orchestrator address, String workerId, int inline, WireEvents events) {
        if (address.isHttp()) {
            return new HttpTaskWire(http(), address, workerId);
        }
        if (address.isWebSocket()) {
            return new SocketTaskWire(http(), address, workerId, inline, events);
        }
        return address.provider()
                .orElseThrow()
                .wire(
                        new WireAddress(
                                address.uri(),
                                address.token(),
                                workerId,
                                base(address) == null ? -1 : Math.max(0, inline)),
                        events);
    }

    private TaskWire wire() {
        return wires.get(current);
    }

    /// Whose requests these are.
    String workerId() {
        return workerId;
    }

    /// The name of the wire in use.
    String wireName() {
        return wire().name();
    }

    /// Whether tasks come by themselves.
    boolean pushes() {
        return wire().pushes();
    }

    /// Whether a wire that does not work is left, to connect again or to go to another one.
    boolean reconnects() {
        return wires.size() > 1 || pushes();
    }

    /// Whether the first of the wires is in use.
    boolean isOnItsFirst() {
        return current == 0;
    }

    /// Whether `wire` is the one in use.
    private boolean uses(TaskWire wire) {
        return wires.indexOf(wire) == current;
    }

    /// `wire` has ended. It may be one over which the worker registers at this moment: see [#hasEnded].
    ///
    /// @return whether it is the one in use
    boolean noteEnd(TaskWire wire) {
        ended = wire;
        return uses(wire);
    }

    /// Whether the wire in use has ended since the worker registered over it.
    boolean hasEnded() {
        return wire().equals(ended);
    }

    /// Registers the worker over the wire in use; if that does not work, over the first of the others that does.
    ///
    /// @throws IOException if none works, with the cause of the last
    OrchestratorResponse register(Introduction introduction, Duration timeout)
            throws IOException, InterruptedException {
        registering.lockInterruptibly();
        try {
            OrchestratorResponse refusal = null;
            IOException failure = null;
            var before = current;
            for (var index : order()) {
                try {
                    var answer = register(index, introduction, timeout);
                    if (answer.status() < 300) {
                        if (index != before) {
                            leave(before, index);
                        }
                        return answer;
                    }
                    refusal = answer;
                    note(index, answer.text());
                } catch (IOException e) {
                    failure = e;
                    note(index, e.toString());
                }
                wires.get(index).leave();
            }
            current = 0;
            if (refusal != null) {
                return refusal;
            }
            throw Objects.requireNonNull(failure);
        } finally {
            registering.unlock();
        }
    }

    /// The wire in use, then the others.
    private List<Integer> order() {
        var order = new ArrayList<Integer>();
        order.add(current);
        for (var index = 0; index < wires.size(); index++) {
            if (index != current) {
                order.add(index);
            }
        }
        return order;
    }

    /// What a worker registers with, made at the last moment.
    interface Introduction {
        JsonObject introduction();

        List<String> held();
    }

    private OrchestratorResponse register(int index, Introduction introduction, Duration timeout)
            throws IOException, InterruptedException {
        if (wires.get(index).equals(ended)) {
            ended = null;
        }
        return wires.get(index).register(introduction.introduction(), introduction.held(), timeout);
    }

    private void note(int index, String cause) {
        if (wires.size() > 1) {
            LOGGER.atWarn()
                    .addKeyValue("address", addresses.get(index))
                    .addKeyValue("cause", cause)
                    .log("no registration over this wire; trying the next one");
        }
    }

    private void leave(int before, int now) {
        current = now;
        wires.get(before).leave();
        LOGGER.atInfo()
                .addKeyValue("from", addresses.get(before))
                .addKeyValue("to", addresses.get(now))
                .log("the worker has changed the wire; its tasks go along");
    }

    /// Goes to the first of the wires before the one in use that works. A poll in flight comes to its end before.
    ///
    /// @return the answer to the registration; null if none works, or is to be tried
    @Nullable OrchestratorResponse goBack(Introduction introduction, Duration timeout)
            throws InterruptedException {
        for (var index = 0; index < current; index++) {
            try {
                wires.get(index).probe(timeout);
                var answer = goBack(index, introduction, timeout);
                if (answer != null) {
                    return answer;
                }
            } catch (IOException e) {
                wires.get(index).leave();
                LOGGER.atDebug()
                        .addKeyValue("address", addresses.get(index))
                        .addKeyValue("cause", e.toString())
                        .log("an earlier wire does not work yet");
            }
        }
        return null;
    }

    private @Nullable OrchestratorResponse goBack(
            int index, Introduction introduction, Duration timeout)
            throws IOException, InterruptedException {
        polling.lockInterruptibly();
        try {
            registering.lockInterruptibly();
            try {
                var before = current;
                if (index >= before) {
                    return null;
                }
                var answer = register(index, introduction, timeout);
                if (answer.status() < 300) {
                    leave(before, index);
                    return answer;
                }
                wires.get(index).leave();
                return null;
            } finally {
                registering.unlock();
            }
        } finally {
            polling.unlock();
        }
    }

    OrchestratorResponse heartbeat(byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return signsOfLife.send(() -> send(HEARTBEAT, "", body, timeout));
    }

    /// Waits for tasks. What comes is the worker's before it may change to another wire, where it reports what it has.
    ///
    /// @param inline larger parameters come as references; below 0: none do
    /// @param take takes a task in; must not wait
    /// @throws MalformedMessage if what came is no list of tasks
    Polled poll(int max, int inline, Duration timeout, Consumer<TaskAssignment> take)
            throws IOException, InterruptedException {
        polling.lockInterruptibly();
        try {
            var wire = wire();
            if (wire.pushes()) {
                return new Polled(new OrchestratorResponse(204, NOTHING, null), 0);
            }
            var hold = isOnItsFirst() ? null : SHORT_POLL;
            var answer = checked(wire, () -> wire.poll(max, inline, hold, timeout));
            if (answer.status() != 200) {
                return new Polled(answer, 0);
            }
            var tasks = TaskAssignment.readAll(answer.json());
            tasks.forEach(take);
            return new Polled(answer, tasks.size());
        } finally {
            polling.unlock();
        }
    }

    /// The answer to a poll; 204 where tasks come by themselves meanwhile.
    ///
    /// @param tasks how many it brought
    record Polled(OrchestratorResponse answer, int tasks) {}

    private interface Request {
        OrchestratorResponse send() throws IOException, InterruptedException;
    }

    /// A wire that does not work is left for another one, and one that pushes connects again.
    private OrchestratorResponse checked(TaskWire wire, Request request)
            throws IOException, InterruptedException {
        try {
            return request.send();
        } catch (IOException e) {
            if (uses(wire) && reconnects()) {
                broke.run();
            }
            throw e;
        }
    }

    private OrchestratorResponse send(
            WireOperation operation, String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        var wire = wire();
        // Lines of a log may be lost, and are not waited for long.
        return operation == LOG
                ? wire.send(operation, taskId, body, timeout)
                : checked(wire, () -> wire.send(operation, taskId, body, timeout));
    }

    OrchestratorResponse result(byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return send(RESULT, "", body, timeout);
    }

    OrchestratorResponse results(byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return send(RESULTS, "", body, timeout);
    }

    OrchestratorResponse renew(byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return signsOfLife.send(() -> send(RENEW, "", body, timeout));
    }

    OrchestratorResponse log(String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return send(LOG, taskId, body, timeout);
    }

    OrchestratorResponse question(String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return send(QUESTION, taskId, body, timeout);
    }

    OrchestratorResponse drain(Duration timeout) throws IOException, InterruptedException {
        return send(DRAIN, "", NOTHING, timeout);
    }

    OrchestratorResponse release(byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return send(RELEASE, "", body, timeout);
    }

    /// Sends no more signs of life, and waits for those that are under way: one that arrives after the farewell would have the worker there
    /// again.
    void fallSilent(Duration longest) {
        signsOfLife.end(longest);
    }

    OrchestratorResponse leave(Duration timeout) throws IOException, InterruptedException {
        return send(DISCONNECT, "", NOTHING, timeout);
    }

    /// Sends progress at once.
    ///
    /// @return whether the wire could
    boolean send(Progress progress) {
        return wire().send(progress);
    }

    /// What is at `url` goes into `file` if the answer is 200.
    OrchestratorResponse fetch(String url, Path file, Duration timeout)
            throws IOException, InterruptedException {
        return response(
                TimedAnswers.send(
                        http(),
                        transfer(url, timeout).GET().build(),
                        head ->
                                head.statusCode() == 200
                                        ? BodySubscribers.mapping(
                                                BodySubscribers.ofFile(file), _ -> NOTHING)
                                        : BodySubscribers.limiting(
                                                BodySubscribers.ofByteArray(), LARGEST_ANSWER),
                        SILENCE,
                        LONGEST_TRANSFER));
    }

    OrchestratorResponse put(String url, Path file, String sha256, Duration timeout)
            throws IOException, InterruptedException {
        var request =
                transfer(url, timeout)
                        .header("Content-Type", "application/json")
                        .header("X-Content-SHA256", sha256)
                        .PUT(BodyPublishers.ofFile(file))
                        .build();
        return response(
                TimedAnswers.send(
                        http(),
                        request,
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), LARGEST_ANSWER),
                        SILENCE,
                        LONGEST_TRANSFER));
    }

    /// The token is for the orchestrator alone; any other address is good for itself.
    private HttpRequest.Builder transfer(String url, Duration timeout) throws IOException {
        var own = url.startsWith("/") ? base(addresses.get(current)) : null;
        if (url.startsWith("/") && own == null) {
            throw new IOException(
                    "a large value is at "
                            + url
                            + ", and no address of the orchestrator over HTTP is known: add one");
        }
        try {
            var request =
                    HttpRequest.newBuilder(own == null ? URI.create(url) : own.at(url))
                            .timeout(timeout);
            if (own != null) {
                own.authorize(request::header);
            }
            return request;
        } catch (IllegalArgumentException noAddress) {
            throw new IOException("the address of a large value is none: " + url, noAddress);
        }
    }

    /// Where large values are while `address` is in use.
    private @Nullable Orchestrator base(Orchestrator address) {
        var own = address.overHttp();
        return own != null
                ? own
                : addresses.stream()
                        .map(Orchestrator::overHttp)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    static OrchestratorResponse response(HttpResponse<byte[]> response) {
        var retryAfter =
                response.headers().firstValue("Retry-After").map(RetryAfter::parse).orElse(null);
        return new OrchestratorResponse(response.statusCode(), response.body(), retryAfter);
    }

    /// The client and the address for a socket beside the wire; null if it needs none.
    @Nullable SocketAddress socket() {
        return wire() instanceof HttpTaskWire polled ? polled.socket() : null;
    }

    record SocketAddress(HttpClient http, Orchestrator orchestrator, String worker) {}

    @Override
    public String toString() {
        return addresses.get(current).toString();
    }

    /// Ends what is in flight.
    @Override
    public void close() {
        wires.forEach(TaskWire::close);
        synchronized (this) {
            if (http != null) {
                http.shutdownNow();
            }
        }
    }
}
