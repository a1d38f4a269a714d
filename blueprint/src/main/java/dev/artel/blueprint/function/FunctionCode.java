package dev.artel.blueprint.function;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.DurableFunction;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;

/// What an author wrote, with the types of its input and its result.
record FunctionCode<I, O>(BlueprintType<I, O> type, DurableFunction<I, O> function) {
    /// A run of it that has asked for nothing yet.
    FunctionRun<I> begin(
            JobId job, JsonObject initialData, FunctionRun.Sources sources, FunctionThread thread) {
        return new FunctionRun<>(this, job, initialData, sources, thread);
    }

    /// The result as JSON.
    JsonValue run(FunctionRun<I> run, JsonObject input) throws Exception {
        return type.output().write(function.run(run, type.input().read(input, "input")));
    }
}
