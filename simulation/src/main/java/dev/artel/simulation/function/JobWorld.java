package dev.artel.simulation.function;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.ApprovalCall;
import dev.artel.blueprint.CallFailed;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.Promise;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.Signal;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.simulation.world.ScriptedNames;
import dev.artel.simulation.world.Trait;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// What a function among the jobs of a scenario is asked for: each call may fail, and what becomes of it is a number in any case. Each task and
/// child carries its place in the code, so that no two calls of a run are alike.
final class JobWorld implements FunctionWorld {
    /// The member of parameters that has the place of the call in its run.
    static final String CALL = "call";

    /// The member of parameters that has the run of the job.
    static final String ROUND = "round";

    /// The member of the parameters of a compensation that has the place of the call which is compensated.
    static final String COMPENSATES = "compensates";

    /// The member of the parameters of a compensation that has the result which is compensated.
    static final String RESULT = "result";

    private static final Approval<String> YES_OR_NO =
            Approval.of(ScriptedNames.YES, ScriptedNames.NO);

    private final Run<JsonObject> run;
    private final JobFeatures features;
    private final int round;
    private final boolean isCareless;
    private final AtomicInteger releases;
    private final ArrayDeque<Promise<Long>> open = new ArrayDeque<>();
    private final List<Promise<?>> timers = new ArrayList<>();
    private int calls;
    private int versions;

    /// @param isCareless whether it lets pass what fails
    /// @param releases the newest version of the code, which grows
    JobWorld(
            Run<JsonObject> run,
            JobFeatures features,
            int round,
            boolean isCareless,
            AtomicInteger releases) {
        this.run = run;
        this.features = features;
        this.round = round;
        this.isCareless = isCareless;
        this.releases = releases;
    }

    /// The number that the program makes of a result.
    static long value(JsonValue result) {
        return Math.floorMod(result.toString().hashCode(), RandomProgram.MODULUS);
    }

    private long outcome(Supplier<Long> call) {
        if (isCareless) {
            return call.get();
        }
        try {
            return call.get();
        } catch (CallFailed failed) {
            return Math.floorMod(failed.code().hashCode(), RandomProgram.MODULUS);
        }
    }

    private List<Long> outcomes(Supplier<List<Long>> calls) {
        if (isCareless) {
            return calls.get();
        }
        try {
            return calls.get();
        } catch (CallFailed failed) {
            return List.of((long) failed.code().hashCode());
        }
    }

    private JsonObject.Builder params(long n) {
        return JsonObject.builder().put(ROUND, round).put(CALL, calls++).put("n", n);
    }

    private TaskCall<JsonValue> task(JsonObject params) {
        var place = calls;
        var type = features.types().get(place % features.types().size());
        var call = TaskCall.of(type, params).maxLost(1 + place % 4).attempts(1 + place % 3);
        if (features.has(Trait.SHARED_LIMITS)) {
            call = call.limitedBy("tenant:" + place % 3, 1 + place % 2);
        }
        if (features.has(Trait.DISPATCH_DEADLINES) && place % 4 == 0) {
            call = call.dispatchDeadline(Duration.ofSeconds(20));
        }
        if (features.has(Trait.ONCE_ONLY) && place % 2 == 0) {
            return call.notIdempotent();
        }
        return features.has(Trait.HEDGING) && place % 2 == 1
                ? call.hedgedAfter(Duration.ofSeconds(1))
                : call;
    }

    private TaskCall<Long> task(long n) {
        var place = calls;
        var call = task(params(n).build());
        if (!features.has(Trait.COMPENSATION)) {
            return call.as(JobWorld::value);
        }
        return switch (place % 3) {
            case 0 -> call.as(JobWorld::value);
            case 1 ->
                    call.compensatedBy(compensation(), compensation(place).build())
                            .as(JobWorld::value);
            default ->
                    call.as(JobWorld::value)
                            .compensatedByResult(
                                    compensation(),
                                    result -> compensation(place).put(RESULT, result).build());
        };
    }

    private TaskType<JsonObject, Nothing> compensation() {
        return TaskType.of(features.types().getFirst(), JsonObject.class);
    }

    private JsonObject.Builder compensation(int call) {
        return JsonObject.builder().put(ROUND, round).put(COMPENSATES, call);
    }

    private JsonObject childInput(long n) {
        return params(n).put(JobProgram.SEED, n + 31L * calls).build();
    }

