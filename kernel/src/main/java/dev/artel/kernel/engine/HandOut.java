package dev.artel.kernel.engine;

import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskSpec;

/// A task on its way to a worker; its lease is durable.
///
/// @param task its number in its job
public record HandOut(JobId job, int task, Lease lease, TaskSpec spec, double priority) {}
