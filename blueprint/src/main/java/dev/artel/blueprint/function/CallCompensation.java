package dev.artel.blueprint.function;

import dev.artel.json.JsonValue;
import dev.artel.kernel.task.TaskSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// How what a function called is compensated if its job fails or is cancelled.
public sealed interface CallCompensation {
    /// A task that is known before the call.
    record ByTask(TaskSpec task) implements CallCompensation {}

    /// A task that is made of the result of the call, by the code of the function, when the job is compensated.
    record ByResult(Function<JsonValue, TaskSpec> task) implements CallCompensation {}

    /// A task for each call of a map that has succeeded, made of its result.
    ///
    /// @param tasks one for each item of the map, in their order
    record EachByResult(List<Function<JsonValue, TaskSpec>> tasks) implements CallCompensation {
        /// Copies `tasks`.
        public EachByResult {
            tasks = List.copyOf(tasks);
        }
    }

    /// That of a map: the one task of the first call, or each call's own if they are compensated by their results.
    ///
    /// @param calls of the map, with what compensates each
    /// @throws IllegalArgumentException if some of them are compensated by their results, and others are not
    static Optional<CallCompensation> ofMap(List<Optional<CallCompensation>> calls) {
        var byResult = new ArrayList<Function<JsonValue, TaskSpec>>();
        for (var call : calls) {
            if (call.orElse(null) instanceof ByResult(var task)) {
                byResult.add(task);
            }
        }
        if (byResult.isEmpty()) {
            return calls.isEmpty() ? Optional.empty() : calls.getFirst();
        }
        if (byResult.size() < calls.size()) {
            throw new IllegalArgumentException(
                    byResult.size()
                            + " of the "
                            + calls.size()
                            + " calls of a map are compensated by their results; have all of them compensated so, or none");
        }
        return Optional.of(new EachByResult(byResult));
    }
}
