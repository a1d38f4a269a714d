package dev.artel.kernel.engine;

import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.TraceContext;
import dev.artel.kernel.question.Answer;
import dev.artel.kernel.task.TaskSpec;
import java.util.List;
import java.util.Optional;

/// A task on its way to a worker; its lease is durable.
///
/// @param task its number in its job
/// @param trace what its worker is to go on with
/// @param answers to the questions of earlier attempts at it
public record HandOut(
        JobId job,
        int task,
        Lease lease,
        TaskSpec spec,
        double priority,
        Optional<TraceContext> trace,
        List<Answer> answers) {
    /// A task of a job that is part of no trace, and of which nothing was asked.
    public HandOut(JobId job, int task, Lease lease, TaskSpec spec, double priority) {
        this(job, task, lease, spec, priority, Optional.empty(), List.of());
    }

    /// Copies `answers`.
    public HandOut {
        answers = List.copyOf(answers);
    }
}
