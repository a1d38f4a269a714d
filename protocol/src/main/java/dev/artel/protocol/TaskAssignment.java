package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A task handed to a worker.
///
/// @param taskId fresh for each hand-out, so it is the lease of workers that know no lease tokens
/// @param params empty where they are in `large`
/// @param tracingContext trace headers to pass on
/// @param large null for workers that did not ask
/// @param answers to the questions of earlier attempts
/// @param sig see [TaskSigner]; null: it is not signed
public record TaskAssignment(
        String jobId,
        String taskId,
        String type,
        JsonObject params,
        JsonObject tracingContext,
        Terms terms,
        @Nullable Large large,
        List<Answer> answers,
        @Nullable String sig)
        implements OrchestratorMessage {
    /// Copies `answers`.
    public TaskAssignment {
        answers = List.copyOf(answers);
    }

    /// A task that is not signed.
    public TaskAssignment(
            String jobId,
            String taskId,
            String type,
            JsonObject params,
            JsonObject tracingContext,
            Terms terms,
            @Nullable Large large,
            List<Answer> answers) {
        this(jobId, taskId, type, params, tracingContext, terms, large, answers, null);
    }

    /// A task whose values travel in messages.
    public TaskAssignment(
            String jobId,
            String taskId,
            String type,
            JsonObject params,
            JsonObject tracingContext,
            Terms terms) {
        this(jobId, taskId, type, params, tracingContext, terms, null, List.of());
    }

    /// The same task with other parameters.
    public TaskAssignment withParams(JsonObject other) {
        return new TaskAssignment(
                jobId, taskId, type, other, tracingContext, terms, large, answers, sig);
    }

    /// The same task, signed.
    TaskAssignment withSignature(String signature) {
        return new TaskAssignment(
                jobId, taskId, type, params, tracingContext, terms, large, answers, signature);
    }

    /// A question of an earlier attempt at the task, and its answer.
    ///
    /// @param id see [AskQuestion#id]
    public record Answer(String id, String question, String answer) {
        static Answer read(JsonValue value, String path) {
            var fields = Fields.of(value, path);
            return new Answer(
                    fields.id("id"), fields.string("question", ""), fields.string("answer"));
        }

        JsonObject toJson() {
            return JsonObject.builder()
                    .put("id", id)
                    .put("question", question)
                    .put("answer", answer)
                    .build();
        }
    }

    /// What does not travel in messages.
    ///
    /// @param params the parameters, where they were larger than the worker wants them; null if they are in the message
    /// @param put where a large result can be put, perhaps relative to the orchestrator's address
    /// @param maxBytes how many bytes that may have
    public record Large(@Nullable ValueRef params, String put, long maxBytes) {}

    /// Under what terms a task is handed out.
    ///
    /// @param leaseToken null from orchestrators that know no leases
    /// @param attempt from 1
    /// @param priority higher is sooner
    /// @param deadline when the result is of no more use; null for never
    /// @param lease how long the worker holds the task without a renewal; null if it need not renew
    public record Terms(
            @Nullable String leaseToken,
            int attempt,
            double priority,
            @Nullable Instant deadline,
            @Nullable Duration lease) {
        /// A first attempt without a lease.
        public static final Terms NONE = new Terms(null, 1, 0, null, null);
    }

    /// What proves the right to report: the lease token, or else the id of the hand-out.
    public String lease() {
        return terms.leaseToken() == null ? taskId : terms.leaseToken();
    }

    /// Reads the task object of any generation of orchestrators.
    ///
    /// @throws MalformedMessage if a member has the wrong type or an id is missing
    public static TaskAssignment read(JsonValue task) {
        return read(task, "");
    }

    /// Reads the answer to a poll: one task object, or `{"tasks":[...]}`.
    ///
    /// @throws MalformedMessage if a member has the wrong type or an id is missing
    public static List<TaskAssignment> readAll(JsonValue answer) {
        var fields = Fields.of(answer, "");
        return fields.has("tasks")
                ? fields.list("tasks", TaskAssignment::read)
                : List.of(read(answer, ""));
    }

    private static TaskAssignment read(JsonValue task, String path) {
        var fields = Fields.of(task, path);
        var deadline = fields.findCount("deadline");
        var lease = fields.findCount("lease_ms");
        var large = fields.findObject("large_values");
        return new TaskAssignment(
                fields.id("job_id"),
                fields.id("task_id"),
                fields.id("type"),
                fields.object("params"),
                fields.object("tracing_context"),
                new Terms(
                        fields.findString("lease_token"),
                        fields.count("attempt", 1),
                        fields.decimal("priority", 0),
                        deadline == null ? null : Instant.ofEpochMilli(deadline),
                        lease == null ? null : Duration.ofMillis(lease)),
                large == null ? null : large(large),
                fields.list("answers", Answer::read),
                fields.findString("sig"));
    }

    private static Large large(Fields fields) {
        var params = fields.findObject("params");
        var most = fields.findCount("max_bytes");
        return new Large(
                params == null ? null : ValueRef.read(params),
                fields.id("put"),
                most == null ? Long.MAX_VALUE : most);
    }

    @Override
    public JsonObject toJson() {
        var json =
                JsonObject.builder()
                        .put("job_id", jobId)
                        .put("task_id", taskId)
                        .put("type", type)
                        .put("params", params)
                        .put("tracing_context", tracingContext);
        if (terms.leaseToken() != null) {
            json.put("lease_token", terms.leaseToken());
        }
        json.put("attempt", terms.attempt()).put("priority", JsonNumbers.of(terms.priority()));
        if (terms.deadline() != null) {
            json.put("deadline", terms.deadline().toEpochMilli());
        }
        if (terms.lease() != null) {
            json.put("lease_ms", terms.lease().toMillis());
        }
        if (large != null) {
            var more = JsonObject.builder().put("put", large.put());
            more.put("max_bytes", large.maxBytes());
            if (large.params() != null) {
                more.put("params", large.params().toJson());
            }
            json.put("large_values", more.build());
        }
        if (!answers.isEmpty()) {
            var all = answers.stream().map(answer -> (JsonValue) answer.toJson()).toList();
            json.put("answers", new JsonArray(all));
        }
        if (sig != null) {
            json.put("sig", sig);
        }
        return json.build();
    }

    /// The answer to a poll that asked for several tasks.
    public static JsonObject toJson(List<TaskAssignment> tasks) {
        var array = tasks.stream().map(task -> (JsonValue) task.toJson()).toList();
        return JsonObject.of("tasks", new JsonArray(array));
    }
}
