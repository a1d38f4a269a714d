package dev.artel.server.api.history;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.store.EventStore.Committed;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.jobs.ChildrenDocument;
import dev.artel.server.api.jobs.CompensationDocument;
import dev.artel.server.api.tasks.BudgetDocument;
import dev.artel.server.api.tasks.PlacementDocument;
import java.util.List;
import java.util.Optional;

/// An event as clients see it.
final class EventDocument {
    /// What belongs to the users, or is large.
    private static final List<String> DATA =
            List.of(
                    "initial_data",
                    "changes",
                    "params",
                    "tasks",
                    "data",
                    "payload",
                    "message",
                    "comment",
                    "result",
                    "placement");

    /// How many tasks of a fan-out are listed one by one.
    private static final int TASKS = 100;

    private final ApiJson apiJson;

    EventDocument(ApiJson apiJson) {
        this.apiJson = apiJson;
    }

    JsonObject of(long version, JobEvent event) {
        var json = JsonObject.builder();
        json.put("version", version);
        json.put("at", ApiJson.of(event.at()));
        put(event, json);
        return json.build();
    }

    private void put(JobEvent event, JsonObject.Builder json) {
        switch (event) {
            case JobEvent.JobSubmitted(var spec, var _) ->
                    json.put("type", "job.submitted")
                            .put("blueprint", spec.blueprint().name())
                            .put("client", spec.client())
                            .put("initial_data", apiJson.of(spec.initialData()));
            case JobEvent.StateEntered(int branch, var state, var cause, var _) ->
                    json.put("type", "state.entered")
                            .put("branch", branch)
                            .put("state", state)
                            .put("cause", cause(cause));
            case JobEvent.StepDone(int branch, var _, var changes, var passed, var _) ->
                    json.put("type", "step.done")
                            .put("branch", branch)
                            .put("changes", apiJson.of(changes))
                            .put("passed", ApiJson.texts(passed));
            case JobEvent.StepFailed(
                            int branch,
                            var _,
                            var message,
                            int attempt,
                            var retry,
                            var _) -> {
                json.put("type", "step.failed")
                        .put("branch", branch)
                        .put("message", message)
                        .put("attempt", attempt);
                retry.ifPresent(at -> json.put("retry_at", ApiJson.of(at)));
            }
            case JobEvent.StepRetried(int branch, var _) ->
                    json.put("type", "step.retried").put("branch", branch);
            case JobEvent.TaskOpened(int branch, var spec, var on, var _) ->
                    apiJson.put(
                                    json.put("type", "task.opened")
                                            .put("branch", branch)
                                            .put("task_type", spec.type()),
                                    "params",
                                    spec.params())
                            .put("transitions", ApiJson.of(on.states()));
            case JobEvent.TasksOpened opened -> tasksOpened(opened, json);
            case JobEvent.LeaseGranted(int task, var lease, var placement, var _) ->
                    json.put("type", "lease.granted")
                            .put("task", task)
                            .put("attempt", lease.attempt())
                            .put("worker", lease.worker().value())
                            .put("task_id", lease.token().handOut())
                            .put("times_out_at", ApiJson.of(lease.timeout()))
                            .put("placement", PlacementDocument.of(placement));
            case JobEvent.AttemptFailed(
                            int task,
                            var token,
                            var error,
                            boolean lingers,
                            var retry,
                            var _) ->
                    json.put("type", "attempt.failed")
                            .put("task", task)
                            .put("task_id", token.handOut())
                            .put("error", ApiJson.of(error))
                            .put("lingers", lingers)
                            .put("retry_at", ApiJson.of(retry));
            case JobEvent.HedgeBegun(int task, var _) ->
                    json.put("type", "hedge.begun").put("task", task);
            case JobEvent.AttemptDropped(
                            int task,
                            var token,
                            var reason,
                            boolean lingers,
                            var again,
                            var _) -> {
                json.put("type", "attempt.dropped")
                        .put("task", task)
                        .put("task_id", token.handOut())
                        .put("reason", reason)
                        .put("lingers", lingers);
                again.ifPresent(at -> json.put("again_at", ApiJson.of(at)));
            }
            case JobEvent.LeaseLost(int task, var token, var reason, var _) ->
                    json.put("type", "lease.lost")
                            .put("task", task)
                            .put("task_id", token.handOut())
                            .put("reason", reason.text());
            case JobEvent.LeaseReturned(int task, var token, var reason, var retry, var _) ->
                    json.put("type", "lease.returned")
                            .put("task", task)
                            .put("task_id", token.handOut())
                            .put("reason", reason.text())
                            .put("retry_at", ApiJson.of(retry));
            case JobEvent.LeaseReleased(int task, var token, var _) ->
                    json.put("type", "lease.released")
                            .put("task", task)
                            .put("task_id", token.handOut());
            case JobEvent.TaskSucceeded(int task, var token, var status, var data, var _) ->
                    apiJson.put(
                            json.put("type", "task.succeeded")
                                    .put("task", task)
                                    .put("task_id", token.handOut())
                                    .put("status", status),
                            "data",
                            data);
            case JobEvent.TaskFailed(int task, var error, boolean lingers, var _) ->
                    json.put("type", "task.failed")
                            .put("task", task)
                            .put("error", ApiJson.of(error))
                            .put("lingers", lingers);
            case JobEvent.OutcomeUnknown(int task, var token, var reason, boolean lingers, var _) ->
                    json.put("type", "outcome.unknown")
                            .put("task", task)
                            .put("task_id", token.handOut())
                            .put("reason", reason)
                            .put("lingers", lingers);
            case JobEvent.OutcomeResolved(int task, var resolution, var by, var _) -> {
                json.put("type", "outcome.resolved").put("task", task).put("by", by);
                resolution(resolution, json);
            }
            case JobEvent.QuestionAsked(int task, var token, var question, var until, var _) -> {
                json.put("type", "question.asked")
                        .put("task", task)
                        .put("task_id", token.handOut())
                        .put("question", question.text());
                if (!question.choices().isEmpty()) {
                    json.put("choices", ApiJson.texts(question.choices()));
                }
                until.ifPresent(at -> json.put("until", ApiJson.of(at)));
            }
            case JobEvent.QuestionAnswered(int task, var answer, var by, var _) ->
                    json.put("type", "question.answered")
                            .put("task", task)
                            .put("answer", answer)
                            .put("by", by);
            case JobEvent.AttemptSettled(int task, var token, var reserved, var spent, var _) ->
                    json.put("type", "attempt.settled")
                            .put("task", task)
                            .put("task_id", token.handOut())
                            .put("reserved", BudgetDocument.amounts(reserved))
                            .put("spent", BudgetDocument.amounts(spent));
            case JobEvent.AttemptWithheld(int task, var _) ->
                    json.put("type", "attempt.withheld").put("task", task);
            case JobEvent.TasksAdmitted(var tasks, var _) ->
                    json.put("type", "tasks.admitted")
                            .put(
                                    "tasks",
                                    new JsonArray(
                                            tasks.stream()
                                                    .map(task -> (JsonValue) JsonValue.of(task))
                                                    .toList()));
            case JobEvent.BudgetWarned(var limit, long spent, long most, var _) ->
                    json.put("type", "budget.warned")
                            .put("limit", limit.word())
                            .put("spent", BudgetDocument.amount(limit, spent))
                            .put("most", BudgetDocument.amount(limit, most));
            case JobEvent.BudgetExhausted(var limit, var needed, var _) ->
                    json.put("type", "budget.exhausted")
                            .put("limit", limit.word())
                            .put("needed", BudgetDocument.amounts(needed));
            case JobEvent.BudgetExtended(var more, var by, var _) ->
                    json.put("type", "budget.extended")
                            .put("more", BudgetDocument.amounts(more))
                            .put("by", by);
            case JobEvent.TasksWithdrawn(int branch, var _) ->
                    json.put("type", "tasks.withdrawn").put("branch", branch);
            case JobEvent.Forked(int branch, var starts, var _, var join, var otherwise, var _) -> {
                json.put("type", "branch.forked")
                        .put("branch", branch)
                        .put("starts", ApiJson.texts(starts))
                        .put("join", join);
                putIfAny("otherwise", otherwise, json);
            }
            case JobEvent.BranchEnded(int branch, var failure, boolean _, var _) -> {
                json.put("type", "branch.ended").put("branch", branch);
                putIfAny("failure", failure, json);
            }
            case JobEvent.BranchesStopped(int branch, var _) ->
                    json.put("type", "branches.stopped").put("branch", branch);
            case JobEvent.WaitBegun(int branch, var until, var next, var _) ->
                    json.put("type", "wait.begun")
                            .put("branch", branch)
                            .put("until", ApiJson.of(until))
                            .put("next", next);
            case JobEvent.SignalAwaited(
                            int branch,
                            var signal,
                            var next,
                            var until,
                            var otherwise,
                            var _) -> {
                json.put("type", "signal.awaited")
                        .put("branch", branch)
                        .put("signal", signal)
                        .put("next", next);
                until.ifPresent(at -> json.put("until", ApiJson.of(at)));
                putIfAny("otherwise", otherwise, json);
            }
            case JobEvent.SignalReceived(var signal, var id, var payload, var sender, var _) ->
                    apiJson.put(
                            json.put("type", "signal.received")
                                    .put("signal", signal)
                                    .put("id", id)
                                    .put("sender", sender),
                            "payload",
                            payload);
            case JobEvent.ApprovalRequested(int branch, var approval, var until, var _) -> {
                json.put("type", "approval.requested")
                        .put("branch", branch)
                        .put("message", approval.message())
                        .put("choices", ApiJson.of(approval.choices().states()));
                if (!approval.approvers().equals(Approvers.ANYBODY)) {
                    json.put("approvers", approval.approvers().text());
                }
                until.ifPresent(at -> json.put("until", ApiJson.of(at)));
                putIfAny("otherwise", approval.otherwise(), json);
            }
            case JobEvent.ApprovalDecided(int branch, var choice, var by, var comment, var _) -> {
                json.put("type", "approval.decided")
                        .put("branch", branch)
                        .put("decision", choice)
                        .put("by", by);
                putIfAny("comment", comment, json);
            }
            case JobEvent.ChildRequested(int branch, var spec, int steps, var on, var _) -> {
                json.put("type", "child.requested")
                        .put("branch", branch)
                        .put("blueprint", spec.blueprint())
                        .put("initial_data", apiJson.of(spec.initialData()))
                        .put("mode", ChildrenDocument.mode(spec.mode()))
                        .put("steps", steps)
                        .put("transitions", ApiJson.of(on.states()));
                putIfAny("blueprint_version", spec.version(), json);
                spec.deadline().ifPresent(at -> json.put("deadline", ApiJson.of(at)));
            }
            case JobEvent.ChildrenRequested requested -> childrenRequested(requested, json);
            case JobEvent.ChildrenWithdrawn(int branch, var _) ->
                    json.put("type", "children.withdrawn").put("branch", branch);
            case JobEvent.ChildStarted(int child, var _) ->
                    json.put("type", "child.started").put("child", child);
            case JobEvent.ChildRefused(int child, var reason, var _) ->
                    json.put("type", "child.refused").put("child", child).put("reason", reason);
            case JobEvent.ChildEnded(int child, var report, var _) -> {
                apiJson.put(
                        json.put("type", "child.ended")
                                .put("child", child)
                                .put("outcome", report.outcome())
                                .put("steps", report.steps()),
                        "data",
                        report.data());
                putIfAny("reason", report.reason(), json);
            }
            case JobEvent.ChildStopped(int child, var _) ->
                    json.put("type", "child.stopped").put("child", child);
            case JobEvent.ParentNotified _ -> json.put("type", "parent.notified");
            case JobEvent.WebhookDelivered(var call, int attempts, var _) ->
                    json.put("type", "webhook.delivered")
                            .put("call", call.toString())
                            .put("attempts", attempts);
            case JobEvent.WebhookGivenUp(var call, int attempts, var reason, var _) ->
                    json.put("type", "webhook.given-up")
                            .put("call", call.toString())
                            .put("attempts", attempts)
                            .put("reason", reason);
            case JobEvent.CompensationRegistered(int branch, var by, var _) ->
                    json.put("type", "compensation.registered")
                            .put("branch", branch)
                            .put("by", CompensationDocument.by(by));
            case JobEvent.CompensationStarted(var aim, var grace, var limit, var _) -> {
                json.put("type", "compensation.started").put("limit", ApiJson.of(limit));
                grace.ifPresent(at -> json.put("grace_until", ApiJson.of(at)));
                switch (aim) {
                    case CompensationLog.End(var outcome) -> outcome(outcome, json);
                    case CompensationLog.Back(var to, var by) ->
                            json.put("to", to.state()).put("by", by);
                }
            }
            case JobEvent.CompensationCompleted(var failure, var _) -> {
                json.put("type", "compensation.completed");
                putIfAny("failure", failure, json);
            }
            case JobEvent.CancelRequested(var reason, var until, var next, var _) -> {
                json.put("type", "cancel.requested")
                        .put("reason", reason)
                        .put("grace_until", ApiJson.of(until));
                putIfAny("next", next, json);
            }
            case JobEvent.CancelHandled _ -> json.put("type", "cancel.handled");
            case JobEvent.JobChanged(double priority, var labels, var by, var _) ->
                    json.put("type", "job.changed")
                            .put("priority", JsonNumber.of(priority))
                            .put("labels", ApiJson.of(labels))
                            .put("by", by);
            case JobEvent.JobPaused(var reason, var by, var _) -> {
                json.put("type", "job.paused").put("by", by);
                putIfAny("reason", reason, json);
            }
            case JobEvent.JobResumed(var by, var _) ->
                    json.put("type", "job.resumed").put("by", by);
            case JobEvent.JobQuarantined(var reason, var _) ->
                    json.put("type", "job.quarantined").put("reason", reason);
            case JobEvent.QuarantineResolved(var how, var by, var _) -> {
                json.put("type", "quarantine.resolved").put("how", how.text()).put("by", by);
                resolution(how, json);
            }
            case JobEvent.JobRewound(var from, var to, var data, var since, var by, var _) ->
                    json.put("type", "job.rewound")
                            .put("from", from)
                            .put("to", to)
                            .put("data", apiJson.of(data))
                            .put(
                                    "done_since",
                                    new JsonArray(
                                            since.stream()
                                                    .map(task -> (JsonValue) JsonValue.of(task))
                                                    .toList()))
                            .put("by", by);
            case JobEvent.JobForked(var from, var data, var recordedResult, var by, var _) ->
                    json.put("type", "job.forked")
                            .put("from", from.value())
                            .put("data", apiJson.of(data))
                            .put("results", recordedResult.size())
                            .put("by", by);
            case JobEvent.JobContinued(var from, var to, var data, var _) ->
                    json.put("type", "job.continued")
                            .put("from", from)
                            .put("to", to)
                            .put("data", apiJson.of(data));
            case JobEvent.DefinitionReplaced(var from, var state, var to, var _, var _, var _) ->
                    json.put("type", "definition.replaced")
                            .put("from", definition(from))
                            .put("state", state)
                            .put("to", definition(to));
            case JobEvent.TaskReused(int task, var result, var _) ->
                    apiJson.put(
                            json.put("type", "task.reused")
                                    .put("task", task)
                                    .put("of_task", result.task())
                                    .put("worker", result.worker().value())
                                    .put("status", result.status()),
                            "data",
                            result.data());
            case JobEvent.JobEnded(var outcome, var _) -> {
                json.put("type", "job.ended");
                outcome(outcome, json);
            }
        }
    }

