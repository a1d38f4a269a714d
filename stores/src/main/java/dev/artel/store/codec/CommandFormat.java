package dev.artel.store.codec;

import static dev.artel.store.codec.CommandType.*;

import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobCommand.AnswerQuestion;
import dev.artel.kernel.job.JobCommand.AskQuestion;
import dev.artel.kernel.job.JobCommand.Cancel;
import dev.artel.kernel.job.JobCommand.CompleteStep;
import dev.artel.kernel.job.JobCommand.ConfirmChild;
import dev.artel.kernel.job.JobCommand.ConfirmParentNotified;
import dev.artel.kernel.job.JobCommand.ConfirmStop;
import dev.artel.kernel.job.JobCommand.DecideApproval;
import dev.artel.kernel.job.JobCommand.EndChild;
import dev.artel.kernel.job.JobCommand.EndLease;
import dev.artel.kernel.job.JobCommand.FailStep;
import dev.artel.kernel.job.JobCommand.FireTimer;
import dev.artel.kernel.job.JobCommand.Fork;
import dev.artel.kernel.job.JobCommand.Grant;
import dev.artel.kernel.job.JobCommand.RefuseChild;
import dev.artel.kernel.job.JobCommand.Report;
import dev.artel.kernel.job.JobCommand.ResolveQuarantine;
import dev.artel.kernel.job.JobCommand.ResolveTask;
import dev.artel.kernel.job.JobCommand.Rewind;
import dev.artel.kernel.job.JobCommand.Signal;
import dev.artel.kernel.job.JobCommand.Submit;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobPatch;
import java.io.IOException;
import java.util.Optional;

/// The form of commands, which go from one orchestrator to another; see [EventFormat].
final class CommandFormat {
    private CommandFormat() {}

