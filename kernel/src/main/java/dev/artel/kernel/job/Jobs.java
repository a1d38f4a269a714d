package dev.artel.kernel.job;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.rules.JobDecider;
import dev.artel.kernel.rules.JobFold;
import dev.artel.kernel.rules.PendingEffects;
import java.util.ArrayList;
import java.util.List;

/// The rules of a job, as pure functions: the same arguments give the same answer, in every process.
public final class Jobs {
    private Jobs() {}

    /// What happens to `state` when `command` is given.
    ///
    /// [JobState] and [JobCommand] make the table; the rows are in [JobDecider].
    public static Decision decide(JobState state, JobCommand command) {
        return new JobDecider(state).on(command);
    }

    /// Whether something comes of what a worker reports under a lease. Of a lease that is over nothing does, and nothing ever will: what
    /// such a report carries need not be kept before it is decided.
    public static boolean awaitsReport(Job job, int task, LeaseToken token, WorkerId worker) {
        return JobDecider.awaitsReport(job, task, token, worker);
    }

    /// `state` after `event`, which must be the next one of its stream.
    public static JobState apply(JobState state, JobEvent event) {
        return evolve(state, List.of(event)).after();
    }

    /// What `event` newly asks for in `before`, and what it answers or withdraws.
    public static Evolution effectsOf(JobState before, JobEvent event) {
        return evolve(before, List.of(event));
    }

    /// `before` after `events`, with the effects that they ask for, answer or withdraw, in order.
    public static Evolution evolve(JobState before, List<JobEvent> events) {
        var jobFold = new JobFold(before);
        events.forEach(jobFold::apply);
        return new Evolution(jobFold.state(), jobFold.asked(), jobFold.ended());
    }

    /// All that `state` still asks for, in a defined order; after a crash this is what there is to do.
    public static List<Effect> pending(JobState state) {
        var effects = new ArrayList<Effect>();
        if (state instanceof Job job) {
            PendingEffects.pending(job, effects::add);
        }
        return effects;
    }

    /// What events make of a job.
    ///
    /// @param asked effects that are newly pending
    /// @param ended effects that were pending and no longer are
    public record Evolution(JobState after, List<Effect> asked, List<Effect> ended) {}
}
