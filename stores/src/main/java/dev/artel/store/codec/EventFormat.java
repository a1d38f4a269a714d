package dev.artel.store.codec;

import static dev.artel.store.codec.EventType.*;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobEvent.ApprovalDecided;
import dev.artel.kernel.job.JobEvent.ApprovalRequested;
import dev.artel.kernel.job.JobEvent.AttemptDropped;
import dev.artel.kernel.job.JobEvent.AttemptFailed;
import dev.artel.kernel.job.JobEvent.BranchEnded;
import dev.artel.kernel.job.JobEvent.BranchesStopped;
import dev.artel.kernel.job.JobEvent.CancelHandled;
import dev.artel.kernel.job.JobEvent.CancelRequested;
import dev.artel.kernel.job.JobEvent.ChildEnded;
import dev.artel.kernel.job.JobEvent.ChildRefused;
import dev.artel.kernel.job.JobEvent.ChildRequested;
import dev.artel.kernel.job.JobEvent.ChildStarted;
import dev.artel.kernel.job.JobEvent.ChildStopped;
import dev.artel.kernel.job.JobEvent.CompensationCompleted;
import dev.artel.kernel.job.JobEvent.CompensationRegistered;
import dev.artel.kernel.job.JobEvent.CompensationStarted;
import dev.artel.kernel.job.JobEvent.Forked;
import dev.artel.kernel.job.JobEvent.HedgeBegun;
import dev.artel.kernel.job.JobEvent.JobEnded;
import dev.artel.kernel.job.JobEvent.JobForked;
import dev.artel.kernel.job.JobEvent.JobQuarantined;
import dev.artel.kernel.job.JobEvent.JobRewound;
import dev.artel.kernel.job.JobEvent.JobSubmitted;
import dev.artel.kernel.job.JobEvent.LeaseGranted;
import dev.artel.kernel.job.JobEvent.LeaseLost;
import dev.artel.kernel.job.JobEvent.LeaseReleased;
import dev.artel.kernel.job.JobEvent.LeaseReturned;
import dev.artel.kernel.job.JobEvent.OutcomeResolved;
import dev.artel.kernel.job.JobEvent.OutcomeUnknown;
import dev.artel.kernel.job.JobEvent.ParentNotified;
import dev.artel.kernel.job.JobEvent.QuarantineResolved;
import dev.artel.kernel.job.JobEvent.QuestionAnswered;
import dev.artel.kernel.job.JobEvent.QuestionAsked;
import dev.artel.kernel.job.JobEvent.SignalAwaited;
import dev.artel.kernel.job.JobEvent.SignalReceived;
import dev.artel.kernel.job.JobEvent.StateEntered;
import dev.artel.kernel.job.JobEvent.StepDone;
import dev.artel.kernel.job.JobEvent.StepFailed;
import dev.artel.kernel.job.JobEvent.StepRetried;
import dev.artel.kernel.job.JobEvent.TaskFailed;
import dev.artel.kernel.job.JobEvent.TaskOpened;
import dev.artel.kernel.job.JobEvent.TaskReused;
import dev.artel.kernel.job.JobEvent.TaskSucceeded;
import dev.artel.kernel.job.JobEvent.TasksOpened;
import dev.artel.kernel.job.JobEvent.TasksWithdrawn;
import dev.artel.kernel.job.JobEvent.WaitBegun;
import dev.artel.kernel.job.JobId;
import java.io.IOException;
import java.util.List;

/// The form of events. A new component of an event does not compile here until it is both written and read; one that
/// may be left out needs no new version.
final class EventFormat {
    private EventFormat() {}

