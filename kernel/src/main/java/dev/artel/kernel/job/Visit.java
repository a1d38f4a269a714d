package dev.artel.kernel.job;

import dev.artel.kernel.task.JobData;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/// A moment at which strand 0 of a job entered a state.
///
/// @param state the state
/// @param data what its handler saw
/// @param tasks how many tasks the job had
/// @param done how many things it had done that can be undone
/// @param run of the job, see [Allowance#run]
public record Visit(String state, JobData data, int tasks, int done, int run) {
    /// A visit of the first run.
    public Visit(String state, JobData data, int tasks, int done) {
        this(state, data, tasks, done, 0);
    }

    /// This visit with other data.
    public Visit withData(JobData other) {
        return new Visit(state, other, tasks, done, run);
    }

    /// The last visit of `state` in the last run of `job`; empty if it was never there.
    ///
    /// @param events all of them, in order
    public static Optional<Visit> last(JobId job, List<JobEvent> events, String state) {
        Optional<Visit> found = Optional.empty();
        var folding = new Folding(new JobState.Unsubmitted(job));
        for (var event : events) {
            folding.apply(event);
            if (event instanceof JobEvent.JobContinued) {
                found = Optional.empty();
            }
            if (event instanceof JobEvent.StateEntered(int strand, var entered, var cause, var _)
                    && strand == 0
                    && entered.equals(state)) {
                var now = folding.job();
                found =
                        Optional.of(
                                new Visit(
                                        state,
                                        now.dataFor(0, cause),
                                        now.tasks().size(),
                                        now.undo().done().size(),
                                        now.allowance().run()));
            }
        }
        return found;
    }

    /// The states in which strand 0 was in the last run, each once, in their order.
    ///
    /// @param events all of them, in order
    public static SequencedSet<String> states(List<JobEvent> events) {
        var states = new LinkedHashSet<String>();
        for (var event : events) {
            if (event instanceof JobEvent.JobContinued) {
                states.clear();
            }
            if (event instanceof JobEvent.StateEntered entered && entered.strand() == 0) {
                states.add(entered.state());
            }
        }
        return states;
    }
}
