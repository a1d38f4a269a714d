package dev.artel.server.api.tasks;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.job.Hedge;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.Requirements;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Selection;
import dev.artel.server.api.people.QuestionDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A task as clients see it.
public final class TaskDocument {
    /// All members that a task can have.
    static final List<String> FIELDS =
            List.of(
                    "task",
                    "type",
                    "status",
                    "attempt",
                    "failed_attempts",
                    "lost_attempts",
                    "not_before",
                    "deadline",
                    "waits_because",
                    "worker",
                    "times_out_at",
                    "error",
                    "placed_because",
                    "wire",
                    "progress",
                    "branch",
                    "opened_at",
                    "params",
                    "limits",
                    "result_status",
                    "result",
                    "attempts");

    /// The words of [#status].
    public static final List<String> STATUSES =
            List.of(
                    "planned",
                    "queued",
                    "leased",
                    "parked",
                    "unanswered",
                    "succeeded",
                    "in_doubt",
                    "failed",
                    "cancelled");

    private final ApiJson apiJson;
    private final ProgressBoard progress;

    TaskDocument(ApiJson apiJson, ProgressBoard progress) {
        this.apiJson = apiJson;
        this.progress = progress;
    }

    /// Finds out why queued tasks have no worker yet.
    @FunctionalInterface
    public interface Waiting {
        /// The reasons of those of `tasks` that are queued.
        Map<Integer, WaitReason> whyNotYet(JobId job, List<Integer> tasks);

        /// Asks for those of `tasks` that wait for a worker, the first `most` of them.
        default Map<Integer, WaitReason> whyNotYet(Job job, Stream<Task> tasks, int most) {
            return whyNotYet(
                    job.id(),
                    tasks.filter(TaskDocument::isQueued).limit(most).map(Task::id).toList());
        }
    }

    /// Whether an attempt of it waits for a worker.
    public static boolean isQueued(Task task) {
        return task.state() instanceof Task.Open(Attempt.Queued _, int _, var _)
                || task.hedge()
                        .filter(it -> it instanceof Hedge.Second(Attempt.Queued _))
                        .isPresent();
    }

    /// How many tasks are in each status.
    public static JsonObject counts(Job job) {
        var counts = new LinkedHashMap<String, Integer>();
        counts.put("total", job.tasks().size());
        for (var task : job.tasks()) {
            counts.merge(status(task), 1, Integer::sum);
        }
        var json = JsonObject.builder();
        counts.forEach(json::put);
        return json.build();
    }

    /// The lease of a task that is with a worker; empty for others.
    public static Optional<Lease> lease(Task task) {
        return task.state() instanceof Task.Open(Attempt.Held held, int _, var _)
                ? Optional.of(held.lease())
                : Optional.empty();
    }

    /// A line of a job's list of tasks.
    ///
    /// @param reasons why tasks have no worker yet
    public static JsonObject summary(
            Task task, JobEvent.@Nullable LeaseGranted grant, Map<Integer, WaitReason> reasons) {
        return head(task, grant, reasons).build();
    }

    /// About how much memory the values in [#detail] take while it is written.
    static long weight(Task task, Selection wanted) {
        var values = new ArrayList<Payload>();
        if (wanted.has("params")) {
            values.add(task.spec().params());
        }
        if (wanted.has("result") && task.state() instanceof Task.Succeeded done) {
            values.add(done.data());
        }
        return ApiJson.weight(values.stream());
    }

