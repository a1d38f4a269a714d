package dev.artel.e2e.wires;

import dev.artel.gateway.shell.MonotonicTime;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.TaskParameters;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.TaskAssignment;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.testkit.transport.WireAnswer;
import dev.artel.testkit.transport.WireAnswer.Kind;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import dev.artel.worker.wire.OrchestratorResponse;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireEvents;
import dev.artel.worker.wire.WireOperation;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A wire of the SDK that pushes tasks, before a reference engine. A poll is the wait for what is pushed.
abstract class SdkWire implements WorkerWire {
    private static final Duration TIMEOUT = Await.longest();
    private static final int MOST_TRIES = 8;
    private static final Duration MORE = Duration.ofSeconds(10);

    final InstantSource clock = new MonotonicTime(Instant.now());
    final ReferenceEngine engine = new ReferenceEngine(clock);
    final TaskAssignments assignments =
            new TaskAssignments(new TaskParameters(SdkWire::inline), Optional.empty());
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final Map<String, SdkPeer> peers = new HashMap<>();
    private SessionShell shell = begun();

    SessionShell shell() {
        return shell;
    }

    private SessionShell begun() {
        var open =
                new SessionShell(
                        SessionSettings.DEFAULTS,
                        clock,
                        (worker, _, fraction, message) ->
                                heard.add(worker + " " + fraction + " " + message));
        open.recall(engine.registrations());
        engine.connect(open);
        open.connect(engine);
        return open;
    }

    private static JsonValue inline(Payload payload) {
        if (payload instanceof Payload.Inline(var value)) {
            return value;
        }
        throw new IllegalStateException("nothing is kept: " + payload);
    }

    /// A wire that is not used yet.
    abstract TaskWire wire(String workerId, WireEvents events);

    @Override
    public ReferenceEngine engine() {
        return engine;
    }

    @Override
    public Peer peer(String workerId) {
        return peers.computeIfAbsent(workerId, SdkPeer::new);
    }

    @Override
    public void advance(Duration time) {
        throw new UnsupportedOperationException("the time of this wire is real");
    }

    @Override
    public void restart() {
        shell.close();
        shell = begun();
    }

    @Override
    public List<String> heard() {
        return List.copyOf(heard);
    }

    @Override
    public void close() {
        peers.values().forEach(SdkPeer::close);
        shell.close();
    }

    @FunctionalInterface
    private interface Call {
        OrchestratorResponse make() throws IOException, InterruptedException;
    }

    private final class SdkPeer implements Peer, WireEvents {
        private final LinkedBlockingQueue<TaskAssignment> tasks = new LinkedBlockingQueue<>();
        private final TaskWire wire;

        private SdkPeer(String id) {
            wire = wire(id, this);
        }

        private void close() {
            wire.close();
        }

        @Override
        public boolean pushed(TaskAssignment task) {
            return tasks.add(task);
        }

        @Override
        public void cancelled(String id) {}

        @Override
        public void lost(String lease, String reason) {}

        @Override
        public List<String> held() {
            return List.of();
        }

        @Override
        public void broken(TaskWire of, String cause) {}

        @Override
        public WireAnswer register(JsonValue registration) {
            return answer(() ->
                    insisting(() -> wire.register((JsonObject) registration, List.of(), TIMEOUT)));
        }

        /// As each worker of the SDK does: a broker of a busy machine may answer too late.
        private static OrchestratorResponse insisting(Call call)
                throws IOException, InterruptedException {
            var earlier = new ArrayList<IOException>();
            while (true) {
                try {
                    return call.make();
                } catch (IOException late) {
                    if (earlier.size() == MOST_TRIES) {
                        earlier.forEach(late::addSuppressed);
                        throw late;
                    }
                    earlier.add(late);
                }
            }
        }

        private WireAnswer send(WireOperation operation, String task, @Nullable JsonValue body) {
            var bytes = body == null ? new byte[0] : JsonText.write(body);
            return answer(() -> wire.send(operation, task, bytes, TIMEOUT));
        }

        private static WireAnswer answer(Call call) {
            try {
                var response = call.make();
                return switch (response.status()) {
                    case 200 ->
                            new WireAnswer(
                                    Kind.TAKEN,
                                    response.isEmpty() ? JsonNull.NULL : response.json());
                    case 204 -> WireAnswer.of(Kind.NOTHING);
                    case 404 -> WireAnswer.of(Kind.UNKNOWN_WORKER);
                    case 429, 503 -> WireAnswer.of(Kind.LATER);
                    default -> throw new AssertionError(response.text());
                };
            } catch (MalformedMessage malformed) {
                return WireAnswer.of(Kind.REFUSED);
            } catch (IOException e) {
                throw new AssertionError(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }

        @Override
        public WireAnswer heartbeat(@Nullable JsonValue heartbeat) {
            return send(WireOperation.HEARTBEAT, "", heartbeat);
        }

        @Override
        public Poll poll(int max) {
            return new PushedTasks(tasks, Math.max(1, max));
        }

        @Override
        public Poll poll(List<String> available, List<String> hot, Duration timeout) {
            throw new UnsupportedOperationException("no worker polls on this wire");
        }

        @Override
        public WireAnswer event(JsonValue event) {
            throw new UnsupportedOperationException("the SDK sends no events");
        }

        @Override
        public WireAnswer result(JsonValue result) {
            return send(WireOperation.RESULT, "", result);
        }

        @Override
        public WireAnswer results(JsonValue batch) {
            return send(WireOperation.RESULTS, "", batch);
        }

        @Override
        public WireAnswer renew(JsonValue renewal) {
            return send(WireOperation.RENEW, "", renewal);
        }

        @Override
        public WireAnswer ask(String task, JsonValue question) {
            return send(WireOperation.QUESTION, task, question);
        }

        @Override
        public WireAnswer release(JsonValue release) {
            return send(WireOperation.RELEASE, "", release);
        }

        @Override
        public WireAnswer drain() {
            return send(WireOperation.DRAIN, "", null);
        }

        @Override
        public WireAnswer disconnect() {
            return send(WireOperation.DISCONNECT, "", null);
        }
    }

    /// The next tasks that are pushed.
    private record PushedTasks(LinkedBlockingQueue<TaskAssignment> tasks, int max) implements Poll {
        @Override
        public WireAnswer answer() {
            var taken = new ArrayList<TaskAssignment>();
            try {
                var next = tasks.poll(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
                while (next != null) {
                    taken.add(next);
                    next =
                            taken.size() < max
                                    ? tasks.poll(MORE.toMillis(), TimeUnit.MILLISECONDS)
                                    : null;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
            return taken.isEmpty()
                    ? WireAnswer.of(Kind.NOTHING)
                    : new WireAnswer(Kind.TAKEN, TaskAssignment.toJson(taken));
        }

        @Override
        public boolean isAnswered() {
            return !tasks.isEmpty();
        }

        @Override
        public void hangUp() {
            throw new UnsupportedOperationException("no worker polls on this wire");
        }
    }
}
