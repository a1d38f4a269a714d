package dev.artel.blueprint.function;

import dev.artel.json.JsonValue;
import dev.artel.kernel.task.TaskSpec;
import java.util.function.Function;

/// How what a function called is compensated if its job fails or is cancelled.
public sealed interface CallCompensation {
    /// A task that is known before the call.
    record ByTask(TaskSpec task) implements CallCompensation {}

    /// A task that is made of the result of the call, by the code of the function, when the job is compensated.
    record ByResult(Function<JsonValue, TaskSpec> task) implements CallCompensation {}
}
