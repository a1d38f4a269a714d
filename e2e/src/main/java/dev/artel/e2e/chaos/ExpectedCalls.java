package dev.artel.e2e.chaos;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// What the history of a job of [ChaosFunctions] has: each call of its code once, in the order of the code, then its compensations from the last to
/// the first, and the result.
///
/// @param tasks in words such as `double 0 of 12`
/// @param children how many the function has
/// @param result with which it finishes; empty if it fails
record ExpectedCalls(List<String> tasks, int children, Optional<Long> result) {
    /// @param input with which the job was submitted
    static ExpectedCalls of(JobKind kind, JsonObject input) {
        var n = number(input, "n");
        return switch (kind) {
            case FUNCTION_CALLS ->
                    finishing(
                            IntStream.range(0, ChaosFunctions.CHAIN)
                                    .mapToObj(i -> twice(i, n << i)),
                            n << ChaosFunctions.CHAIN);
            case FUNCTION_ALL -> {
                var sum = 2 * sum(n, ChaosFunctions.BESIDE);
                yield finishing(
                        Stream.concat(
                                beside(n, ChaosFunctions.BESIDE),
                                Stream.of(twice(ChaosFunctions.BESIDE, sum))),
                        2 * sum);
            }
            case FUNCTION_MAP ->
                    finishing(beside(n, ChaosFunctions.ITEMS), 2 * sum(n, ChaosFunctions.ITEMS));
            case FUNCTION_SLEEP -> finishing(Stream.of(twice(0, n), twice(1, 2 * n)), 6 * n);
            case FUNCTION_PEOPLE -> finishing(Stream.of(twice(0, n)), 2 * n);
            case FUNCTION_CHILDREN ->
                    new ExpectedCalls(
                            List.of(),
                            ChaosFunctions.CHILDREN,
                            Optional.of(sum(n, ChaosFunctions.CHILDREN) << ChaosFunctions.CHAIN));
            case FUNCTION_SAGA ->
                    input.has("declined")
                            ? new ExpectedCalls(
                                    Stream.concat(
                                                    beside(n, 3),
                                                    Stream.of(
                                                            release(2, 2 * (n + 2)),
                                                            release(1, n + 1),
                                                            release(0, 2 * n)))
                                            .toList(),
                                    0,
                                    Optional.empty())
                            : finishing(beside(n, 3), 2 * sum(n, 3));
            case CHAIN,
                    FAN,
                    SAGA,
                    FAMILY,
                    TIMER,
                    FLAKY,
                    LARGE,
                    APPROVAL,
                    SIGNAL,
                    FUNCTION,
                    ENDLESS_LOOP,
                    DEAF,
                    HOARD ->
                    throw new IllegalArgumentException(kind + " is none of these functions");
        };
    }

    private static ExpectedCalls finishing(Stream<String> tasks, long result) {
        return new ExpectedCalls(tasks.toList(), 0, Optional.of(result));
    }

    private static Stream<String> beside(long n, int count) {
        return IntStream.range(0, count).mapToObj(i -> twice(i, n + i));
    }

    private static long sum(long n, int count) {
        return LongStream.range(n, n + count).sum();
    }

    private static String twice(int step, long n) {
        return "double " + step + " of " + n;
    }

    private static String release(int step, long n) {
        return "release " + step + " of " + n;
    }

    private static long number(JsonObject of, String name) {
        return of.number(name).map(JsonNumber::asLong).orElse(-1L);
    }

    /// What a history has.
    ///
    /// @param events of a job, oldest first
    static ExpectedCalls in(List<JsonObject> events) {
        var tasks = new ArrayList<String>();
        var children = 0L;
        var result = Optional.<Long>empty();
        for (var event : events) {
            switch (event.string("type").orElse("")) {
                case "task.opened" -> tasks.add(text(event));
                case "tasks.opened" ->
                        event.array("tasks").stream()
                                .flatMap(JsonArray::stream)
                                .map(task -> text((JsonObject) task))
                                .forEach(tasks::add);
                case "children.requested" -> children += number(event, "count");
                case "child.requested" -> children++;
                case "job.ended" -> result = event.object("result").map(it -> number(it, "n"));
                default -> {
                    // is of no concern to a function
                }
            }
        }
        return new ExpectedCalls(tasks, (int) children, result);
    }

    private static String text(JsonObject task) {
        var params = task.object("params").orElse(JsonObject.EMPTY);
        return task.string("task_type").orElse("")
                + " "
                + params.get("step").map(JsonValue::toString).orElse("-")
                + " of "
                + params.get("n").map(JsonValue::toString).orElse("-");
    }
}
