package dev.artel.kernel.job;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.util.List;

/// What a task of a job has brought, for a job that is forked off it.
///
/// @param task its number in the other job
/// @param worker who did it
public record RecordedResult(
        int task, String type, Payload params, WorkerId worker, String status, Payload data) {
    /// How many a fork takes along.
    public static final int MOST = 1000;

    /// The results of `job`, oldest first; the newest [#MOST].
    public static List<RecordedResult> of(Job job) {
        var all =
                job.tasks().stream()
                        .filter(task -> task.state() instanceof Task.Succeeded)
                        .map(task -> of(task, (Task.Succeeded) task.state()))
                        .toList();
        return all.subList(Math.max(0, all.size() - MOST), all.size());
    }

    public static RecordedResult of(Task task, Task.Succeeded done) {
        var spec = task.spec();
        return new RecordedResult(
                task.id(), spec.type(), spec.params(), done.worker(), done.status(), done.data());
    }

    /// Whether the inputs are the same.
    public boolean fits(TaskSpec spec) {
        return type.equals(spec.type()) && Payload.areSame(params, spec.params());
    }
}
