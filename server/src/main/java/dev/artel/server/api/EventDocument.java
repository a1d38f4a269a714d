package dev.artel.server.api;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Approvers;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Mending;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.job.StepCause;
import dev.artel.kernel.job.Undo;
import dev.artel.kernel.store.EventStore.Committed;
import dev.artel.kernel.task.TaskSpec;
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

    private final Values values;

    EventDocument(Values values) {
        this.values = values;
    }

    JsonObject of(long version, JobEvent event) {
        var json = JsonObject.builder();
        json.put("version", version);
        json.put("at", Values.of(event.at()));
        put(event, json);
        return json.build();
    }

    private void put(JobEvent event, JsonObject.Builder json) {
        switch (event) {
            case JobEvent.JobSubmitted(var spec, var _) ->
                    json.put("type", "job.submitted")
                            .put("blueprint", spec.blueprint().name())
                            .put("client", spec.client())
                            .put("initial_data", values.of(spec.initialData()));
            case JobEvent.StateEntered(int strand, var state, var cause, var _) ->
                    json.put("type", "state.entered")
                            .put("strand", strand)
                            .put("state", state)
                            .put("cause", cause(cause));
            case JobEvent.StepDone(int strand, var _, var changes, var passed, var _) ->
                    json.put("type", "step.done")
                            .put("strand", strand)
                            .put("changes", values.of(changes))
                            .put("passed", Values.texts(passed));
            case JobEvent.StepFailed(
                            int strand,
                            var _,
                            var message,
                            int attempt,
                            var retry,
                            var _) -> {
                json.put("type", "step.failed")
                        .put("strand", strand)
                        .put("message", message)
                        .put("attempt", attempt);
                retry.ifPresent(at -> json.put("retry_at", Values.of(at)));
            }
            case JobEvent.StepRetried(int strand, var _) ->
                    json.put("type", "step.retried").put("strand", strand);
            case JobEvent.TaskOpened(int strand, var spec, var on, var _) ->
                    json.put("type", "task.opened")
                            .put("strand", strand)
                            .put("task_type", spec.type())
                            .put("params", values.of(spec.params()))
                            .put("transitions", Values.of(on.states()));
            case JobEvent.TasksOpened opened -> tasksOpened(opened, json);
            case JobEvent.LeaseGranted(int task, var lease, var placement, var _) ->
                    json.put("type", "lease.granted")
                            .put("task", task)
                            .put("attempt", lease.attempt())
                            .put("worker", lease.worker().value())
                            .put("task_id", lease.token().handOut())
                            .put("times_out_at", Values.of(lease.timeout()))
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
                            .put("error", Values.of(error))
                            .put("lingers", lingers)
                            .put("retry_at", Values.of(retry));
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
                again.ifPresent(at -> json.put("again_at", Values.of(at)));
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
                            .put("retry_at", Values.of(retry));
            case JobEvent.LeaseReleased(int task, var token, var _) ->
                    json.put("type", "lease.released")
                            .put("task", task)
                            .put("task_id", token.handOut());
            case JobEvent.TaskSucceeded(int task, var token, var status, var data, var _) ->
                    json.put("type", "task.succeeded")
                            .put("task", task)
                            .put("task_id", token.handOut())
                            .put("status", status)
                            .put("data", values.of(data));
            case JobEvent.TaskFailed(int task, var error, boolean lingers, var _) ->
                    json.put("type", "task.failed")
                            .put("task", task)
                            .put("error", Values.of(error))
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
                    json.put("choices", Values.texts(question.choices()));
                }
                until.ifPresent(at -> json.put("until", Values.of(at)));
            }
            case JobEvent.QuestionAnswered(int task, var answer, var by, var _) ->
                    json.put("type", "question.answered")
                            .put("task", task)
                            .put("answer", answer)
                            .put("by", by);
            case JobEvent.TasksWithdrawn(int strand, var _) ->
                    json.put("type", "tasks.withdrawn").put("strand", strand);
            case JobEvent.Forked(int strand, var starts, var _, var join, var otherwise, var _) -> {
                json.put("type", "strand.forked")
                        .put("strand", strand)
                        .put("starts", Values.texts(starts))
                        .put("join", join);
                putIfAny("otherwise", otherwise, json);
            }
            case JobEvent.BranchEnded(int strand, var failure, boolean _, var _) -> {
                json.put("type", "branch.ended").put("strand", strand);
                putIfAny("failure", failure, json);
            }
            case JobEvent.BranchesStopped(int strand, var _) ->
                    json.put("type", "branches.stopped").put("strand", strand);
            case JobEvent.WaitBegun(int strand, var until, var next, var _) ->
                    json.put("type", "wait.begun")
                            .put("strand", strand)
                            .put("until", Values.of(until))
                            .put("next", next);
            case JobEvent.SignalAwaited(
                            int strand,
                            var signal,
                            var next,
                            var until,
                            var otherwise,
                            var _) -> {
                json.put("type", "signal.awaited")
                        .put("strand", strand)
                        .put("signal", signal)
                        .put("next", next);
                until.ifPresent(at -> json.put("until", Values.of(at)));
                putIfAny("otherwise", otherwise, json);
            }
            case JobEvent.SignalReceived(var signal, var id, var payload, var sender, var _) ->
                    json.put("type", "signal.received")
                            .put("signal", signal)
                            .put("id", id)
                            .put("sender", sender)
                            .put("payload", values.of(payload));
            case JobEvent.ApprovalRequested(int strand, var approval, var until, var _) -> {
                json.put("type", "approval.requested")
                        .put("strand", strand)
                        .put("message", approval.message())
                        .put("choices", Values.of(approval.choices().states()));
                if (!approval.approvers().equals(Approvers.ANYBODY)) {
                    json.put("approvers", approval.approvers().text());
                }
                until.ifPresent(at -> json.put("until", Values.of(at)));
                putIfAny("otherwise", approval.otherwise(), json);
            }
            case JobEvent.ApprovalDecided(int strand, var choice, var by, var comment, var _) -> {
                json.put("type", "approval.decided")
                        .put("strand", strand)
                        .put("decision", choice)
                        .put("by", by);
                putIfAny("comment", comment, json);
            }
            case JobEvent.ChildRequested(int strand, var spec, int steps, var on, var _) -> {
                json.put("type", "child.requested")
                        .put("strand", strand)
                        .put("blueprint", spec.blueprint())
                        .put("initial_data", values.of(spec.initialData()))
                        .put("mode", FamilyDocument.mode(spec.mode()))
                        .put("steps", steps)
                        .put("transitions", Values.of(on.states()));
                putIfAny("blueprint_version", spec.version(), json);
                spec.deadline().ifPresent(at -> json.put("deadline", Values.of(at)));
            }
            case JobEvent.ChildrenRequested requested -> childrenRequested(requested, json);
            case JobEvent.ChildrenWithdrawn(int strand, var _) ->
                    json.put("type", "children.withdrawn").put("strand", strand);
            case JobEvent.ChildStarted(int child, var _) ->
                    json.put("type", "child.started").put("child", child);
            case JobEvent.ChildRefused(int child, var reason, var _) ->
                    json.put("type", "child.refused").put("child", child).put("reason", reason);
            case JobEvent.ChildEnded(int child, var report, var _) -> {
                json.put("type", "child.ended")
                        .put("child", child)
                        .put("outcome", report.outcome())
                        .put("steps", report.steps())
                        .put("data", values.of(report.data()));
                putIfAny("reason", report.reason(), json);
            }
            case JobEvent.ChildStopped(int child, var _) ->
                    json.put("type", "child.stopped").put("child", child);
            case JobEvent.ParentInformed _ -> json.put("type", "parent.informed");
            case JobEvent.WebhookDelivered(var call, int attempts, var _) ->
                    json.put("type", "webhook.delivered")
                            .put("call", call.toString())
                            .put("attempts", attempts);
            case JobEvent.WebhookGivenUp(var call, int attempts, var reason, var _) ->
                    json.put("type", "webhook.given-up")
                            .put("call", call.toString())
                            .put("attempts", attempts)
                            .put("reason", reason);
            case JobEvent.UndoDeclared(int strand, var by, var _) ->
                    json.put("type", "undo.declared")
                            .put("strand", strand)
                            .put("by", UndoDocument.by(by));
            case JobEvent.UndoBegun(var aim, var grace, var limit, var _) -> {
                json.put("type", "undo.begun").put("limit", Values.of(limit));
                grace.ifPresent(at -> json.put("grace_until", Values.of(at)));
                switch (aim) {
                    case Undo.End(var outcome) -> outcome(outcome, json);
                    case Undo.Back(var to, var by) -> json.put("to", to.state()).put("by", by);
                }
            }
            case JobEvent.Undone(var failure, var _) -> {
                json.put("type", "state.undone");
                putIfAny("failure", failure, json);
            }
            case JobEvent.CancelRequested(var reason, var until, var _) ->
                    json.put("type", "cancel.requested")
                            .put("reason", reason)
                            .put("grace_until", Values.of(until));
            case JobEvent.CancelHandled _ -> json.put("type", "cancel.handled");
            case JobEvent.JobQuarantined(var reason, var _) ->
                    json.put("type", "job.quarantined").put("reason", reason);
            case JobEvent.JobMended(var how, var by, var _) -> {
                json.put("type", "job.mended").put("how", how.text()).put("by", by);
                mending(how, json);
            }
            case JobEvent.JobRewound(var from, var to, var data, var since, var by, var _) ->
                    json.put("type", "job.rewound")
                            .put("from", from)
                            .put("to", to)
                            .put("data", values.of(data))
                            .put(
                                    "done_since",
                                    new JsonArray(
                                            since.stream()
                                                    .map(task -> (JsonValue) JsonValue.of(task))
                                                    .toList()))
                            .put("by", by);
            case JobEvent.JobForked(var from, var data, var recorded, var by, var _) ->
                    json.put("type", "job.forked")
                            .put("from", from.value())
                            .put("data", values.of(data))
                            .put("results", recorded.size())
                            .put("by", by);
            case JobEvent.JobContinued(var from, var to, var data, var _) ->
                    json.put("type", "job.continued")
                            .put("from", from)
                            .put("to", to)
                            .put("data", values.of(data));
            case JobEvent.TaskReused(int task, var result, var _) ->
                    json.put("type", "task.reused")
                            .put("task", task)
                            .put("of_task", result.task())
                            .put("worker", result.worker().value())
                            .put("status", result.status())
                            .put("data", values.of(result.data()));
            case JobEvent.JobEnded(var outcome, var _) -> {
                json.put("type", "job.ended");
                outcome(outcome, json);
            }
        }
    }

    private void resolution(Resolution resolution, JsonObject.Builder json) {
        switch (resolution) {
            case Resolution.Happened(var status, var data) ->
                    json.put("outcome", "happened")
                            .put("status", status)
                            .put("data", values.of(data));
            case Resolution.DidNotHappen _ -> json.put("outcome", "did_not_happen");
            case Resolution.Failed(var reason) ->
                    json.put("outcome", "failed").put("reason", reason);
        }
    }

    private void mending(Mending how, JsonObject.Builder json) {
        switch (how) {
            case Mending.Release _ -> {
                // says it all
            }
            case Mending.Retry(var changes) -> json.put("changes", values.of(changes));
            case Mending.Skip(var status, var result) ->
                    json.put("status", status).put("result", values.of(result));
            case Mending.Discard(var reason) -> json.put("reason", reason);
        }
    }

    private void tasksOpened(JobEvent.TasksOpened opened, JsonObject.Builder json) {
        json.put("type", "tasks.opened")
                .put("strand", opened.strand())
                .put("count", opened.specs().size())
                .put(
                        "task_types",
                        Values.texts(
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
                .put("strand", requested.strand())
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
                                                                "initial_data", values.of(data)))
                                        .toList()))
                .put("mode", FamilyDocument.mode(spec.mode()))
                .put("steps", requested.steps())
                .put("window", requested.window())
                .put("join", requested.join());
        putIfAny("blueprint_version", spec.version(), json);
        spec.deadline().ifPresent(at -> json.put("deadline", Values.of(at)));
        putIfAny("otherwise", requested.otherwise(), json);
    }

    private JsonValue task(TaskSpec spec) {
        return JsonObject.of(
                "task_type", JsonValue.of(spec.type()), "params", values.of(spec.params()));
    }

    private void outcome(JobOutcome outcome, JsonObject.Builder json) {
        switch (outcome) {
            case JobOutcome.Finished(var result) ->
                    json.put("outcome", "finished").put("result", values.of(result));
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
            case StepCause.Mended(var how, var by) ->
                    JsonObject.builder()
                            .put("kind", "mended")
                            .put("how", how)
                            .put("by", by)
                            .build();
            case StepCause.TasksGathered(int first, int count) ->
                    gathered("tasks.gathered", first, count);
            case StepCause.Undoing(int number) ->
                    JsonObject.of("kind", JsonValue.of("undoing"), "number", JsonValue.of(number));
            case StepCause.ChildEnded(int child, var outcome) ->
                    JsonObject.builder()
                            .put("kind", "child.ended")
                            .put("child", child)
                            .put("outcome", outcome)
                            .build();
            case StepCause.ChildrenGathered(int first, int count) ->
                    gathered("children.gathered", first, count);
            case StepCause.BranchesGathered(int first, int count) ->
                    gathered("branches.gathered", first, count);
        };
    }

    private static JsonObject gathered(String kind, int first, int count) {
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
}
