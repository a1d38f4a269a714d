package dev.artel.e2e.chaos;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.ApprovalCall;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.Signal;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import java.time.Duration;
import java.util.List;
import java.util.function.ToLongBiFunction;
import java.util.stream.IntStream;

/// The durable functions of the chaos program, of seven kinds. Each is submitted with a number `n`, has workers double numbers, and returns what
/// [ExpectedCalls] knows as well. A task carries the place of its call in the code as `step`.
final class ChaosFunctions {
    /// How many calls beside each other, items of a map, and children there are.
    static final int BESIDE = 3;

    static final int ITEMS = 6;
    static final int CHILDREN = 3;

    /// How many calls a chain has.
    static final int CHAIN = 4;

    private static final Approval<String> YES = Approval.of("yes");
    private static final TaskType<JsonObject, Nothing> RELEASE =
            TaskType.of("release", JsonObject.class);

    private ChaosFunctions() {}

    static List<Blueprint> all() {
        return List.of(
                function(JobKind.FUNCTION_CALLS, ChaosFunctions::calls),
                function(JobKind.FUNCTION_ALL, ChaosFunctions::beside),
                function(JobKind.FUNCTION_MAP, ChaosFunctions::mapped),
                function(JobKind.FUNCTION_SLEEP, ChaosFunctions::sleeps),
                function(JobKind.FUNCTION_PEOPLE, ChaosFunctions::people),
                function(JobKind.FUNCTION_CHILDREN, ChaosFunctions::children),
                function(JobKind.FUNCTION_SAGA, ChaosFunctions::saga));
    }

    private static Blueprint function(
            JobKind kind, ToLongBiFunction<Run<JsonObject>, JsonObject> code) {
        return dev.artel.blueprint.Blueprint.function(
                        BlueprintType.of(kind.blueprint(), JsonObject.class, JsonObject.class),
                        "1",
                        guards ->
                                guards.withHandlerAttempts(100)
                                        .withHandlerRetryDelays(
                                                Duration.ofMillis(100), Duration.ofSeconds(1)),
                        (run, input) ->
                                JsonObject.of("n", JsonNumber.of(code.applyAsLong(run, input))))
                .definition();
    }

    private static JsonObject params(Run<JsonObject> run, int step, long n) {
        return run.initialData().with("step", JsonNumber.of(step)).with("n", JsonNumber.of(n));
    }

    private static long number(JsonValue of) {
        return ((JsonObject) of).number("n").map(JsonNumber::asLong).orElse(0L);
    }

    private static TaskCall<Long> twice(Run<JsonObject> run, int step, long n) {
        return TaskCall.of("double", params(run, step, n))
                .attempts(100)
                .retryDelays(Duration.ofMillis(100), Duration.ofSeconds(1))
                .maxLost(1_000)
                .executionTimeout(Duration.ofSeconds(20))
                .as(ChaosFunctions::number);
    }

    private static long calls(Run<JsonObject> run, JsonObject input) {
        var value = number(input);
        for (var step = 0; step < CHAIN; step++) {
            value = run.call(twice(run, step, value));
        }
        return value;
    }

    private static long beside(Run<JsonObject> run, JsonObject input) {
        var n = number(input);
        var promises =
                IntStream.range(0, BESIDE).mapToObj(i -> run.async(twice(run, i, n + i))).toList();
        var sum = run.<Long>all(promises).stream().mapToLong(Long::longValue).sum();
        return run.call(twice(run, BESIDE, sum));
    }

    private static long mapped(Run<JsonObject> run, JsonObject input) {
        var n = number(input);
        var items = IntStream.range(0, ITEMS).boxed().toList();
        return run.map(items, 2, i -> twice(run, i, n + i)).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static long sleeps(Run<JsonObject> run, JsonObject input) {
        run.sleep(Duration.ofMillis(200));
        var one = run.call(twice(run, 0, number(input)));
        var other = run.async(twice(run, 1, one));
        var timer = run.timer(Duration.ofMillis(100));
        var _ = run.any(timer, other);
        var _ = timer.get();
        return one + other.get();
    }

    private static long people(Run<JsonObject> run, JsonObject input) {
        var _ = run.signal(Signal.of("go", JsonValue.class));
        var _ = run.approval(ApprovalCall.of(YES, "Go on?"));
        return run.call(twice(run, 0, number(input)));
    }

    private static long children(Run<JsonObject> run, JsonObject input) {
        var n = number(input);
        var items = IntStream.range(0, CHILDREN).boxed().toList();
        return run
                .mapChildren(
                        items,
                        2,
                        i ->
                                ChildCall.of(
                                                JobKind.FUNCTION_CALLS.blueprint(),
                                                input.with("n", JsonNumber.of(n + i)))
                                        .as(ChaosFunctions::number))
                .stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /// What was done is released, with its result or without, when the payment is declined, which the input says.
    private static long saga(Run<JsonObject> run, JsonObject input) {
        var n = number(input);
        var sum = run.call(byResult(run, 0, n));
        sum += run.call(twice(run, 1, n + 1).compensatedBy(RELEASE, params(run, 1, n + 1)));
        sum += run.call(byResult(run, 2, n + 2));
        if (input.has("declined")) {
            throw new RunFailed("the payment was declined");
        }
        return sum;
    }

    private static TaskCall<Long> byResult(Run<JsonObject> run, int step, long n) {
        return twice(run, step, n)
                .compensatedByResult(RELEASE, result -> params(run, step, result));
    }
}