    static void write(JobCommand command, JsonOut out) throws IOException {
        switch (command) {
            case Submit(var spec, var signal, var pause, var _) -> {
                out.begin(SUBMIT);
                JobCodec.writeSpec("spec", spec, out);
                if (signal.isPresent()) {
                    out.text("signal", signal.get().signal());
                    out.text("signal_id", signal.get().id());
                    out.payload("payload", signal.get().payload());
                    out.text("sender", signal.get().sender());
                    out.instant("signal_at", signal.get().at());
                }
                if (pause.isPresent()) {
                    out.text("paused_by", pause.get().by());
                    out.text("pause_reason", pause.get().reason());
                    out.instant("paused_at", pause.get().at());
                }
            }
            case CompleteStep(var step, var action, var passed, var _) -> {
                out.begin(COMPLETE_STEP);
                out.effect("step", step);
                ActionCodec.writeAction("action", action, out);
                out.texts("passed", passed);
            }
            case FailStep(var step, var message, var retryable, var random, var retry, var _) -> {
                out.begin(FAIL_STEP);
                out.effect("step", step);
                out.text("message", message);
                out.flag("retryable", retryable);
                out.decimal("random", random);
                if (retry.isPresent()) {
                    TaskCodec.writeRetry(retry.get(), out);
                }
            }
            case Grant(
                            var offer,
                            var task,
                            var token,
                            var worker,
                            var instance,
                            var placement,
                            var _) -> {
                out.begin(GRANT);
                out.effect("offer", offer);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                LeaseCodec.writeWorker("worker", worker, out);
                LeaseCodec.writeInstance(instance, out);
                PlacementCodec.write("placement", placement, out);
            }
            case Report(
                            var task,
                            var token,
                            var worker,
                            var report,
                            var cost,
                            var random,
                            var _) -> {
                out.begin(REPORT);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                LeaseCodec.writeWorker("worker", worker, out);
                TaskCodec.writeReport("report", report, out);
                BudgetCodec.writeReported(cost, out);
                out.decimal("random", random);
            }
            case EndLease(var task, var token, var reason, var _) -> {
                out.begin(END_LEASE);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                LeaseCodec.writeEnding("reason", reason, out);
            }
            case FireTimer(var timer, var timerKind, var random, var _) -> {
                out.begin(FIRE_TIMER);
                out.effect("timer", timer);
                JobCodec.writeTimerKind("timerKind", timerKind, out);
                out.decimal("random", random);
            }
            case Signal(var signal, var id, var payload, var sender, var _) -> {
                out.begin(SIGNAL);
                out.text("signal", signal);
                out.text("id", id);
                out.payload("payload", payload);
                out.text("sender", sender);
            }
            case AskQuestion(var task, var token, var worker, var question, var within, var _) -> {
                out.begin(ASK_QUESTION);
                out.number("task", task);
                LeaseCodec.writeToken("token", token, out);
                LeaseCodec.writeWorker("worker", worker, out);
                WaitCodec.writeQuestion("question", question, out);
                out.duration("within", within);
            }
            case AnswerQuestion(var number, var answer, var by, var _) -> {
                out.begin(ANSWER_QUESTION);
                out.number("number", number);
                out.text("answer", answer);
                out.text("by", by);
            }
            case ResolveTask(var task, var resolution, var by, var _) -> {
                out.begin(RESOLVE_TASK);
                out.number("task", task);
                WaitCodec.writeResolution("resolution", resolution, out);
                out.text("by", by);
            }
            case DecideApproval(var by, var choice, var comment, var _) -> {
                out.begin(DECIDE_APPROVAL);
                WaitCodec.writeApprover("by", by, out);
                out.text("choice", choice);
                out.text("comment", comment);
            }
            case ConfirmChild(var child, var start, var _) -> {
                out.begin(CONFIRM_CHILD);
                out.number("child", child);
                out.effect("start", start);
            }
            case RefuseChild(var child, var start, var reason, var _) -> {
                out.begin(REFUSE_CHILD);
                out.number("child", child);
                out.effect("start", start);
                out.text("reason", reason);
            }
            case EndChild(var child, var start, var report, var _) -> {
                out.begin(END_CHILD);
                out.number("child", child);
                out.effect("start", start);
                ChildrenCodec.writeReport("report", report, out);
            }
            case ConfirmStop(var child, var stop, var _) -> {
                out.begin(CONFIRM_STOP);
                out.number("child", child);
                out.effect("stop", stop);
            }
            case ConfirmParentNotified(var parentNotification, var _) -> {
                out.begin(CONFIRM_PARENT_NOTIFIED);
                out.effect("parent_notification", parentNotification);
            }
            case JobCommand.SettleWebhook(var call, var attempts, var problem, var _) -> {
                out.begin(CommandType.SETTLE_WEBHOOK);
                out.effect("call", call);
                out.number("attempts", attempts);
                out.text("problem", problem);
            }
            case ResolveQuarantine(var how, var by, var _) -> {
                out.begin(RESOLVE_QUARANTINE);
                WaitCodec.writeQuarantineAction("how", how, out);
                out.text("by", by);
            }
            case Rewind(var to, var by, var _) -> {
                out.begin(REWIND);
                WaitCodec.writeVisit("to", to, out);
                out.text("by", by);
            }
            case Fork(var spec, var from, var data, var recordedResult, var by, var _) -> {
                out.begin(FORK);
                JobCodec.writeSpec("spec", spec, out);
                out.text("from", from.value());
                JobCodec.writeValues("data", data, out);
                WaitCodec.writeRecorded("recorded", recordedResult, out);
                out.text("by", by);
            }
            case JobCommand.ChangeJob(var patch, var by, var _) -> {
                out.begin(CommandType.CHANGE_JOB);
                if (patch.priority().isPresent()) {
                    out.decimal("priority", patch.priority().get());
                }
                out.texts("labels", patch.labels());
                out.texts("removed", patch.removed());
                out.text("by", by);
            }
            case JobCommand.ExtendBudget(var more, var by, var _) -> {
                out.begin(CommandType.EXTEND_BUDGET);
                BudgetCodec.writeSpending("more", more, out);
                out.text("by", by);
            }
            case JobCommand.PauseJob(var reason, var by, var _) -> {
                out.begin(CommandType.PAUSE_JOB);
                out.text("reason", reason);
                out.text("by", by);
            }
            case JobCommand.ResumeJob(var by, var _) -> {
                out.begin(CommandType.RESUME_JOB);
                out.text("by", by);
            }
            case Cancel(var reason, var _) -> {
                out.begin(CANCEL);
                out.text("reason", reason);
            }
        }
        out.instant("at", command.at());
        out.end();
    }

