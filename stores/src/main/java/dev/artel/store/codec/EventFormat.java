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
import dev.artel.kernel.job.JobEvent.Forked;
import dev.artel.kernel.job.JobEvent.HedgeBegun;
import dev.artel.kernel.job.JobEvent.JobEnded;
import dev.artel.kernel.job.JobEvent.JobForked;
import dev.artel.kernel.job.JobEvent.JobMended;
import dev.artel.kernel.job.JobEvent.JobQuarantined;
import dev.artel.kernel.job.JobEvent.JobRewound;
import dev.artel.kernel.job.JobEvent.JobSubmitted;
import dev.artel.kernel.job.JobEvent.LeaseGranted;
import dev.artel.kernel.job.JobEvent.LeaseLost;
import dev.artel.kernel.job.JobEvent.LeaseReleased;
import dev.artel.kernel.job.JobEvent.LeaseReturned;
import dev.artel.kernel.job.JobEvent.OutcomeResolved;
import dev.artel.kernel.job.JobEvent.OutcomeUnknown;
import dev.artel.kernel.job.JobEvent.ParentInformed;
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
import dev.artel.kernel.job.JobEvent.UndoBegun;
import dev.artel.kernel.job.JobEvent.UndoDeclared;
import dev.artel.kernel.job.JobEvent.Undone;
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
                JobParts.writeSpec("spec", spec, out);
            }
            case StateEntered(var strand, var state, var cause, var _) -> {
                out.begin(STATE_ENTERED);
                out.number("strand", strand);
                out.text("state", state);
                JobParts.writeCause("cause", cause, out);
            }
            case StepDone(var strand, var step, var changes, var passed, var _) -> {
                out.begin(STEP_DONE);
                out.number("strand", strand);
                out.effect("step", step);
                JobParts.writeValues("changes", changes, out);
                out.texts("passed", passed);
            }
            case StepFailed(var strand, var step, var message, var attempt, var retryAt, var _) -> {
                out.begin(STEP_FAILED);
                out.number("strand", strand);
                out.effect("step", step);
                out.text("message", message);
                out.number("attempt", attempt);
                out.instant("retryAt", retryAt);
            }
            case StepRetried(var strand, var _) -> {
                out.begin(STEP_RETRIED);
                out.number("strand", strand);
            }
            case TaskOpened(var strand, var spec, var on, var _) -> {
                out.begin(TASK_OPENED);
                out.number("strand", strand);
                TaskParts.writeSpec("spec", spec, out);
                JobParts.writeOutcomes("on", on, out);
            }
            case TasksOpened(
                            var strand,
                            var specs,
                            var window,
                            var policy,
                            var join,
                            var otherwise,
                            var _) -> {
                out.begin(TASKS_OPENED);
                out.number("strand", strand);
                TaskParts.writeSpecs("specs", specs, out);
                out.number("window", window);
                JobParts.writePolicy("policy", policy, out);
                out.text("join", join);
                out.text("otherwise", otherwise);
            }
            case LeaseGranted(var task, var lease, var placement, var _) -> {
                out.begin(LEASE_GRANTED);
                out.number("task", task);
                LeaseParts.writeLease("lease", lease, out);
                PlacementParts.write("placement", placement, out);
            }
            case AttemptFailed(var task, var token, var error, var lingers, var retryAt, var _) -> {
                out.begin(ATTEMPT_FAILED);
                out.number("task", task);
                LeaseParts.writeToken("token", token, out);
                TaskParts.writeError("error", error, out);
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
                LeaseParts.writeToken("token", token, out);
                out.text("reason", reason);
                out.flag("lingers", lingers);
                out.instant("again", again);
            }
            case LeaseLost(var task, var token, var reason, var _) -> {
                out.begin(LEASE_LOST);
                out.number("task", task);
                LeaseParts.writeToken("token", token, out);
                LeaseParts.writeEnding("reason", reason, out);
            }
            case LeaseReturned(var task, var token, var reason, var retryAt, var _) -> {
                out.begin(LEASE_RETURNED);
                out.number("task", task);
                LeaseParts.writeToken("token", token, out);
                LeaseParts.writeEnding("reason", reason, out);
                out.instant("retryAt", retryAt);
            }
            case LeaseReleased(var task, var token, var _) -> {
                out.begin(LEASE_RELEASED);
                out.number("task", task);
                LeaseParts.writeToken("token", token, out);
            }
            case TaskSucceeded(var task, var token, var status, var data, var _) -> {
                out.begin(TASK_SUCCEEDED);
                out.number("task", task);
                LeaseParts.writeToken("token", token, out);
                out.text("status", status);
                out.payload("data", data);
            }
            case TaskFailed(var task, var error, var lingers, var _) -> {
                out.begin(TASK_FAILED);
                out.number("task", task);
                TaskParts.writeError("error", error, out);
                out.flag("lingers", lingers);
            }
            case OutcomeUnknown(var task, var token, var reason, var lingers, var _) -> {
                out.begin(OUTCOME_UNKNOWN);
                out.number("task", task);
                LeaseParts.writeToken("token", token, out);
                out.text("reason", reason);
                out.flag("lingers", lingers);
            }
            case OutcomeResolved(var task, var resolution, var by, var _) -> {
                out.begin(OUTCOME_RESOLVED);
                out.number("task", task);
                OutsideParts.writeResolution("resolution", resolution, out);
                out.text("by", by);
            }
            case QuestionAsked(var task, var token, var question, var until, var _) -> {
                out.begin(QUESTION_ASKED);
                out.number("task", task);
                LeaseParts.writeToken("token", token, out);
                OutsideParts.writeQuestion("question", question, out);
                out.instant("until", until);
            }
            case QuestionAnswered(var task, var answer, var by, var _) -> {
                out.begin(QUESTION_ANSWERED);
                out.number("task", task);
                out.text("answer", answer);
                out.text("by", by);
            }
            case TasksWithdrawn(var strand, var _) -> {
                out.begin(TASKS_WITHDRAWN);
                out.number("strand", strand);
            }
            case Forked(var strand, var starts, var policy, var join, var otherwise, var _) -> {
                out.begin(FORKED);
                out.number("strand", strand);
                out.texts("starts", starts);
                JobParts.writePolicy("policy", policy, out);
                out.text("join", join);
                out.text("otherwise", otherwise);
            }
            case BranchEnded(var strand, var failure, var hopeless, var _) -> {
                out.begin(BRANCH_ENDED);
                out.number("strand", strand);
                out.text("failure", failure);
                out.flag("hopeless", hopeless);
            }
            case BranchesStopped(var strand, var _) -> {
                out.begin(BRANCHES_STOPPED);
                out.number("strand", strand);
            }
            case WaitBegun(var strand, var until, var next, var _) -> {
                out.begin(WAIT_BEGUN);
                out.number("strand", strand);
                out.instant("until", until);
                out.text("next", next);
            }
            case SignalAwaited(
                            var strand,
                            var signal,
                            var next,
                            var until,
                            var otherwise,
                            var _) -> {
                out.begin(SIGNAL_AWAITED);
                out.number("strand", strand);
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
            case ApprovalRequested(var strand, var approval, var until, var _) -> {
                out.begin(APPROVAL_REQUESTED);
                out.number("strand", strand);
                OutsideParts.writeApproval("approval", approval, out);
                out.instant("until", until);
            }
            case ApprovalDecided(var strand, var choice, var by, var comment, var _) -> {
                out.begin(APPROVAL_DECIDED);
                out.number("strand", strand);
                out.text("choice", choice);
                out.text("by", by);
                out.text("comment", comment);
            }
            case ChildRequested(var strand, var spec, var steps, var on, var _) -> {
                out.begin(CHILD_REQUESTED);
                out.number("strand", strand);
                FamilyParts.writeSpec("spec", spec, out);
                out.number("steps", steps);
                JobParts.writeOutcomes("on", on, out);
            }
            case JobEvent.ChildrenRequested(
                            var strand,
                            var spec,
                            var initialData,
                            var steps,
                            var window,
                            var policy,
                            var join,
                            var otherwise,
                            var _) -> {
                out.begin(CHILDREN_REQUESTED);
                out.number("strand", strand);
                FamilyParts.writeSpec("spec", spec, out);
                FamilyParts.writeEach("each", initialData, out);
                out.number("steps", steps);
                out.number("window", window);
                JobParts.writePolicy("policy", policy, out);
                out.text("join", join);
                out.text("otherwise", otherwise);
            }
            case JobEvent.ChildrenWithdrawn(var strand, var _) -> {
                out.begin(CHILDREN_WITHDRAWN);
                out.number("strand", strand);
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
                FamilyParts.writeReport("report", report, out);
            }
            case ChildStopped(var child, var _) -> {
                out.begin(CHILD_STOPPED);
                out.number("child", child);
            }
            case ParentInformed(var _) -> out.begin(PARENT_INFORMED);
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
            case UndoDeclared(var strand, var by, var _) -> {
                out.begin(UNDO_DECLARED);
                out.number("strand", strand);
                UndoParts.writeCompensation("by", by, out);
            }
            case UndoBegun(var aim, var graceUntil, var limit, var _) -> {
                out.begin(UNDO_BEGUN);
                UndoParts.writeAim(aim, out);
                out.instant("graceUntil", graceUntil);
                out.instant("limit", limit);
            }
            case Undone(var failure, var _) -> {
                out.begin(UNDONE);
                out.text("failure", failure);
            }
            case CancelRequested(var reason, var graceUntil, var _) -> {
                out.begin(CANCEL_REQUESTED);
                out.text("reason", reason);
                out.instant("graceUntil", graceUntil);
            }
            case CancelHandled(var _) -> out.begin(CANCEL_HANDLED);
            case JobQuarantined(var reason, var _) -> {
                out.begin(JOB_QUARANTINED);
                out.text("reason", reason);
            }
            case JobMended(var how, var by, var _) -> {
                out.begin(JOB_MENDED);
                OutsideParts.writeMending("how", how, out);
                out.text("by", by);
            }
            case JobRewound(var from, var to, var data, var since, var by, var _) -> {
                out.begin(JOB_REWOUND);
                out.text("from", from);
                out.text("to", to);
                JobParts.writeValues("data", data, out);
                out.numbers("since", since);
                out.text("by", by);
            }
            case JobForked(var from, var data, var recorded, var by, var _) -> {
                out.begin(JOB_FORKED);
                out.text("from", from.value());
                JobParts.writeValues("data", data, out);
                OutsideParts.writeRecorded("recorded", recorded, out);
                out.text("by", by);
            }
            case JobEvent.JobContinued(var from, var to, var data, var _) -> {
                out.begin(JOB_CONTINUED);
                out.text("from", from);
                out.text("to", to);
                JobParts.writeValues("data", data, out);
            }
            case TaskReused(var task, var result, var _) -> {
                out.begin(TASK_REUSED);
                out.number("task", task);
                OutsideParts.writeRecorded("result", List.of(result), out);
            }
            case JobEnded(var outcome, var _) -> {
                out.begin(JOB_ENDED);
                JobParts.writeOutcome("outcome", outcome, out);
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
                            new JobSubmitted(JobParts.readSpec("spec", in), in.instant("at"));
                    case STATE_ENTERED ->
                            new StateEntered(
                                    in.integer("strand"),
                                    in.text("state"),
                                    JobParts.readCause("cause", in),
                                    in.instant("at"));
                    case STEP_DONE ->
                            new StepDone(
                                    in.integer("strand"),
                                    in.effect("step"),
                                    JobParts.readValues("changes", in),
                                    in.texts("passed"),
                                    in.instant("at"));
                    case STEP_FAILED ->
                            new StepFailed(
                                    in.integer("strand"),
                                    in.effect("step"),
                                    in.text("message"),
                                    in.integer("attempt"),
                                    in.optionalInstant("retryAt"),
                                    in.instant("at"));
                    case STEP_RETRIED -> new StepRetried(in.integer("strand"), in.instant("at"));
                    case TASK_OPENED ->
                            new TaskOpened(
                                    in.integer("strand"),
                                    TaskParts.readSpec("spec", in),
                                    JobParts.readOutcomes("on", in),
                                    in.instant("at"));
                    case TASKS_OPENED ->
                            new TasksOpened(
                                    in.integer("strand"),
                                    TaskParts.readSpecs("specs", in),
                                    in.integer("window"),
                                    JobParts.readPolicy("policy", in),
                                    in.text("join"),
                                    in.optionalText("otherwise"),
                                    in.instant("at"));
                    case LEASE_GRANTED ->
                            new LeaseGranted(
                                    in.integer("task"),
                                    LeaseParts.readLease("lease", in),
                                    PlacementParts.read("placement", in),
                                    in.instant("at"));
                    case ATTEMPT_FAILED ->
                            new AttemptFailed(
                                    in.integer("task"),
                                    LeaseParts.readToken("token", in),
                                    TaskParts.readError("error", in),
                                    in.flag("lingers"),
                                    in.instant("retryAt"),
                                    in.instant("at"));
                    case HEDGE_BEGUN -> new HedgeBegun(in.integer("task"), in.instant("at"));
                    case ATTEMPT_DROPPED ->
                            new AttemptDropped(
                                    in.integer("task"),
                                    LeaseParts.readToken("token", in),
                                    in.text("reason"),
                                    in.flag("lingers"),
                                    in.optionalInstant("again"),
                                    in.instant("at"));
                    case LEASE_LOST ->
                            new LeaseLost(
                                    in.integer("task"),
                                    LeaseParts.readToken("token", in),
                                    LeaseParts.readLost("reason", in),
                                    in.instant("at"));
                    case LEASE_RETURNED ->
                            new LeaseReturned(
                                    in.integer("task"),
                                    LeaseParts.readToken("token", in),
                                    LeaseParts.readReturned("reason", in),
                                    in.instant("retryAt"),
                                    in.instant("at"));
                    case LEASE_RELEASED ->
                            new LeaseReleased(
                                    in.integer("task"),
                                    LeaseParts.readToken("token", in),
                                    in.instant("at"));
                    case TASK_SUCCEEDED ->
                            new TaskSucceeded(
                                    in.integer("task"),
                                    LeaseParts.readToken("token", in),
                                    in.text("status"),
                                    in.payload("data"),
                                    in.instant("at"));
                    case TASK_FAILED ->
                            new TaskFailed(
                                    in.integer("task"),
                                    TaskParts.readError("error", in),
                                    in.flag("lingers"),
                                    in.instant("at"));
                    case OUTCOME_UNKNOWN ->
                            new OutcomeUnknown(
                                    in.integer("task"),
                                    LeaseParts.readToken("token", in),
                                    in.text("reason"),
                                    in.flag("lingers"),
                                    in.instant("at"));
                    case OUTCOME_RESOLVED ->
                            new OutcomeResolved(
                                    in.integer("task"),
                                    OutsideParts.readResolution("resolution", in),
                                    in.text("by"),
                                    in.instant("at"));
                    case QUESTION_ASKED ->
                            new QuestionAsked(
                                    in.integer("task"),
                                    LeaseParts.readToken("token", in),
                                    OutsideParts.readQuestion("question", in),
                                    in.optionalInstant("until"),
                                    in.instant("at"));
                    case QUESTION_ANSWERED ->
                            new QuestionAnswered(
                                    in.integer("task"),
                                    in.text("answer"),
                                    in.text("by"),
                                    in.instant("at"));
                    case TASKS_WITHDRAWN ->
                            new TasksWithdrawn(in.integer("strand"), in.instant("at"));
                    case FORKED ->
                            new Forked(
                                    in.integer("strand"),
                                    in.texts("starts"),
                                    JobParts.readPolicy("policy", in),
                                    in.text("join"),
                                    in.optionalText("otherwise"),
                                    in.instant("at"));
                    case BRANCH_ENDED ->
                            new BranchEnded(
                                    in.integer("strand"),
                                    in.optionalText("failure"),
                                    in.flag("hopeless"),
                                    in.instant("at"));
                    case BRANCHES_STOPPED ->
                            new BranchesStopped(in.integer("strand"), in.instant("at"));
                    case WAIT_BEGUN ->
                            new WaitBegun(
                                    in.integer("strand"),
                                    in.instant("until"),
                                    in.text("next"),
                                    in.instant("at"));
                    case SIGNAL_AWAITED ->
                            new SignalAwaited(
                                    in.integer("strand"),
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
                                    in.integer("strand"),
                                    OutsideParts.readApproval("approval", in),
                                    in.optionalInstant("until"),
                                    in.instant("at"));
                    case APPROVAL_DECIDED ->
                            new ApprovalDecided(
                                    in.integer("strand"),
                                    in.text("choice"),
                                    in.text("by"),
                                    in.optionalText("comment"),
                                    in.instant("at"));
                    case CHILD_REQUESTED ->
                            new ChildRequested(
                                    in.integer("strand"),
                                    FamilyParts.readSpec("spec", in),
                                    in.integer("steps"),
                                    JobParts.readOutcomes("on", in),
                                    in.instant("at"));
                    case CHILDREN_REQUESTED ->
                            new JobEvent.ChildrenRequested(
                                    in.integer("strand"),
                                    FamilyParts.readSpec("spec", in),
                                    FamilyParts.readEach("each", in),
                                    in.integer("steps"),
                                    in.integer("window"),
                                    JobParts.readPolicy("policy", in),
                                    in.text("join"),
                                    in.optionalText("otherwise"),
                                    in.instant("at"));
                    case CHILDREN_WITHDRAWN ->
                            new JobEvent.ChildrenWithdrawn(in.integer("strand"), in.instant("at"));
                    case CHILD_STARTED -> new ChildStarted(in.integer("child"), in.instant("at"));
                    case CHILD_REFUSED ->
                            new ChildRefused(
                                    in.integer("child"), in.text("reason"), in.instant("at"));
                    case CHILD_ENDED ->
                            new ChildEnded(
                                    in.integer("child"),
                                    FamilyParts.readReport("report", in),
                                    in.instant("at"));
                    case CHILD_STOPPED -> new ChildStopped(in.integer("child"), in.instant("at"));
                    case PARENT_INFORMED -> new ParentInformed(in.instant("at"));
                    case WEBHOOK_DELIVERED ->
                            new JobEvent.WebhookDelivered(
                                    in.effect("call"), in.integer("attempts"), in.instant("at"));
                    case WEBHOOK_GIVEN_UP ->
                            new JobEvent.WebhookGivenUp(
                                    in.effect("call"),
                                    in.integer("attempts"),
                                    in.text("reason"),
                                    in.instant("at"));
                    case UNDO_DECLARED ->
                            new UndoDeclared(
                                    in.integer("strand"),
                                    UndoParts.readCompensation("by", in),
                                    in.instant("at"));
                    case UNDO_BEGUN ->
                            new UndoBegun(
                                    UndoParts.readAim(in),
                                    in.optionalInstant("graceUntil"),
                                    in.instant("limit"),
                                    in.instant("at"));
                    case UNDONE -> new Undone(in.optionalText("failure"), in.instant("at"));
                    case CANCEL_REQUESTED ->
                            new CancelRequested(
                                    in.text("reason"), in.instant("graceUntil"), in.instant("at"));
                    case CANCEL_HANDLED -> new CancelHandled(in.instant("at"));
                    case JOB_QUARANTINED -> new JobQuarantined(in.text("reason"), in.instant("at"));
                    case JOB_MENDED ->
                            new JobMended(
                                    OutsideParts.readMending("how", in),
                                    in.text("by"),
                                    in.instant("at"));
                    case JOB_REWOUND ->
                            new JobRewound(
                                    in.text("from"),
                                    in.text("to"),
                                    JobParts.readValues("data", in),
                                    in.numbers("since"),
                                    in.text("by"),
                                    in.instant("at"));
                    case JOB_FORKED ->
                            new JobForked(
                                    new JobId(in.text("from")),
                                    JobParts.readValues("data", in),
                                    OutsideParts.readRecorded("recorded", in),
                                    in.text("by"),
                                    in.instant("at"));
                    case JOB_CONTINUED ->
                            new JobEvent.JobContinued(
                                    in.text("from"),
                                    in.text("to"),
                                    JobParts.readValues("data", in),
                                    in.instant("at"));
                    case TASK_REUSED ->
                            new TaskReused(
                                    in.integer("task"),
                                    OutsideParts.readRecorded("result", in).getFirst(),
                                    in.instant("at"));
                    case JOB_ENDED ->
                            new JobEnded(JobParts.readOutcome("outcome", in), in.instant("at"));
                };
        in.end();
        return event;
    }
}