    private void resolution(Resolution resolution, JsonObject.Builder json) {
        switch (resolution) {
            case Resolution.Happened(var status, var data) ->
                    apiJson.put(
                            json.put("outcome", "happened").put("status", status), "data", data);
            case Resolution.DidNotHappen _ -> json.put("outcome", "did_not_happen");
            case Resolution.Failed(var reason) ->
                    json.put("outcome", "failed").put("reason", reason);
        }
    }

    private void resolution(QuarantineAction how, JsonObject.Builder json) {
        switch (how) {
            case QuarantineAction.Release _ -> {
                // has no more fields
            }
            case QuarantineAction.Retry(var changes) -> json.put("changes", apiJson.of(changes));
            case QuarantineAction.Skip(var status, var result) ->
                    apiJson.put(json.put("status", status), "result", result);
            case QuarantineAction.Discard(var reason) -> json.put("reason", reason);
        }
    }

    private void tasksOpened(JobEvent.TasksOpened opened, JsonObject.Builder json) {
        json.put("type", "tasks.opened")
                .put("branch", opened.branch())
                .put("count", opened.specs().size())
                .put(
                        "task_types",
                        ApiJson.texts(
                                opened.specs().stream().map(TaskSpec::type).distinct().toList()))
                .put(
                        "tasks",
                        new JsonArray(
                                opened.specs().stream().limit(TASKS).map(this::task).toList()))
                .put("window", opened.window())
                .put("join", opened.join());
        putIfAny("otherwise", opened.otherwise(), json);
    }

