package dev.artel.kernel.blueprint;

import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// One state of a blueprint.
///
/// @param name unique in its blueprint
/// @param start whether jobs begin here
/// @param next the states to which its handler may lead, in order; empty for an end
/// @param handler what happens in it; empty: the job ends
/// @param failed whether a job that ends here without a handler has failed
/// @param pure whether its handler only computes; see [Blueprint.Builder#pure]
/// @param retry how often its handler is run again when it fails; empty: as the guards set it
/// @param handlerTime how long a run of its handler may take; empty: as the guards set it
/// @param serial whether its handler runs for one branch of a job at a time; see [Blueprint.Builder#serial]
public record State(
        String name,
        boolean start,
        List<String> next,
        Optional<StepHandler> handler,
        boolean failed,
        boolean pure,
        Optional<RetryPolicy> retry,
        Optional<Duration> handlerTime,
        boolean serial) {
    /// Copies `next`.
    public State {
        next = List.copyOf(next);
    }

    /// A state with the defaults for how its handler is run.
    public State(
            String name,
            boolean start,
            List<String> next,
            Optional<StepHandler> handler,
            boolean failed,
            boolean pure) {
        this(name, start, next, handler, failed, pure, Optional.empty(), Optional.empty(), false);
    }

    /// Whether a job that enters it has ended.
    public boolean isEnd() {
        return handler.isEmpty();
    }

    /// How a job ends here, with `changes` of its data that are still to be made.
    ///
    /// @throws IllegalStateException if this is no end
    public Action.Finish finish(JobData changes) {
        if (!isEnd()) {
            throw new IllegalStateException("state '" + name + "' has a handler and is no end");
        }
        var outcome =
                failed
                        ? new JobOutcome.Failed("the job ended in state '" + name + "'")
                        : new JobOutcome.Finished(Payload.EMPTY);
        return new Action.Finish(outcome, changes);
    }
}