    /// The whole document of a task.
    JsonObject detail(JobReading reading, Task task, Waiting waiting, Selection wanted) {
        var shown = apiJson.ofJob(reading.job().id(), ApiJson.LARGEST);
        var json =
                head(
                                task,
                                reading.grants().get(task.id()),
                                waiting.whyNotYet(reading.job(), Stream.of(task), 1))
                        .put("branch", task.branch())
                        .put("opened_at", ApiJson.of(task.opened()))
                        .put("limits", limits(task))
                        .put("demand", DemandDocument.of(task.spec().demand()));
        if (wanted.has("params")) {
            shown.put(json, "params", task.spec().params());
        }
        if (task.state() instanceof Task.Open(Attempt.Held held, int _, var _)) {
            progress.find(reading.job().id(), task.id(), held.lease().token())
                    .ifPresent(reported -> json.put("progress", progress(reported)));
        }
        if (task.state() instanceof Task.Succeeded done) {
            json.put("result_status", done.status());
            if (wanted.has("result")) {
                shown.put(json, "result", done.data());
            }
        }
        if (!task.answers().isEmpty()) {
            json.put("answers", QuestionDocument.answers(task));
        }
        var attempts = Attempts.of(reading, task.id());
        json.put("attempts", attempts.shown());
        if (attempts.leftOut() > 0) {
            json.put("attempts_left_out", attempts.leftOut());
        }
        return wanted.from(json.build());
    }

    private static JsonObject progress(ProgressBoard.Reported reported) {
        return JsonObject.builder()
                .put("fraction", JsonNumber.of(reported.fraction()))
                .put("message", reported.message())
                .put("at", ApiJson.of(reported.at()))
                .build();
    }

    /// The task as clients of the first generation know it.
    public static JsonObject info(Task task, ApiJson shown) {
        var spec = task.spec();
        return shown.put(JsonObject.builder().put("type", spec.type()), "params", spec.params())
                .put("dispatch_strategy", spec.demand().preferences().strategy().word())
                .put("resource_requirements", requirements(spec.demand()))
                .put("timeout_seconds", seconds(spec.limits().executionTimeout()))
                .put(
                        "max_cost",
                        spec.demand().maxCost().<JsonValue>map(JsonValue::of).orElse(JsonNull.NULL))
                .build();
    }

    private static JsonValue requirements(Demand demand) {
        return demand.requirements().equals(Requirements.NOTHING)
                ? JsonNull.NULL
                : DemandDocument.of(demand);
    }

    private static JsonObject.Builder head(
            Task task, JobEvent.@Nullable LeaseGranted grant, Map<Integer, WaitReason> reasons) {
        var json =
                JsonObject.builder()
                        .put("task", task.id())
                        .put("type", task.spec().type())
                        .put("status", status(task));
        switch (task.state()) {
            case Task.Open(Attempt.Queued queued, int failed, var lostBy) -> {
                json.put("attempt", queued.attempt())
                        .put("failed_attempts", failed)
                        .put("lost_attempts", lostBy.size())
                        .put("not_before", ApiJson.of(queued.notBefore()));
                queued.deadline().ifPresent(timer -> json.put("deadline", ApiJson.of(timer.at())));
                because(json, reasons.get(task.id()));
            }
            case Task.Open(
                            Attempt.Leased(var _, var lease, var _, double _),
                            int failed,
                            var lostBy) -> {
                json.put("attempt", lease.attempt())
                        .put("failed_attempts", failed)
                        .put("lost_attempts", lostBy.size())
                        .put("worker", lease.worker().value())
                        .put("times_out_at", ApiJson.of(lease.timeout()));
                hedge(task, reasons).ifPresent(second -> json.put("hedge", second));
            }
            case Task.Open(Attempt.Parked parked, int failed, var lostBy) ->
                    json.put("attempt", parked.lease().attempt())
                            .put("failed_attempts", failed)
                            .put("lost_attempts", lostBy.size())
                            .put("worker", parked.lease().worker().value())
                            .put("question", QuestionDocument.open(task, parked.question()));
            case Task.Open(Attempt.Unanswered(var last, var question), int failed, var lostBy) ->
                    json.put("attempt", last.attempt())
                            .put("failed_attempts", failed)
                            .put("lost_attempts", lostBy.size())
                            .put("question", QuestionDocument.open(task, question));
            case Task.Succeeded done ->
                    json.put("attempt", done.attempt()).put("worker", done.worker().value());
            case Task.Doubtful doubt ->
                    json.put("attempt", doubt.lease().attempt())
                            .put("worker", doubt.lease().worker().value())
                            .put("failed_attempts", doubt.failed())
                            .put("lost_attempts", doubt.lostBy().size())
                            .put("in_doubt_because", doubt.reason());
            case Task.Failed(var error) -> json.put("error", ApiJson.of(error));
            case Task.Planned _, Task.Cancelled _ -> {
                // there is nothing to add
            }
        }
        if (grant != null && !(task.state() instanceof Task.Open(Attempt.Queued _, int _, var _))) {
            json.put("placed_because", grant.placement().because())
                    .put("wire", grant.placement().wire());
        }
        return json;
    }

