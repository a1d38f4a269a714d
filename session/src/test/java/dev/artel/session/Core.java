package dev.artel.session;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Register;
import dev.artel.protocol.WorkerMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A conversation under test: its last inputs, and its outputs since.
final class Core {
    static final WorkerId W1 = new WorkerId("w1");
    static final WorkerId W2 = new WorkerId("w2");

    private final SessionCore core;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private long numbers;

    Core() {
        this(SessionSettings.DEFAULTS);
    }

    Core(SessionSettings settings) {
        core = new SessionCore(settings);
    }

    /// One in which the workers whose names begin with `many` have one token.
    Core(SessionSettings settings, String many) {
        core =
                new SessionCore(
                        settings,
                        worker -> worker.value().startsWith(many) ? many + "*" : worker.value());
    }

    List<SessionOutput> on(SessionInput input) {
        return core.on(input, now);
    }

    /// Lets time pass in steps of a second.
    List<SessionOutput> advance(Duration time) {
        var outputs = new ArrayList<SessionOutput>();
        for (var second = 0; second < time.toSeconds(); second++) {
            now = now.plusSeconds(1);
            outputs.addAll(on(new SessionInput.Tick(now)));
        }
        return outputs;
    }

    /// The process stands still, and nothing comes in meanwhile.
    List<SessionOutput> standStill(Duration time) {
        now = now.plus(time);
        return on(new SessionInput.Tick(now));
    }

    long number() {
        return ++numbers;
    }

    List<SessionOutput> send(WorkerId worker, WorkerMessage message) {
        return on(new SessionInput.Said(number(), worker, message));
    }

    List<SessionOutput> register(WorkerId worker, JsonObject more) {
        return send(
                worker,
                Register.read(
                        JsonObject.builder()
                                .put("worker_id", worker.value())
                                .put("supported_tasks", JsonArray.ofStrings(List.of("echo")))
                                .put("max_concurrent_tasks", 2)
                                .build()
                                .merge(more)));
    }

    void recall(WorkerId worker, JsonObject words) {
        on(new SessionInput.Recalled(worker, Register.read(words)));
    }

    List<SessionOutput> register(WorkerId worker) {
        return register(worker, JsonObject.EMPTY);
    }

    List<SessionOutput> beat(WorkerId worker, String member, JsonValue value) {
        return send(worker, Heartbeat.read(worker.value(), JsonObject.of(member, value)));
    }

    List<SessionOutput> beat(WorkerId worker) {
        return send(worker, new Heartbeat.Empty(worker.value()));
    }

    /// Has the worker poll and gives it one task.
    LeaseToken give(WorkerId worker) {
        var poll = number();
        on(new SessionInput.Said(poll, worker, new WorkerMessage.Poll(worker.value(), 0)));
        var task = task(worker, poll);
        on(new SessionInput.HandedOut(poll, worker, List.of(task)));
        on(new SessionInput.TasksWritten(poll));
        return task.lease().token();
    }

    HandOut task(WorkerId worker, long nonce) {
        return task(worker, nonce, "");
    }

    /// @param instance the process of the worker
    HandOut task(WorkerId worker, long nonce, String instance) {
        var job = new JobId("job-" + nonce);
        var token = LeaseToken.mint(job, 0, 1, nonce);
        var lease =
                new Lease(
                        token,
                        worker,
                        new WorkerInstance(instance),
                        1,
                        now.plusSeconds(300),
                        Spending.NONE);
        return new HandOut(job, 0, lease, TaskSpec.of("echo", JsonObject.EMPTY), 0);
    }

    static <T extends SessionOutput> List<T> only(Class<T> kind, List<SessionOutput> outputs) {
        return outputs.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /// The one reply; that to a registration is given where its words are kept.
    static SessionReply reply(List<SessionOutput> outputs) {
        var replies =
                Stream.concat(
                                only(SessionOutput.Reply.class, outputs).stream()
                                        .map(SessionOutput.Reply::reply),
                                only(SessionOutput.Keep.class, outputs).stream()
                                        .map(words -> words.reply(true)))
                        .toList();
        if (replies.size() != 1) {
            throw new AssertionError("expected one reply, found " + replies);
        }
        return replies.getFirst();
    }
}
