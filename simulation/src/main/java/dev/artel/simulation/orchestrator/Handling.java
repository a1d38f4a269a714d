package dev.artel.simulation.orchestrator;

import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.World;
import java.util.Optional;

/// How handlers are called, and where large values are.
public interface Handling {
    /// The message of a handler that was interrupted.
    String TOO_LONG = "it takes too long";

    /// What comes of a run of a handler.
    JobCommand outcome(Job job, Effect.RunStep step, Blueprint blueprint, State state);

    /// The same before what led to `step` is durable; empty if its handler waits for that.
    default Optional<JobCommand> outcomeAhead(
            Job job, Effect.RunStep step, Blueprint blueprint, State state) {
        return Optional.of(outcome(job, step, blueprint, state));
    }

    JsonValue resolve(Payload payload);

    Payload keep(Payload payload);

    TaskReport keep(TaskReport report);

    /// The process has died, and what handlers kept in its memory is gone.
    default void forget() {}

    /// How a handler fails at the simulated moment.
    static JobCommand failure(
            World world, Effect.RunStep step, State state, String message, boolean retryable) {
        return new JobCommand.FailStep(
                step.id(),
                message,
                retryable,
                world.random().nextDouble(),
                world.has(Mutant.RETRIES_FORGOTTEN) ? Optional.empty() : state.retry(),
                world.now());
    }
}
