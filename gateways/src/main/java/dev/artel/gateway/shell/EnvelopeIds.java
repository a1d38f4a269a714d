package dev.artel.gateway.shell;

import dev.artel.json.JsonObject;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import org.jspecify.annotations.Nullable;

/// The ids in the envelope of a result of which the rest cannot be read.
public record EnvelopeIds(@Nullable String job, @Nullable String task, @Nullable String worker) {
    /// Whether they name which attempt the result belongs to.
    public boolean isComplete() {
        return job != null && !job.isBlank() && task != null && !task.isBlank();
    }

    /// An envelope with the ids alone.
    public JsonObject toJson() {
        var json = JsonObject.builder().put("job_id", text(job)).put("task_id", text(task));
        return (worker == null ? json : json.put("worker_id", worker)).build();
    }

    /// The result that ends the attempt with `outcome`.
    public TaskResult result(TaskOutcome outcome) {
        return new TaskResult(text(job), text(task), worker, null, outcome);
    }

    private static String text(@Nullable String id) {
        return id == null ? "" : id;
    }
}
