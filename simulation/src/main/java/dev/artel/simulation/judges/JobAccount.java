package dev.artel.simulation.judges;

import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Task;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The part of the [Ledger] about one job: its events, their fold, and what has come of it.
final class JobAccount {
    JobState fold;
    final List<JobEvent> events = new ArrayList<>();

    /// The tasks of runs that are over: a job may be forked at one of them.
    final List<Task> earlier = new ArrayList<>();

    final Set<Integer> settled = new HashSet<>();
    final Set<EffectId> stepsDone = new HashSet<>();
    final Set<String> signals = new HashSet<>();
    final Set<String> signalsTaken = new HashSet<>();
    Set<EffectId> pending = Set.of();

    JobAccount(JobId job) {
        fold = new JobState.Unsubmitted(job);
    }

    int tasks() {
        return ((Job) fold).tasks().size();
    }

    /// The task `task` of a job that has begun.
    Task task(int task) {
        return ((Job) fold).tasks().get(task);
    }
}