    static void write(JobEvent event, JsonOut out) throws IOException {
        switch (event) {
            case JobSubmitted(var spec, var _) -> {
                out.begin(JOB_SUBMITTED);
                JobCodec.writeSpec("spec", spec, out);
            }
            case StateEntered(var branch, var state, var cause, var _) -> {
                out.begin(STATE_ENTERED);
                out.number("branch", branch);
                out.text("state", state);
                JobCodec.writeCause("cause", cause, out);
            }
            case StepDone(var branch, var step, var changes, var passed, var _) -> {
                out.begin(STEP_DONE);
                out.number("branch", branch);
                out.effect("step", step);
                JobCodec.writeValues("changes", changes, out);
                out.texts("passed", passed);
            }
            case StepFailed(var branch, var step, var message, var attempt, var retryAt, var _) -> {
                out.begin(STEP_FAILED);
                out.number("branch", branch);
                out.effect("step", step);
                out.text("message", message);
                out.number("attempt", attempt);
                out.instant("retryAt", retryAt);
            }
            case StepRetried(var branch, var _) -> {
                out.begin(STEP_RETRIED);
                out.number("branch", branch);
            }
            case TaskOpened(var branch, var spec, var on, var _) -> {
                out.begin(TASK_OPENED);
                out.number("branch", branch);
                TaskCodec.writeSpec("spec", spec, out);
                JobCodec.writeOutcomes("on", on, out);
            }
            case TasksOpened(
                            var branch,
                            var specs,
                            var window,
                            var policy,
                            var join,
                            var otherwise,
                            var _) -> {
                out.begin(TASKS_OPENED);
                out.number("branch", branch);
                TaskCodec.writeSpecs("specs", specs, out);
                out.number("window", window);
                JobCodec.writePolicy("policy", policy, out);
                out.text("join", join);
                out.text("otherwise", otherwise);
            }
            case LeaseGranted(var task, var lease, var placement, var _) -> {
                out.begin(LEASE_GRANTED);
                out.number("task", task);
                LeaseCodec.writeLease("lease", lease, out);
                PlacementCodec.write("placement", placement, out);
            }
            case AttemptFailed(var task, var token, var error, var lingers, var retryAt, var _) -> {
                out.begin(ATTEMPT_FAILED);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                TaskCodec.writeError("error", error, out);
                out.flag("lingers", lingers);
                out.instant("retryAt", retryAt);
            }
            case HedgeBegun(var task, var _) -> {
                out.begin(HEDGE_BEGUN);
                out.number("task", task);
            }
            case AttemptDropped(var task, var token, var reason, var lingers, var again, var _) -> {
                out.begin(ATTEMPT_DROPPED);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                out.text("reason", reason);
                out.flag("lingers", lingers);
                out.instant("again", again);
            }
            case LeaseLost(var task, var token, var reason, var _) -> {
                out.begin(LEASE_LOST);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                LeaseCodec.writeEnding("reason", reason, out);
            }
            case LeaseReturned(var task, var token, var reason, var retryAt, var _) -> {
                out.begin(LEASE_RETURNED);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                LeaseCodec.writeEnding("reason", reason, out);
                out.instant("retryAt", retryAt);
            }
            case LeaseReleased(var task, var token, var _) -> {
                out.begin(LEASE_RELEASED);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
            }
            case TaskSucceeded(var task, var token, var status, var data, var _) -> {
                out.begin(TASK_SUCCEEDED);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                out.text("status", status);
                out.payload("data", data);
            }
            case TaskFailed(var task, var error, var lingers, var _) -> {
                out.begin(TASK_FAILED);
                out.number("task", task);
                TaskCodec.writeError("error", error, out);
                out.flag("lingers", lingers);
            }
            case OutcomeUnknown(var task, var token, var reason, var lingers, var _) -> {
                out.begin(OUTCOME_UNKNOWN);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                out.text("reason", reason);
                out.flag("lingers", lingers);
            }
            case OutcomeResolved(var task, var resolution, var by, var _) -> {
                out.begin(OUTCOME_RESOLVED);
                out.number("task", task);
                WaitCodec.writeResolution("resolution", resolution, out);
                out.text("by", by);
            }
            case QuestionAsked(var task, var token, var question, var until, var _) -> {
                out.begin(QUESTION_ASKED);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                WaitCodec.writeQuestion("question", question, out);
                out.instant("until", until);
            }
            case QuestionAnswered(var task, var answer, var by, var _) -> {
                out.begin(QUESTION_ANSWERED);
                out.number("task", task);
                out.text("answer", answer);
                out.text("by", by);
            }
            case JobEvent.AttemptSettled(var task, var token, var reserved, var spent, var _) -> {
                out.begin(EventType.ATTEMPT_SETTLED);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                BudgetCodec.writeSpending("reserved", reserved, out);
                BudgetCodec.writeSpending("spent", spent, out);
            }
            case JobEvent.AttemptWithheld(var task, var _) -> {
                out.begin(EventType.ATTEMPT_WITHHELD);
                out.number("task", task);
            }
            case JobEvent.TasksAdmitted(var tasks, var _) -> {
                out.begin(EventType.TASKS_ADMITTED);
                out.numbers("tasks", tasks);
            }
            case JobEvent.BudgetWarned(var limit, var spent, var most, var _) -> {
                out.begin(EventType.BUDGET_WARNED);
                BudgetCodec.writeLimit(limit, out);
                out.number("spent", spent);
                out.number("most", most);
            }
            case JobEvent.BudgetExhausted(var limit, var needed, var _) -> {
                out.begin(EventType.BUDGET_EXHAUSTED);
                BudgetCodec.writeLimit(limit, out);
                BudgetCodec.writeSpending("needed", needed, out);
            }
            case JobEvent.BudgetExtended(var more, var by, var _) -> {
                out.begin(EventType.BUDGET_EXTENDED);
                BudgetCodec.writeSpending("more", more, out);
                out.text("by", by);
            }
            case TasksWithdrawn(var branch, var _) -> {
                out.begin(TASKS_WITHDRAWN);
                out.number("branch", branch);
            }
            case Forked(var branch, var starts, var policy, var join, var otherwise, var _) -> {
                out.begin(FORKED);
                out.number("branch", branch);
                out.texts("starts", starts);
                JobCodec.writePolicy("policy", policy, out);
                out.text("join", join);
                out.text("otherwise", otherwise);
            }
            case BranchEnded(var branch, var failure, var hopeless, var _) -> {
                out.begin(BRANCH_ENDED);
                out.number("branch", branch);
                out.text("failure", failure);
                out.flag("hopeless", hopeless);
            }
            case BranchesStopped(var branch, var _) -> {
                out.begin(BRANCHES_STOPPED);
                out.number("branch", branch);
            }
            case WaitBegun(var branch, var until, var next, var _) -> {
                out.begin(WAIT_BEGUN);
                out.number("branch", branch);
                out.instant("until", until);
                out.text("next", next);
            }
            case SignalAwaited(
                            var branch,
                            var signal,
                            var next,
                            var until,
                            var otherwise,
                            var _) -> {
                out.begin(SIGNAL_AWAITED);
                out.number("branch", branch);
                out.text("signal", signal);
                out.text("next", next);
                out.instant("until", until);
                out.text("otherwise", otherwise);
            }
            case SignalReceived(var signal, var id, var payload, var sender, var _) -> {
                out.begin(SIGNAL_RECEIVED);
                out.text("signal", signal);
                out.text("id", id);
                out.payload("payload", payload);
                out.text("sender", sender);
            }
            case ApprovalRequested(var branch, var approval, var until, var _) -> {
                out.begin(APPROVAL_REQUESTED);
                out.number("branch", branch);
                WaitCodec.writeApproval("approval", approval, out);
                out.instant("until", until);
            }
            case ApprovalDecided(var branch, var choice, var by, var comment, var _) -> {
                out.begin(APPROVAL_DECIDED);
                out.number("branch", branch);
                out.text("choice", choice);
                out.text("by", by);
                out.text("comment", comment);
            }
            case ChildRequested(var branch, var spec, var steps, var on, var _) -> {
                out.begin(CHILD_REQUESTED);
                out.number("branch", branch);
                ChildrenCodec.writeSpec("spec", spec, out);
                out.number("steps", steps);
                JobCodec.writeOutcomes("on", on, out);
            }
            case JobEvent.ChildrenRequested(
                            var branch,
                            var spec,
                            var initialData,
                            var steps,
                            var window,
                            var policy,
                            var join,
                            var otherwise,
                            var _) -> {
                out.begin(CHILDREN_REQUESTED);
                out.number("branch", branch);
                ChildrenCodec.writeSpec("spec", spec, out);
                ChildrenCodec.writeEach("each", initialData, out);
                out.number("steps", steps);
                out.number("window", window);
                JobCodec.writePolicy("policy", policy, out);
                out.text("join", join);
                out.text("otherwise", otherwise);
            }
            case JobEvent.ChildrenWithdrawn(var branch, var _) -> {
                out.begin(CHILDREN_WITHDRAWN);
                out.number("branch", branch);
            }
            case ChildStarted(var child, var _) -> {
                out.begin(CHILD_STARTED);
                out.number("child", child);
            }
            case ChildRefused(var child, var reason, var _) -> {
                out.begin(CHILD_REFUSED);
                out.number("child", child);
                out.text("reason", reason);
            }
            case ChildEnded(var child, var report, var _) -> {
                out.begin(CHILD_ENDED);
                out.number("child", child);
                ChildrenCodec.writeReport("report", report, out);
            }
            case ChildStopped(var child, var _) -> {
                out.begin(CHILD_STOPPED);
                out.number("child", child);
            }
            case ParentNotified(var _) -> out.begin(PARENT_NOTIFIED);
            case JobEvent.WebhookDelivered(var call, var attempts, var _) -> {
                out.begin(EventType.WEBHOOK_DELIVERED);
                out.effect("call", call);
                out.number("attempts", attempts);
            }
            case JobEvent.WebhookGivenUp(var call, var attempts, var reason, var _) -> {
                out.begin(EventType.WEBHOOK_GIVEN_UP);
                out.effect("call", call);
                out.number("attempts", attempts);
                out.text("reason", reason);
            }
            case CompensationRegistered(var branch, var by, var _) -> {
                out.begin(COMPENSATION_REGISTERED);
                out.number("branch", branch);
                CompensationCodec.writeCompensation("by", by, out);
            }
            case CompensationStarted(var aim, var graceUntil, var limit, var _) -> {
                out.begin(COMPENSATION_STARTED);
                CompensationCodec.writeAim(aim, out);
                out.instant("graceUntil", graceUntil);
                out.instant("limit", limit);
            }
            case CompensationCompleted(var failure, var _) -> {
                out.begin(COMPENSATION_COMPLETED);
                out.text("failure", failure);
            }
            case CancelRequested(var reason, var graceUntil, var next, var _) -> {
                out.begin(CANCEL_REQUESTED);
                out.text("reason", reason);
                out.instant("graceUntil", graceUntil);
                out.text("next", next);
            }
            case CancelHandled(var _) -> out.begin(CANCEL_HANDLED);
            case JobEvent.JobChanged(var priority, var labels, var by, var _) -> {
                out.begin(JOB_CHANGED);
                out.decimal("priority", priority);
                out.texts("labels", labels);
                out.text("by", by);
            }
            case JobEvent.JobPaused(var reason, var by, var _) -> {
                out.begin(JOB_PAUSED);
                out.text("reason", reason);
                out.text("by", by);
            }
            case JobEvent.JobResumed(var by, var _) -> {
                out.begin(JOB_RESUMED);
                out.text("by", by);
            }
            case JobQuarantined(var reason, var _) -> {
                out.begin(JOB_QUARANTINED);
                out.text("reason", reason);
            }
            case QuarantineResolved(var how, var by, var _) -> {
                out.begin(QUARANTINE_RESOLVED);
                WaitCodec.writeQuarantineAction("how", how, out);
                out.text("by", by);
            }
            case JobRewound(var from, var to, var data, var since, var by, var _) -> {
                out.begin(JOB_REWOUND);
                out.text("from", from);
                out.text("to", to);
                JobCodec.writeValues("data", data, out);
                out.numbers("since", since);
                out.text("by", by);
            }
            case JobForked(var from, var data, var recordedResult, var by, var _) -> {
                out.begin(JOB_FORKED);
                out.text("from", from.value());
                JobCodec.writeValues("data", data, out);
                WaitCodec.writeRecorded("recorded", recordedResult, out);
                out.text("by", by);
            }
            case JobEvent.JobContinued(var from, var to, var data, var _) -> {
                out.begin(JOB_CONTINUED);
                out.text("from", from);
                out.text("to", to);
                JobCodec.writeValues("data", data, out);
            }
            case JobEvent.DefinitionReplaced(
                            var from,
                            var state,
                            var to,
                            var guards,
                            var cancelState,
                            var _) -> {
                out.begin(DEFINITION_REPLACED);
                JobCodec.writeBlueprint("from", from, out);
                out.text("state", state);
                JobCodec.writeBlueprint("to", to, out);
                ChildrenCodec.writeGuards(guards, out);
                out.text("cancelState", cancelState);
            }
            case TaskReused(var task, var result, var _) -> {
                out.begin(TASK_REUSED);
                out.number("task", task);
                WaitCodec.writeRecorded("result", List.of(result), out);
            }
            case JobEnded(var outcome, var _) -> {
                out.begin(JOB_ENDED);
                JobCodec.writeOutcome("outcome", outcome, out);
            }
        }
        out.instant("at", event.at());
        out.end();
    }