    private static void because(JsonObject.Builder json, @Nullable WaitReason reason) {
        if (reason != null) {
            json.put("waits_because", PlacementDocument.of(reason));
        }
    }

    /// The second attempt of a task that is hedged.
    private static Optional<JsonObject> hedge(Task task, Map<Integer, WaitReason> reasons) {
        return task.hedge()
                .map(hedge ->
                        switch (hedge) {
                            case Hedge.Due(var timer) ->
                                    JsonObject.builder()
                                            .put("status", "due")
                                            .put("begins_at", ApiJson.of(timer.at()));
                            case Hedge.Second(Attempt.Queued queued) -> {
                                var json =
                                        JsonObject.builder()
                                                .put("status", "queued")
                                                .put("attempt", queued.attempt());
                                because(json, reasons.get(task.id()));
                                yield json;
                            }
                            case Hedge.Second(Attempt.Unanswered _) ->
                                    throw new IllegalStateException(
                                            "a second attempt asks nothing: " + task);
                            case Hedge.Second(Attempt.Held held) -> held(held.lease());
                        })
                .map(JsonObject.Builder::build);
    }

    private static JsonObject.Builder held(Lease lease) {
        return JsonObject.builder()
                .put("status", "leased")
                .put("attempt", lease.attempt())
                .put("worker", lease.worker().value())
                .put("times_out_at", ApiJson.of(lease.timeout()));
    }

    /// The status of a task, one of [#STATUSES].
    public static String status(Task task) {
        return switch (task.state()) {
            case Task.Planned _ -> "planned";
            case Task.Open(Attempt.Queued _, int _, var _) -> "queued";
            case Task.Open(Attempt.Leased _, int _, var _) -> "leased";
            case Task.Open(Attempt.Parked _, int _, var _) -> "parked";
            case Task.Open(Attempt.Unanswered _, int _, var _) -> "unanswered";
            case Task.Succeeded _ -> "succeeded";
            case Task.Doubtful _ -> "in_doubt";
            case Task.Failed _ -> "failed";
            case Task.Cancelled _ -> "cancelled";
        };
    }

    private static JsonObject limits(Task task) {
        var limits = task.spec().limits();
        var json =
                JsonObject.builder()
                        .put("max_attempts", limits.retry().maxAttempts())
                        .put("max_lost", limits.maxLost())
                        .put("execution_timeout_seconds", seconds(limits.executionTimeout()));
        limits.dispatchDeadline()
                .ifPresent(limit -> json.put("dispatch_deadline_seconds", seconds(limit)));
        task.spec()
                .hedgedAfter()
                .ifPresent(after -> json.put("hedged_after_seconds", seconds(after)));
        if (!task.spec().sharedLimits().isEmpty()) {
            json.put(
                    "limited_by",
                    ApiJson.texts(
                            task.spec().sharedLimits().stream().map(SharedLimit::key).toList()));
        }
        return json.build();
    }

    private static JsonNumber seconds(Duration duration) {
        return JsonNumber.of(duration.toMillis() / 1000d);
    }
}
