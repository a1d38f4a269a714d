package dev.artel.simulation.function;

import dev.artel.blueprint.ApprovalCall;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.CallFailed;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.Promise;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.Signal;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;
import dev.artel.blueprint.ValueType;
import dev.artel.blueprint.Verdict;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// What a durable function is asked for by a [RandomProgram].
final class DurableWorld implements FunctionWorld {
    /// A function that calls one task, or fails.
    static final BlueprintType<JsonObject, Long> CHILD =
            new BlueprintType<>("child", ValueType.of(JsonObject.class), ValueType.of(Long.class));

    static final String FAILS = "fails";
    private static final TaskType<JsonObject, Nothing> COMPENSATE =
            TaskType.of("compensate", JsonObject.class);

    private final Run<JsonObject> run;
    private final boolean isCompensated;
    private final AtomicInteger releases;
    private final ArrayDeque<Promise<Long>> open = new ArrayDeque<>();
    private final List<Promise<?>> timers = new ArrayList<>();
    private int versions;

    /// @param isCompensated whether calls are compensated with their results
    /// @param releases the newest version of the code, which grows
    DurableWorld(Run<JsonObject> run, boolean isCompensated, AtomicInteger releases) {
        this.run = run;
        this.isCompensated = isCompensated;
        this.releases = releases;
    }

    /// A task of `type` that makes [RandomProgram#next] of `n`.
    static TaskCall<Long> task(String type, long n) {
        return task(type, JsonObject.of("n", JsonNumber.of(n)));
    }

    static TaskCall<Long> task(String type, JsonObject params) {
        return patient(TaskCall.of(type, params)).as(value -> ((JsonNumber) value).asLong());
    }

    /// `call`, however often a worker is lost.
    static <R> TaskCall<R> patient(TaskCall<R> call) {
        return call.maxLost(1_000);
    }

    private TaskCall<Long> task(boolean isSlow, long n) {
        var call = task(isSlow ? "slow" : "quick", n);
        return isCompensated
                ? call.compensatedByResult(
                        COMPENSATE, result -> JsonObject.of("n", JsonNumber.of(result)))
                : call;
    }

    private static ChildCall<Long> childCall(long n) {
        return ChildCall.of(CHILD, JsonObject.of("n", JsonNumber.of(n)));
    }

    @Override
    public long call(boolean isSlow, long n) {
        return run.call(task(isSlow, n));
    }

    @Override
    public void begin(boolean isSlow, long n) {
        open.add(run.async(task(isSlow, n)));
    }

    @Override
    public long await() {
        return open.remove().get();
    }

    @Override
    public List<Long> all(List<Long> numbers) {
        return run.all(numbers.stream().map(n -> run.async(task("quick", n))).toList());
    }

    @Override
    public List<Long> map(List<Long> numbers) {
        return run.map(numbers, 2, n -> task("quick", n));
    }

    @Override
    public void anyOf() {
        var promises = new ArrayList<Promise<?>>(open);
        var timer = run.timer(Duration.ofSeconds(3));
        timers.add(timer);
        promises.add(timer);
        var _ = run.any(promises);
    }

    /// Waits for the operations that are still open: a run that continues as new may leave nothing behind.
    void awaitTimers() {
        timers.forEach(Promise::get);
    }

    @Override
    public void sleep(long millis) {
        run.sleep(Duration.ofMillis(millis));
    }

    @Override
    public long child(long n) {
        return run.child(childCall(n));
    }

    @Override
    public void beginChild(long n) {
        open.add(run.asyncChild(childCall(n)));
    }

    @Override
    public List<Long> mapChildren(List<Long> numbers) {
        return run.mapChildren(numbers, 2, DurableWorld::childCall);
    }

    @Override
    public void start(long n) {
        run.start(childCall(n));
    }

    @Override
    public boolean childFails(long n) {
        try {
            var _ =
                    run.child(
                            CHILD, JsonObject.of("n", JsonNumber.of(n), FAILS, JsonValue.of(true)));
            return false;
        } catch (CallFailed failed) {
            return true;
        }
    }

    @Override
    public long retried(long n) {
        return run.call(task("flaky", n));
    }

    @Override
    public boolean taskFails(long n) {
        try {
            var _ = run.call(task("refused", n));
            return false;
        } catch (CallFailed failed) {
            return true;
        }
    }

    @Override
    public long signal(String name) {
        return run.signal(Signal.of(name, Long.class));
    }

    @Override
    public boolean noSignal(String name) {
        return run.signal(Signal.of(name, Long.class), Duration.ofSeconds(5)).isEmpty();
    }

    @Override
    public boolean isApproved(long n) {
        return run.approval(ApprovalCall.of("Go on with " + n + "?")).decision() == Verdict.APPROVE;
    }

    @Override
    public long marked(Varying what, long n) {
        var value =
                switch (what) {
                    case TIME -> new JsonString(run.now().toString());
                    case RANDOM -> JsonNumber.of(run.random());
                    case RECORD ->
                            JsonNumber.of(
                                    run.record("release", Long.class, () -> (long) releases.get()));
                    case VERSION -> JsonNumber.of(run.version("v" + versions++, 1, releases.get()));
                };
        return run.call(task("marked", JsonObject.of("n", JsonNumber.of(n), "value", value)));
    }
}