    private ChildCall<Long> child(JsonObject input) {
        var place = calls;
        var blueprint = features.children().get(place % features.children().size());
        var call = ChildCall.of(blueprint, input);
        if (place % 4 == 0) {
            call = call.within(Duration.ofSeconds(40));
        }
        if (place % 3 == 0) {
            call = call.failingWhenQuarantined();
        }
        return features.has(Trait.COMPENSATION) && place % 2 == 0
                ? call.compensatedBy(compensation(), compensation(place - 1).build())
                        .as(JobWorld::value)
                : call.as(JobWorld::value);
    }

    private boolean hasChildren() {
        return !features.children().isEmpty()
                && (features.has(Trait.CHILDREN) || features.has(Trait.MANY_CHILDREN));
    }

    @Override
    public long call(boolean isSlow, long n) {
        return outcome(() -> run.call(task(n)));
    }

    @Override
    public void begin(boolean isSlow, long n) {
        open.add(run.async(task(n)));
    }

    @Override
    public long await() {
        var first = open.remove();
        return outcome(first::get);
    }

    @Override
    public List<Long> all(List<Long> numbers) {
        var promises = numbers.stream().map(n -> run.async(task(n))).toList();
        return outcomes(() -> run.all(promises));
    }

    @Override
    public List<Long> map(List<Long> numbers) {
        return outcomes(
                () -> run.map(numbers, 2, n -> task(params(n).build()).as(JobWorld::value)));
    }

    @Override
    public void anyOf() {
        var promises = new ArrayList<Promise<?>>(open);
        if (features.has(Trait.WAIT)) {
            var timer = run.timer(Duration.ofSeconds(3));
            timers.add(timer);
            promises.add(timer);
        }
        if (!promises.isEmpty()) {
            var _ = run.any(promises);
        }
    }

    /// Waits for the operations that are still open: a run that continues as new may leave nothing behind.
    void awaitTimers() {
        timers.forEach(Promise::get);
    }

    @Override
    public void sleep(long millis) {
        if (features.has(Trait.WAIT)) {
            run.sleep(Duration.ofMillis(millis));
        }
    }

    @Override
    public long child(long n) {
        return hasChildren() ? outcome(() -> run.child(child(childInput(n)))) : call(false, n);
    }

    @Override
    public void beginChild(long n) {
        if (hasChildren()) {
            open.add(run.asyncChild(child(childInput(n))));
        } else {
            begin(false, n);
        }
    }

    /// They are of one blueprint.
    @Override
    public List<Long> mapChildren(List<Long> numbers) {
        return features.has(Trait.MANY_CHILDREN) && hasChildren()
                ? outcomes(() ->
                        run.mapChildren(
                                numbers,
                                2,
                                n ->
                                        ChildCall.of(features.children().getFirst(), childInput(n))
                                                .as(JobWorld::value)))
                : map(numbers);
    }

    @Override
    public void start(long n) {
        if (hasChildren()) {
            var _ =
                    outcome(() -> {
                        run.start(ChildCall.of(features.children().getFirst(), childInput(n)));
                        return 1L;
                    });
        }
    }

    @Override
    public boolean childFails(long n) {
        if (!hasChildren()) {
            return taskFails(n);
        }
        var input = childInput(n).with(JobProgram.FAILS, JsonValue.of(true));
        try {
            var _ = run.child(ChildCall.of(features.children().getFirst(), input));
            return false;
        } catch (CallFailed failed) {
            return true;
        }
    }

    @Override
    public long retried(long n) {
        return call(false, n);
    }

    @Override
    public boolean taskFails(long n) {
        try {
            var _ = run.call(task(n));
            return false;
        } catch (CallFailed failed) {
            return true;
        }
    }

    @Override
    public long signal(String name) {
        return features.has(Trait.SIGNALS)
                ? value(run.signal(Signal.of(known(name), JsonValue.class)))
                : call(false, 1);
    }

    private static String known(String name) {
        return ScriptedNames.SIGNALS.get(
                Math.floorMod(name.hashCode(), ScriptedNames.SIGNALS.size()));
    }

    @Override
    public boolean noSignal(String name) {
        return features.has(Trait.SIGNALS)
                ? run.signal(Signal.of(known(name), JsonValue.class), Duration.ofSeconds(5))
                        .isEmpty()
                : taskFails(1);
    }

    @Override
    public boolean isApproved(long n) {
        if (!features.has(Trait.APPROVALS)) {
            return taskFails(n);
        }
        var question = ApprovalCall.of(YES_OR_NO, "Go on with " + n + "?");
        try {
            var decided =
                    run.approval(n % 2 == 0 ? question.within(Duration.ofSeconds(10)) : question);
            return decided.decision().equals(ScriptedNames.YES);
        } catch (CallFailed overdue) {
            return false;
        }
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
        return outcome(
                () -> run.call(task(params(n).put("value", value).build()).as(JobWorld::value)));
    }
}
