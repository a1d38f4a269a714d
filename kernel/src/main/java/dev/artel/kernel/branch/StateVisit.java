package dev.artel.kernel.branch;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.rules.JobFold;
import dev.artel.kernel.task.JobData;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;

/// A moment at which branch 0 of a job entered a state.
///
/// @param state the state
/// @param data what its handler saw
/// @param tasks how many tasks the job had
/// @param done how many things it had done that can be compensated
/// @param run of the job, see [GuardBaseline#run]
public record StateVisit(String state, JobData data, int tasks, int done, int run) {
    /// A visit of the first run.
    public StateVisit(String state, JobData data, int tasks, int done) {
        this(state, data, tasks, done, 0);
    }

    /// This visit with other data.
    public StateVisit withData(JobData other) {
        return new StateVisit(state, other, tasks, done, run);
    }

    /// The last visit of `state` in the last run of `job`, under its present definition; empty if it was never there.
    ///
    /// @param events all of them, in order; iterated once
    public static Optional<StateVisit> last(JobId job, Iterable<JobEvent> events, String state) {
        Optional<StateVisit> found = Optional.empty();
        var jobFold = new JobFold(new JobState.Unsubmitted(job));
        for (var event : events) {
            jobFold.apply(event);
            if (event instanceof JobEvent.JobContinued
                    || event instanceof JobEvent.DefinitionReplaced) {
                found = Optional.empty();
            }
            if (event instanceof JobEvent.StateEntered(int branch, var entered, var cause, var _)
                    && branch == 0
                    && entered.equals(state)) {
                var now = jobFold.job();
                found =
                        Optional.of(
                                new StateVisit(
                                        state,
                                        now.dataFor(0, cause),
                                        now.tasks().size(),
                                        now.compensationLog().registered().size(),
                                        now.guardBaseline().run()));
            }
        }
        return found;
    }

    /// The states in which branch 0 was in the last run under the present definition, each once, in their order.
    ///
    /// @param events all of them, in order; iterated once
    public static SequencedSet<String> states(Iterable<JobEvent> events) {
        var states = new LinkedHashSet<String>();
        for (var event : events) {
            if (event instanceof JobEvent.JobContinued
                    || event instanceof JobEvent.DefinitionReplaced) {
                states.clear();
            }
            if (event instanceof JobEvent.StateEntered entered && entered.branch() == 0) {
                states.add(entered.state());
            }
        }
        return states;
    }
}