    private void childrenRequested(JobEvent.ChildrenRequested requested, JsonObject.Builder json) {
        var spec = requested.spec();
        json.put("type", "children.requested")
                .put("branch", requested.branch())
                .put("count", requested.initialData().size())
                .put("blueprint", spec.blueprint())
                .put(
                        "children",
                        new JsonArray(
                                requested.initialData().stream()
                                        .limit(TASKS)
                                        .map(data ->
                                                (JsonValue)
                                                        JsonObject.of(
                                                                "initial_data", apiJson.of(data)))
                                        .toList()))
                .put("mode", ChildrenDocument.mode(spec.mode()))
                .put("steps", requested.steps())
                .put("window", requested.window())
                .put("join", requested.join());
        putIfAny("blueprint_version", spec.version(), json);
        spec.deadline().ifPresent(at -> json.put("deadline", ApiJson.of(at)));
        putIfAny("otherwise", requested.otherwise(), json);
    }

    private JsonValue task(TaskSpec spec) {
        return apiJson.put(
                        JsonObject.builder().put("task_type", spec.type()), "params", spec.params())
                .build();
    }

    private void outcome(JobOutcome outcome, JsonObject.Builder json) {
        switch (outcome) {
            case JobOutcome.Finished(var result) ->
                    apiJson.put(json.put("outcome", "finished"), "result", result);
            case JobOutcome.Failed(var reason) ->
                    json.put("outcome", "failed").put("reason", reason);
            case JobOutcome.Cancelled(var reason) ->
                    json.put("outcome", "cancelled").put("reason", reason);
        }
    }