    /// What follows `type` and `v`, up to the end of the object.
    static JobEvent read(EventType type, JsonIn in) throws IOException {
        var event =
                switch (type) {
                    case JOB_SUBMITTED ->
                            new JobSubmitted(JobCodec.readSpec("spec", in), in.instant("at"));
                    case STATE_ENTERED ->
                            new StateEntered(
                                    in.integer("branch"),
                                    in.text("state"),
                                    JobCodec.readCause("cause", in),
                                    in.instant("at"));
                    case STEP_DONE ->
                            new StepDone(
                                    in.integer("branch"),
                                    in.effect("step"),
                                    JobCodec.readValues("changes", in),
                                    in.texts("passed"),
                                    in.instant("at"));
                    case STEP_FAILED ->
                            new StepFailed(
                                    in.integer("branch"),
                                    in.effect("step"),
                                    in.text("message"),
                                    in.integer("attempt"),
                                    in.optionalInstant("retryAt"),
                                    in.instant("at"));
                    case STEP_RETRIED -> new StepRetried(in.integer("branch"), in.instant("at"));
                    case TASK_OPENED ->
                            new TaskOpened(
                                    in.integer("branch"),
                                    TaskCodec.readSpec("spec", in),
                                    JobCodec.readOutcomes("on", in),
                                    in.instant("at"));
                    case TASKS_OPENED ->
                            new TasksOpened(
                                    in.integer("branch"),
                                    TaskCodec.readSpecs("specs", in),
                                    in.integer("window"),
                                    JobCodec.readPolicy("policy", in),
                                    in.text("join"),
                                    in.optionalText("otherwise"),
                                    in.instant("at"));
                    case LEASE_GRANTED ->
                            new LeaseGranted(
                                    in.integer("task"),
                                    LeaseCodec.readLease("lease", in),
                                    PlacementCodec.read("placement", in),
                                    in.instant("at"));
                    case ATTEMPT_FAILED ->
                            new AttemptFailed(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    TaskCodec.readError("error", in),
                                    in.flag("lingers"),
                                    in.instant("retryAt"),
                                    in.instant("at"));
                    case HEDGE_BEGUN -> new HedgeBegun(in.integer("task"), in.instant("at"));
                    case ATTEMPT_DROPPED ->
                            new AttemptDropped(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    in.text("reason"),
                                    in.flag("lingers"),
                                    in.optionalInstant("again"),
                                    in.instant("at"));
                    case LEASE_LOST ->
                            new LeaseLost(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    LeaseCodec.readLost("reason", in),
                                    in.instant("at"));
                    case LEASE_RETURNED ->
                            new LeaseReturned(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    LeaseCodec.readReturned("reason", in),
                                    in.instant("retryAt"),
                                    in.instant("at"));
                    case LEASE_RELEASED ->
                            new LeaseReleased(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    in.instant("at"));
                    case TASK_SUCCEEDED ->
                            new TaskSucceeded(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    in.text("status"),
                                    in.payload("data"),
                                    in.instant("at"));
                    case TASK_FAILED ->
                            new TaskFailed(
                                    in.integer("task"),
                                    TaskCodec.readError("error", in),
                                    in.flag("lingers"),
                                    in.instant("at"));
                    case OUTCOME_UNKNOWN ->
                            new OutcomeUnknown(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    in.text("reason"),
                                    in.flag("lingers"),
                                    in.instant("at"));
                    case OUTCOME_RESOLVED ->
                            new OutcomeResolved(
                                    in.integer("task"),
                                    WaitCodec.readResolution("resolution", in),
                                    in.text("by"),
                                    in.instant("at"));
                    case QUESTION_ASKED ->
                            new QuestionAsked(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    WaitCodec.readQuestion("question", in),
                                    in.optionalInstant("until"),
                                    in.instant("at"));
                    case QUESTION_ANSWERED ->
                            new QuestionAnswered(
                                    in.integer("task"),
                                    in.text("answer"),
                                    in.text("by"),
                                    in.instant("at"));
                    case ATTEMPT_SETTLED ->
                            new JobEvent.AttemptSettled(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    BudgetCodec.readSpending("reserved", in),
                                    BudgetCodec.readSpending("spent", in),
                                    in.instant("at"));
                    case ATTEMPT_WITHHELD ->
                            new JobEvent.AttemptWithheld(in.integer("task"), in.instant("at"));
                    case TASKS_ADMITTED ->
                            new JobEvent.TasksAdmitted(in.numbers("tasks"), in.instant("at"));
                    case BUDGET_WARNED ->
                            new JobEvent.BudgetWarned(
                                    BudgetCodec.readLimit(in),
                                    in.number("spent"),
                                    in.number("most"),
                                    in.instant("at"));
                    case BUDGET_EXHAUSTED ->
                            new JobEvent.BudgetExhausted(
                                    BudgetCodec.readLimit(in),
                                    BudgetCodec.readSpending("needed", in),
                                    in.instant("at"));
                    case BUDGET_EXTENDED ->
                            new JobEvent.BudgetExtended(
                                    BudgetCodec.readSpending("more", in),
                                    in.text("by"),
                                    in.instant("at"));
                    case TASKS_WITHDRAWN ->
                            new TasksWithdrawn(in.integer("branch"), in.instant("at"));
                    case FORKED ->
                            new Forked(
                                    in.integer("branch"),
                                    in.texts("starts"),
                                    JobCodec.readPolicy("policy", in),
                                    in.text("join"),
                                    in.optionalText("otherwise"),
                                    in.instant("at"));
                    case BRANCH_ENDED ->
                            new BranchEnded(
                                    in.integer("branch"),
                                    in.optionalText("failure"),
                                    in.flag("hopeless"),
                                    in.instant("at"));
                    case BRANCHES_STOPPED ->
                            new BranchesStopped(in.integer("branch"), in.instant("at"));
                    case WAIT_BEGUN ->
                            new WaitBegun(
                                    in.integer("branch"),
                                    in.instant("until"),
                                    in.text("next"),
                                    in.instant("at"));
                    case SIGNAL_AWAITED ->
                            new SignalAwaited(
                                    in.integer("branch"),
                                    in.text("signal"),
                                    in.text("next"),
                                    in.optionalInstant("until"),
                                    in.optionalText("otherwise"),
                                    in.instant("at"));
                    case SIGNAL_RECEIVED ->
                            new SignalReceived(
                                    in.text("signal"),
                                    in.text("id"),
                                    in.payload("payload"),
                                    in.text("sender"),
                                    in.instant("at"));
                    case APPROVAL_REQUESTED ->
                            new ApprovalRequested(
                                    in.integer("branch"),
                                    WaitCodec.readApproval("approval", in),
                                    in.optionalInstant("until"),
                                    in.instant("at"));
                    case APPROVAL_DECIDED ->
                            new ApprovalDecided(
                                    in.integer("branch"),
                                    in.text("choice"),
                                    in.text("by"),
                                    in.optionalText("comment"),
                                    in.instant("at"));
                    case CHILD_REQUESTED ->
                            new ChildRequested(
                                    in.integer("branch"),
                                    ChildrenCodec.readSpec("spec", in),
                                    in.integer("steps"),
                                    JobCodec.readOutcomes("on", in),
                                    in.instant("at"));
                    case CHILDREN_REQUESTED ->
                            new JobEvent.ChildrenRequested(
                                    in.integer("branch"),
                                    ChildrenCodec.readSpec("spec", in),
                                    ChildrenCodec.readEach("each", in),
                                    in.integer("steps"),
                                    in.integer("window"),
                                    JobCodec.readPolicy("policy", in),
                                    in.text("join"),
                                    in.optionalText("otherwise"),
                                    in.instant("at"));
                    case CHILDREN_WITHDRAWN ->
                            new JobEvent.ChildrenWithdrawn(in.integer("branch"), in.instant("at"));
                    case CHILD_STARTED -> new ChildStarted(in.integer("child"), in.instant("at"));
                    case CHILD_REFUSED ->
                            new ChildRefused(
                                    in.integer("child"), in.text("reason"), in.instant("at"));
                    case CHILD_ENDED ->
                            new ChildEnded(
                                    in.integer("child"),
                                    ChildrenCodec.readReport("report", in),
                                    in.instant("at"));
                    case CHILD_STOPPED -> new ChildStopped(in.integer("child"), in.instant("at"));
                    case PARENT_NOTIFIED -> new ParentNotified(in.instant("at"));
                    case WEBHOOK_DELIVERED ->
                            new JobEvent.WebhookDelivered(
                                    in.effect("call"), in.integer("attempts"), in.instant("at"));
                    case WEBHOOK_GIVEN_UP ->
                            new JobEvent.WebhookGivenUp(
                                    in.effect("call"),
                                    in.integer("attempts"),
                                    in.text("reason"),
                                    in.instant("at"));
                    case COMPENSATION_REGISTERED ->
                            new CompensationRegistered(
                                    in.integer("branch"),
                                    CompensationCodec.readCompensation("by", in),
                                    in.instant("at"));
                    case COMPENSATION_STARTED ->
                            new CompensationStarted(
                                    CompensationCodec.readAim(in),
                                    in.optionalInstant("graceUntil"),
                                    in.instant("limit"),
                                    in.instant("at"));
                    case COMPENSATION_COMPLETED ->
                            new CompensationCompleted(in.optionalText("failure"), in.instant("at"));
                    case CANCEL_REQUESTED ->
                            new CancelRequested(
                                    in.text("reason"),
                                    in.instant("graceUntil"),
                                    in.optionalText("next"),
                                    in.instant("at"));
                    case CANCEL_HANDLED -> new CancelHandled(in.instant("at"));
                    case JOB_CHANGED ->
                            new JobEvent.JobChanged(
                                    in.decimal("priority"),
                                    in.textsByName("labels"),
                                    in.text("by"),
                                    in.instant("at"));
                    case JOB_PAUSED ->
                            new JobEvent.JobPaused(
                                    in.optionalText("reason"), in.text("by"), in.instant("at"));
                    case JOB_RESUMED -> new JobEvent.JobResumed(in.text("by"), in.instant("at"));
                    case JOB_QUARANTINED -> new JobQuarantined(in.text("reason"), in.instant("at"));
                    case QUARANTINE_RESOLVED ->
                            new QuarantineResolved(
                                    WaitCodec.readQuarantineAction("how", in),
                                    in.text("by"),
                                    in.instant("at"));
                    case JOB_REWOUND ->
                            new JobRewound(
                                    in.text("from"),
                                    in.text("to"),
                                    JobCodec.readValues("data", in),
                                    in.numbers("since"),
                                    in.text("by"),
                                    in.instant("at"));
                    case JOB_FORKED ->
                            new JobForked(
                                    new JobId(in.text("from")),
                                    JobCodec.readValues("data", in),
                                    WaitCodec.readRecorded("recorded", in),
                                    in.text("by"),
                                    in.instant("at"));
                    case JOB_CONTINUED ->
                            new JobEvent.JobContinued(
                                    in.text("from"),
                                    in.text("to"),
                                    JobCodec.readValues("data", in),
                                    in.instant("at"));
                    case DEFINITION_REPLACED ->
                            new JobEvent.DefinitionReplaced(
                                    JobCodec.readBlueprint("from", in),
                                    in.text("state"),
                                    JobCodec.readBlueprint("to", in),
                                    ChildrenCodec.readGuards(in),
                                    in.optionalText("cancelState"),
                                    in.instant("at"));
                    case TASK_REUSED ->
                            new TaskReused(
                                    in.integer("task"),
                                    WaitCodec.readRecorded("result", in).getFirst(),
                                    in.instant("at"));
                    case JOB_ENDED ->
                            new JobEnded(JobCodec.readOutcome("outcome", in), in.instant("at"));
                };
        in.end();
        return event;
    }
}