    /// What follows `type` and `v`, up to the end of the object.
    static JobCommand read(CommandType type, JsonIn in) throws IOException {
        var command =
                switch (type) {
                    case SUBMIT ->
                            new Submit(
                                    JobCodec.readSpec("spec", in),
                                    in.isNext("signal")
                                            ? Optional.of(readSubmittedSignal(in))
                                            : Optional.empty(),
                                    in.isNext("paused_by")
                                            ? Optional.of(readFirstPause(in))
                                            : Optional.empty(),
                                    in.instant("at"));
                    case COMPLETE_STEP ->
                            new CompleteStep(
                                    in.effect("step"),
                                    ActionCodec.readAction("action", in),
                                    in.texts("passed"),
                                    in.instant("at"));
                    case FAIL_STEP ->
                            new FailStep(
                                    in.effect("step"),
                                    in.text("message"),
                                    in.flag("retryable"),
                                    in.decimal("random"),
                                    in.isNext("retry")
                                            ? Optional.of(TaskCodec.readRetry(in))
                                            : Optional.empty(),
                                    in.instant("at"));
                    case GRANT ->
                            new Grant(
                                    in.effect("offer"),
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    LeaseCodec.readWorker("worker", in),
                                    LeaseCodec.readInstance(in),
                                    PlacementCodec.read("placement", in),
                                    in.instant("at"));
                    case REPORT ->
                            new Report(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    LeaseCodec.readWorker("worker", in),
                                    TaskCodec.readReport("report", in),
                                    BudgetCodec.readReported(in),
                                    in.decimal("random"),
                                    in.instant("at"));
                    case END_LEASE ->
                            new EndLease(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    LeaseCodec.readEnding("reason", in),
                                    in.instant("at"));
                    case FIRE_TIMER ->
                            new FireTimer(
                                    in.effect("timer"),
                                    JobCodec.readTimerKind("timerKind", in),
                                    in.decimal("random"),
                                    in.instant("at"));
                    case SIGNAL ->
                            new Signal(
                                    in.text("signal"),
                                    in.text("id"),
                                    in.payload("payload"),
                                    in.text("sender"),
                                    in.instant("at"));
                    case ASK_QUESTION ->
                            new AskQuestion(
                                    in.integer("task"),
                                    LeaseCodec.readToken("token", in),
                                    LeaseCodec.readWorker("worker", in),
                                    WaitCodec.readQuestion("question", in),
                                    in.optionalDuration("within"),
                                    in.instant("at"));
                    case ANSWER_QUESTION ->
                            new AnswerQuestion(
                                    in.number("number"),
                                    in.text("answer"),
                                    in.text("by"),
                                    in.instant("at"));
                    case RESOLVE_TASK ->
                            new ResolveTask(
                                    in.integer("task"),
                                    WaitCodec.readResolution("resolution", in),
                                    in.text("by"),
                                    in.instant("at"));
                    case DECIDE_APPROVAL ->
                            new DecideApproval(
                                    WaitCodec.readApprover("by", in),
                                    in.text("choice"),
                                    in.optionalText("comment"),
                                    in.instant("at"));
                    case CONFIRM_CHILD ->
                            new ConfirmChild(
                                    in.integer("child"), in.effect("start"), in.instant("at"));
                    case REFUSE_CHILD ->
                            new RefuseChild(
                                    in.integer("child"),
                                    in.effect("start"),
                                    in.text("reason"),
                                    in.instant("at"));
                    case END_CHILD ->
                            new EndChild(
                                    in.integer("child"),
                                    in.effect("start"),
                                    ChildrenCodec.readReport("report", in),
                                    in.instant("at"));
                    case CONFIRM_STOP ->
                            new ConfirmStop(
                                    in.integer("child"), in.effect("stop"), in.instant("at"));
                    case CONFIRM_PARENT_NOTIFIED ->
                            new ConfirmParentNotified(
                                    in.effect("parent_notification"), in.instant("at"));
                    case SETTLE_WEBHOOK ->
                            new JobCommand.SettleWebhook(
                                    in.effect("call"),
                                    in.integer("attempts"),
                                    in.optionalText("problem"),
                                    in.instant("at"));
                    case RESOLVE_QUARANTINE ->
                            new ResolveQuarantine(
                                    WaitCodec.readQuarantineAction("how", in),
                                    in.text("by"),
                                    in.instant("at"));
                    case REWIND ->
                            new Rewind(
                                    WaitCodec.readVisit("to", in), in.text("by"), in.instant("at"));
                    case FORK ->
                            new Fork(
                                    JobCodec.readSpec("spec", in),
                                    new JobId(in.text("from")),
                                    JobCodec.readValues("data", in),
                                    WaitCodec.readRecorded("recorded", in),
                                    in.text("by"),
                                    in.instant("at"));
                    case CHANGE_JOB ->
                            new JobCommand.ChangeJob(
                                    new JobPatch(
                                            in.isNext("priority")
                                                    ? Optional.of(in.decimal("priority"))
                                                    : Optional.empty(),
                                            in.textsByName("labels"),
                                            in.texts("removed")),
                                    in.text("by"),
                                    in.instant("at"));
                    case EXTEND_BUDGET ->
                            new JobCommand.ExtendBudget(
                                    BudgetCodec.readSpending("more", in),
                                    in.text("by"),
                                    in.instant("at"));
                    case PAUSE_JOB ->
                            new JobCommand.PauseJob(
                                    in.optionalText("reason"), in.text("by"), in.instant("at"));
                    case RESUME_JOB -> new JobCommand.ResumeJob(in.text("by"), in.instant("at"));
                    case CANCEL -> new Cancel(in.text("reason"), in.instant("at"));
                };
        in.end();
        return command;
    }

    private static JobCommand.PauseJob readFirstPause(JsonIn in) throws IOException {
        var by = in.text("paused_by");
        return new JobCommand.PauseJob(
                in.optionalText("pause_reason"), by, in.instant("paused_at"));
    }

    private static Signal readSubmittedSignal(JsonIn in) throws IOException {
        return new Signal(
                in.text("signal"),
                in.text("signal_id"),
                in.payload("payload"),
                in.text("sender"),
                in.instant("signal_at"));
    }
}