    private static JsonObject cause(StepCause cause) {
        return switch (cause) {
            case StepCause.Started _ -> JsonObject.of("kind", JsonValue.of("started"));
            case StepCause.Moved(var from) ->
                    JsonObject.of("kind", JsonValue.of("moved"), "from", JsonValue.of(from));
            case StepCause.TaskEnded(int task, var outcome) ->
                    JsonObject.builder()
                            .put("kind", "task.ended")
                            .put("task", task)
                            .put("outcome", outcome)
                            .build();
            case StepCause.SignalTaken(var signal, var id) ->
                    JsonObject.builder()
                            .put("kind", "signal.taken")
                            .put("signal", signal)
                            .put("id", id)
                            .build();
            case StepCause.Decided(var choice, var by) ->
                    JsonObject.builder()
                            .put("kind", "decided")
                            .put("decision", choice)
                            .put("by", by)
                            .build();
            case StepCause.Overdue(var awaited) ->
                    JsonObject.of(
                            "kind", JsonValue.of("overdue"), "awaited", JsonValue.of(awaited));
            case StepCause.Resolved(var how, var by) ->
                    JsonObject.builder()
                            .put("kind", "resolved")
                            .put("how", how)
                            .put("by", by)
                            .build();
            case StepCause.Cancelled(var reason) ->
                    JsonObject.of(
                            "kind", JsonValue.of("cancelled"), "reason", JsonValue.of(reason));
            case StepCause.TasksJoined(int first, int count) ->
                    joined("tasks.joined", first, count);
            case StepCause.Compensation(int number) ->
                    JsonObject.of(
                            "kind", JsonValue.of("compensating"), "number", JsonValue.of(number));
            case StepCause.ChildEnded(int child, var outcome) ->
                    JsonObject.builder()
                            .put("kind", "child.ended")
                            .put("child", child)
                            .put("outcome", outcome)
                            .build();
            case StepCause.ChildrenJoined(int first, int count) ->
                    joined("children.joined", first, count);
            case StepCause.BranchesJoined(int first, int count) ->
                    joined("branches.joined", first, count);
        };
    }

    private static JsonObject joined(String kind, int first, int count) {
        return JsonObject.builder()
                .put("kind", kind)
                .put("first", first)
                .put("count", count)
                .build();
    }

    private static void putIfAny(String name, Optional<String> value, JsonObject.Builder json) {
        value.ifPresent(text -> json.put(name, text));
    }

    /// An event among those of all jobs: of which job it is, and none of the users' data.
    JsonObject brief(Committed one, long version, JobEvent event) {
        var json =
                JsonObject.builder()
                        .put("job_id", one.job().value())
                        .put("blueprint", one.blueprint())
                        .put("client", one.client());
        of(version, event)
                .members()
                .forEach((name, value) -> {
                    if (!DATA.contains(name)) {
                        json.put(name, value);
                    }
                });
        return json.build();
    }

    private static JsonObject definition(BlueprintRef ref) {
        return JsonObject.builder()
                .put("blueprint", ref.name())
                .put("version", ref.version())
                .build();
    }
}
