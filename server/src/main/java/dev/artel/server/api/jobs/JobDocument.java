package dev.artel.server.api.jobs;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Pause;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.job.TraceContext;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.task.Payload;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Selection;
import dev.artel.server.api.tasks.BudgetDocument;
import dev.artel.server.api.tasks.TaskDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A job as clients see it. The names are those that clients of the first generation know; what a job does not have
/// is left out.
final class JobDocument {
    /// How many tasks the document of a job lists.
    static final int TASKS = 100;

    /// The members of a line of a list.
    static final List<String> ROW_FIELDS =
            List.of(
                    "id",
                    "blueprint_name",
                    "current_state",
                    "status",
                    "error_message",
                    "parent_job_id",
                    "priority",
                    "labels",
                    "created_at",
                    "updated_at");

    /// All members that a job can have.
    static final List<String> FIELDS =
            Stream.concat(
                            ROW_FIELDS.stream(),
                            Stream.of(
                                    "blueprint_version",
                                    "initial_data",
                                    "state_history",
                                    "result",
                                    "cancelling",
                                    "paused",
                                    "client_config",
                                    "tracing_context",
                                    "retry_at",
                                    "retry_count",
                                    "current_task_info",
                                    "current_task_id",
                                    "current_task_transitions",
                                    "task_dispatched_at",
                                    "task_worker_id",
                                    "aggregation_target",
                                    "active_branches",
                                    "waiting_until",
                                    "waiting_for_state",
                                    "waiting_for_signal",
                                    "approval",
                                    "approvals",
                                    "branches",
                                    "signals",
                                    "child_job_id",
                                    "tree",
                                    "compensation",
                                    "children_count",
                                    "child_counts",
                                    "children",
                                    "budget",
                                    "warnings",
                                    "deadline",
                                    "version",
                                    "continued",
                                    "task_counts",
                                    "tasks"))
                    .toList();

    private final ApiJson apiJson;

    JobDocument(ApiJson apiJson) {
        this.apiJson = apiJson;
    }

    /// About how much memory the values take that are `wanted` of `job`, while the document is written.
    static long weight(Job job, Selection wanted) {
        var values = new ArrayList<Payload>();
        if (wanted.has("initial_data")) {
            values.addAll(job.spec().initialData().values().values());
        }
        if (wanted.has("state_history")) {
            values.addAll(job.data().values().values());
        }
        if (wanted.has("result")
                && job.phase() instanceof Job.Ended(JobOutcome.Finished(var result), var _)) {
            values.add(result);
        }
        if (wanted.has("current_task_info")
                && job.branches().get(0).doing() instanceof Branch.AwaitingTask(int task, var _)) {
            values.add(job.tasks().get(task).spec().params());
        }
        return ApiJson.weight(values.stream());
    }

    /// What is `wanted` of a job; values that are not are not read.
    JsonObject of(JobReading reading, TaskDocument.Waiting waiting, Selection wanted) {
        var job = reading.job();
        var shown = apiJson.ofJob(job.id(), ApiJson.LARGEST);
        var spec = job.spec();
        var json = JsonObject.builder();
        json.put("id", job.id().value());
        json.put("blueprint_name", spec.blueprint().name());
        json.put("blueprint_version", spec.blueprint().version());
        json.put("current_state", job.branches().get(0).state());
        json.put("status", job.status());
        if (wanted.has("initial_data")) {
            json.put("initial_data", shown.of(spec.initialData()));
        }
        if (wanted.has("state_history")) {
            json.put("state_history", shown.of(job.data()));
        }
        if (wanted.has("result")
                && job.phase() instanceof Job.Ended(JobOutcome.Finished(var result), var _)) {
            shown.put(json, "result", result);
        }
        job.errorMessage().ifPresent(message -> json.put("error_message", message));
        if (job.phase() instanceof Job.Cancelling(var reason, var grace, var _)) {
            json.put(
                    "cancelling",
                    JsonObject.of("reason", JsonValue.of(reason), "until", ApiJson.of(grace.at())));
        }
        job.pause().ifPresent(pause -> json.put("paused", paused(pause)));
        json.put("client_config", clientConfig(spec));
        json.put(
                "tracing_context",
                spec.options().trace().map(TraceContext::headers).orElse(JsonObject.EMPTY));
        putCurrent(job, shown, wanted, json);
        BranchDocument.put(job, json);
        json.put("priority", JsonNumber.of(spec.options().priority()));
        spec.options().deadline().ifPresent(at -> json.put("deadline", ApiJson.of(at)));
        json.put("labels", ApiJson.of(spec.options().labels()));
        json.put("created_at", ApiJson.of(job.submitted()));
        json.put("updated_at", ApiJson.of(reading.updated()));
        json.put("version", job.version());
        if (job.guardBaseline().run() > 0) {
            json.put("continued", job.guardBaseline().run());
        }
        if (wanted.has("task_counts")) {
            json.put("task_counts", TaskDocument.counts(job));
        }
        // The dispatcher is asked for each task that waits, and the history is read for grants.
        if (wanted.has("tasks")) {
            putTasks(reading, waiting, json);
        }
        ChildrenDocument.put(job, json);
        CompensationDocument.put(job, json);
        BudgetDocument.put(job, json);
        GuardWarnings.put(job, json);
        return wanted.from(json.build());
    }

