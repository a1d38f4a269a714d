package dev.artel.worker.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.ShutdownSignalException;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.Progress;
import dev.artel.protocol.Release;
import dev.artel.protocol.ResultAnswer;
import dev.artel.protocol.TaskResult;
import dev.artel.worker.wire.OrchestratorResponse;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireEvents;
import dev.artel.worker.wire.WireOperation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// MindBus over RabbitMQ: commands are pushed, and an answer is taken when the broker has it. What an orchestrator answers over other wires is answered here
/// where the bus has no message for it. Safe for use by many threads.
final class AmqpTaskWire implements TaskWire {
    private static final Logger LOG = LoggerFactory.getLogger(AmqpTaskWire.class);
    private static final int PORT = 5672;
    private static final int TLS_PORT = 5671;
    private static final Duration FAREWELL = Duration.ofSeconds(1);
    private static final Duration NOBODY = Duration.ofSeconds(2);
    private static final byte[] NOTHING = new byte[0];

    private final AgentAddress address;
    private final AgentName name;
    private final WireEvents events;
    private final CommandBook book = new CommandBook();
    private final ReentrantLock registering = new ReentrantLock();
    private volatile @Nullable AgentSession session;

    /// Whether somebody has paused the agent; that outlives the connection.
    private volatile boolean isPaused;

    AmqpTaskWire(AgentAddress address, AgentName name, WireEvents events) {
        this.address = address;
        this.name = name;
        this.events = events;
    }

    @Override
    public String name() {
        return "mindbus";
    }

    @Override
    public boolean pushes() {
        return true;
    }

