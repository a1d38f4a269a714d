package dev.artel.protocol;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import org.jspecify.annotations.Nullable;

/// A worker's report on one hand-out of a task.
///
/// @param taskId the id of the hand-out; the lease of workers that send no lease token
/// @param workerId null if the worker left it out
/// @param leaseToken null from workers that know no leases
/// @param metrics what the attempt used, as tokens and money, in the words of the worker; null if it did not report it
public record TaskResult(
        String jobId,
        String taskId,
        @Nullable String workerId,
        @Nullable String leaseToken,
        TaskOutcome outcome,
        @Nullable JsonObject metrics)
        implements WorkerMessage {
    /// A report without metrics.
    public TaskResult(
            String jobId,
            String taskId,
            @Nullable String workerId,
            @Nullable String leaseToken,
            TaskOutcome outcome) {
        this(jobId, taskId, workerId, leaseToken, outcome, null);
    }

    /// This with another outcome.
    public TaskResult with(TaskOutcome other) {
        return new TaskResult(jobId, taskId, workerId, leaseToken, other, metrics);
    }

    /// What proves the right to report: the lease token, or else the id of the hand-out.
    public String lease() {
        return leaseToken == null ? taskId : leaseToken;
    }

    /// Reads an envelope of any generation: with a nested `result`, which may be null, or flat.
    ///
    /// @throws MalformedMessage if a member has the wrong type or an id is missing
    public static TaskResult read(JsonValue envelope) {
        return read(envelope, "");
    }

    /// Whether an envelope is that of a worker that reports flat results: their members beside the ids.
    public static boolean isFlat(JsonValue envelope) {
        return envelope instanceof JsonObject object
                && object.has("status")
                && !object.has("result");
    }

    static TaskResult read(JsonValue envelope, String path) {
        var fields = Fields.of(envelope, path);
        return new TaskResult(
                fields.id("job_id"),
                fields.id("task_id"),
                worker(fields),
                fields.findString("lease_token"),
                TaskOutcome.read(fields, "result"),
                metrics(fields.object()));
    }

    /// Workers of the later generations report them as `costs`.
    private static @Nullable JsonObject metrics(JsonObject envelope) {
        var metrics = envelope.object("metrics").orElse(null);
        return envelope.object("costs")
                .map(costs -> metrics == null ? costs : costs.merge(metrics))
                .orElse(metrics);
    }

    private static @Nullable String worker(Fields fields) {
        var worker = fields.findString("worker_id");
        return worker == null ? fields.findString("origin_worker_id") : worker;
    }

    /// The envelope with a nested `result`.
    public JsonObject toJson() {
        var json = JsonObject.builder().put("job_id", jobId).put("task_id", taskId);
        if (workerId != null) {
            json.put("worker_id", workerId);
        }
        if (leaseToken != null) {
            json.put("lease_token", leaseToken);
        }
        if (metrics != null) {
            json.put("metrics", metrics);
        }
        return json.put("result", outcome.toJson()).build();
    }
}