    /// A line of a list of jobs.
    static JsonObject of(JobRow row) {
        var json = JsonObject.builder();
        json.put("id", row.id().value());
        json.put("blueprint_name", row.blueprint());
        json.put("current_state", row.state());
        json.put("status", row.status());
        row.error().ifPresent(message -> json.put("error_message", message));
        row.parent().ifPresent(parent -> json.put("parent_job_id", parent.value()));
        json.put("priority", JsonNumber.of(row.priority()));
        json.put("labels", ApiJson.of(row.labels()));
        json.put("created_at", ApiJson.of(row.submitted()));
        json.put("updated_at", ApiJson.of(row.updated()));
        return json.build();
    }

    private static JsonObject paused(Pause pause) {
        var json = JsonObject.builder().put("by", pause.by()).put("at", ApiJson.of(pause.at()));
        pause.reason().ifPresent(reason -> json.put("reason", reason));
        return json.build();
    }

    /// Who submitted the job; never with a token.
    private static JsonObject clientConfig(JobSpec spec) {
        return JsonObject.builder()
                .put("name", spec.client())
                .put("plan", spec.clientPlan().plan())
                .put("params", spec.clientPlan().params())
                .build();
    }

    /// What the main branch is about.
    private void putCurrent(Job job, ApiJson shown, Selection wanted, JsonObject.Builder json) {
        var retries = 0;
        switch (job.branches().get(0).doing()) {
            case Branch.Stepping stepping -> retries = stepping.failures();
            case Branch.BackingOff(var timer, var _, int failures) -> {
                retries = failures;
                json.put("retry_at", ApiJson.of(timer.at()));
            }
            case Branch.AwaitingTask(int task, var on) -> {
                retries = putCurrentTask(job.tasks().get(task), shown, wanted, json);
                json.put("current_task_transitions", ApiJson.of(on.states()));
            }
            case Branch.AwaitingTasks(var joinState) -> {
                json.put("aggregation_target", joinState.join());
                if (wanted.has("active_branches")) {
                    json.put(
                            "active_branches",
                            activeBranches(job, joinState.first(), joinState.count()));
                }
            }
            case Branch.AwaitingChildren(var joinState) ->
                    json.put("aggregation_target", joinState.join());
            case Branch.AwaitingBranches(var joinState) ->
                    json.put("aggregation_target", joinState.join());
            case Branch.AwaitingChild(int child, var on) -> {
                json.put("child_job_id", job.children().children().get(child).id().value());
                json.put("current_task_transitions", ApiJson.of(on.states()));
            }
            case Branch.Waiting(var timer, var next) -> {
                json.put("waiting_until", ApiJson.of(timer.at()));
                json.put("waiting_for_state", next);
            }
            case Branch.AwaitingSignal(var _, var signal, var next, var deadline, var _) -> {
                json.put("waiting_for_signal", signal);
                json.put("waiting_for_state", next);
                deadline.ifPresent(timer -> json.put("waiting_until", ApiJson.of(timer.at())));
            }
            case Branch.AwaitingApproval(var effect, var approval, var deadline) -> {
                json.put("approval", effect.event());
                json.put("current_task_transitions", ApiJson.of(approval.choices().states()));
                deadline.ifPresent(timer -> json.put("waiting_until", ApiJson.of(timer.at())));
            }
            case Branch.Over _, Branch.Stopped _ -> {
                // nothing any more
            }
        }
        json.put("retry_count", retries);
    }

    private static int putCurrentTask(
            Task task, ApiJson shown, Selection wanted, JsonObject.Builder json) {
        if (wanted.has("current_task_info")) {
            json.put("current_task_info", TaskDocument.info(task, shown));
        }
        json.put("task_dispatched_at", ApiJson.of(task.opened()));
        TaskDocument.lease(task)
                .ifPresent(lease -> {
                    json.put("current_task_id", lease.token().handOut());
                    json.put("task_worker_id", lease.worker().value());
                });
        return task.state() instanceof Task.Open open ? open.failed() : 0;
    }

    private static JsonArray activeBranches(Job job, int first, int count) {
        return new JsonArray(
                IntStream.range(first, first + count)
                        .filter(task -> job.tasks().get(task).isUnsettled())
                        .limit(TASKS)
                        .mapToObj(task -> (JsonValue) JsonValue.of(task))
                        .toList());
    }

    private static void putTasks(
            JobReading reading, TaskDocument.Waiting waiting, JsonObject.Builder json) {
        var job = reading.job();
        var listed = new ArrayList<JsonValue>();
        var grants = reading.grants();
        var reasons = waiting.whyNotYet(job, job.tasks().stream().limit(TASKS), TASKS);
        for (var task : job.tasks()) {
            if (listed.size() == TASKS) {
                break;
            }
            listed.add(TaskDocument.summary(task, grants.get(task.id()), reasons));
        }
        json.put("tasks", new JsonArray(listed));
    }
}