    @Override
    public void probe(Duration timeout) throws IOException {
        var broker = address.broker();
        var isTls = broker.getScheme().equalsIgnoreCase("amqps");
        var port = broker.getPort() > 0 ? broker.getPort() : isTls ? TLS_PORT : PORT;
        try (var socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(broker.getHost(), port),
                    (int) Math.min(5_000, timeout.toMillis()));
        }
    }

    /// The bus has no answer to a registration: it is one when it is in the queue of an orchestrator.
    @Override
    public OrchestratorResponse register(
            JsonObject introduction, List<String> held, Duration timeout)
            throws IOException, InterruptedException {
        registering.lockInterruptibly();
        try {
            drop();
            var passport = AgentPassport.of(name, introduction);
            var begun =
                    new AgentSession(
                            address,
                            passport,
                            isPaused,
                            new AgentSession.WorkerSide(book, events, this::broken));
            session = begun;
            if (!begun.register(timeout)) {
                drop();
                return refused(
                        503,
                        "no orchestrator has a queue for registrations on the exchange "
                                + address.exchange(),
                        NOBODY);
            }
            var terms = JsonObject.builder().put("status", "registered");
            introduction.get("lease_ms").ifPresent(lease -> terms.put("lease_ms", lease));
            return new OrchestratorResponse(200, JsonText.write(terms.build()), null);
        } catch (AgentSession.NameTaken taken) {
            drop();
            return refused(409, String.valueOf(taken.getMessage()), null);
        } catch (ShutdownSignalException over) {
            drop();
            throw ended(over);
        } catch (IOException | InterruptedException e) {
            drop();
            throw e;
        } finally {
            registering.unlock();
        }
    }

    private void drop() {
        var begun = session;
        session = null;
        if (begun != null) {
            isPaused = begun.isPaused();
            begun.close();
        }
    }

    private void broken(String cause) {
        events.broken(this, cause);
    }

    private AgentSession open() throws IOException {
        var open = session;
        if (open == null) {
            throw new IOException("there is no connection to " + address);
        }
        return open;
    }

    /// The client of RabbitMQ reports a connection that is over without a checked exception.
    private IOException ended(ShutdownSignalException over) {
        return new IOException("the connection to " + address + " has ended", over);
    }

    @Override
    public OrchestratorResponse send(
            WireOperation operation, String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        try {
            return perform(operation, body, timeout);
        } catch (ShutdownSignalException over) {
            throw ended(over);
        }
    }

    private OrchestratorResponse perform(WireOperation operation, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return switch (operation) {
            case HEARTBEAT -> {
                open().heartbeat(timeout);
                yield empty(200);
            }
            // The orchestrator renews what a living agent has.
            case RENEW -> new OrchestratorResponse(200, JsonText.write(JsonObject.EMPTY), null);
            case RELEASE -> release(object(body));
            case RESULT -> {
                var answers = results(List.of(object(body)), timeout);
                yield new OrchestratorResponse(200, JsonText.write(answers.getFirst()), null);
            }
            case RESULTS -> {
                var envelopes =
                        object(body).array("results").orElse(JsonArray.EMPTY).values().stream()
                                .map(JsonObject.class::cast)
                                .toList();
                var answers = new JsonArray(results(envelopes, timeout));
                yield new OrchestratorResponse(200, JsonText.write(answers), null);
            }
            case LOG -> refused(404, "lines of a log do not travel over RabbitMQ", null);
            case QUESTION -> refused(404, "questions do not travel over RabbitMQ", null);
            case DRAIN -> {
                open().pause();
                yield empty(200);
            }
            case DISCONNECT -> {
                var left = open();
                session = null;
                left.leave(timeout);
                yield empty(204);
            }
        };
    }

    private static OrchestratorResponse empty(int status) {
        return new OrchestratorResponse(status, NOTHING, null);
    }

    private static JsonObject object(byte[] body) {
        return body.length > 0 && JsonText.readWritten(body) instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    private OrchestratorResponse release(JsonObject body) throws IOException {
        var release = Release.read(body);
        var open = open();
        release.leaseTokens().forEach(lease -> open.giveBack(lease, release.reason()));
        return empty(200);
    }

    /// Sends all, and then waits for the broker to have all.
    private List<JsonValue> results(List<JsonObject> envelopes, Duration timeout)
            throws IOException, InterruptedException {
        var replies = new ArrayList<JsonValue>();
        var answers = new ArrayList<AgentSession.Answer>();
        for (var envelope : envelopes) {
            var result = TaskResult.read(envelope);
            var lease = result.lease();
            if (book.waiting(lease).isEmpty()) {
                LOG.atWarn()
                        .addKeyValue("command", lease)
                        .log("nobody waits for the answer to a command; it is dropped");
                replies.add(ResultAnswer.ignored("not_found").toJson());
            } else {
                var outcome = CommandOutcome.of(result, book.since(lease));
                answers.add(new AgentSession.Answer(lease, outcome));
                replies.add(ResultAnswer.accepted(result.outcome()).toJson());
            }
        }
        open().answer(answers, timeout);
        return replies;
    }

    @Override
    public boolean send(Progress progress) {
        var open = session;
        if (open == null || !Double.isFinite(progress.fraction())) {
            return false;
        }
        try {
            open.progress(
                    JsonObject.builder()
                            .put("task_id", progress.lease())
                            .put("state", "working")
                            .put("phase", progress.message())
                            .put("progress", JsonNumber.of(progress.fraction()))
                            .put("elapsed_seconds", book.since(progress.lease()).toSeconds())
                            .build());
            return true;
        } catch (IOException over) {
            return false;
        }
    }

    /// The worker has registered elsewhere. What it has of the bus is answered by nobody else: it goes back.
    @Override
    public void leave() {
        farewell();
    }

    @Override
    public void close() {
        farewell();
    }

    private void farewell() {
        var open = session;
        session = null;
        if (open == null) {
            return;
        }
        try {
            open.leave(FAREWELL);
        } catch (IOException | ShutdownSignalException over) {
            LOG.atDebug()
                    .setCause(over)
                    .log("the orchestrator learns by itself that the agent is gone");
            open.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            open.close();
        }
    }

    @Override
    public String toString() {
        return address.toString();
    }

    private static OrchestratorResponse refused(
            int status, String text, @Nullable Duration retryAfter) {
        var body = JsonObject.of("error", new JsonString(text)).toString();
        return new OrchestratorResponse(status, body.getBytes(UTF_8), retryAfter);
    }
}
