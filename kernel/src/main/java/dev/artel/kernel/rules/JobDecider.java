package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
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
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.timer.TimerKind;

/// Decides one command; the rows of the table of [Jobs#decide]. What comes of a command is for the decider of its subject.
public final class JobDecider {
    private final JobState before;
    private final Draft draft;
    private final Deciders deciders;

    public JobDecider(JobState state) {
        before = state;
        draft = new Draft(state);
        deciders = new Deciders(draft);
    }

    public Decision on(JobCommand command) {
        var decision = row(command);
        if (decision instanceof Decision.Accepted
                && draft.hasEvents()
                && draft.job().budget().isPresent()) {
            deciders.budgets().balance(before, command.at());
            return draft.accepted();
        }
        return decision;
    }

    /// See [Jobs#awaitsReport].
    public static boolean awaitsReport(Job job, int task, LeaseToken token, WorkerId worker) {
        return TaskDecider.awaitsReport(job, task, token, worker);
    }

    private Decision row(JobCommand command) {
        record Row(JobState state, JobCommand command) {}
        return switch (new Row(before, command)) {
            case Row(JobState.Unsubmitted _, Submit c) -> deciders.submissions().submit(c);
            case Row(JobState.Unsubmitted _, Fork c) -> deciders.submissions().fork(c);
            case Row(JobState.Unsubmitted(var id), JobCommand _) ->
                    new Decision.Rejected(Reason.UNKNOWN_JOB, "there is no job " + id);
            case Row(Job job, Submit c) -> deciders.submissions().again(job, c);
            case Row(Job job, Fork c) -> deciders.submissions().again(job, c);
            case Row(Job job, CompleteStep c) -> deciders.steps().complete(job, c);
            case Row(Job job, FailStep c) -> deciders.steps().fail(job, c);
            case Row(Job job, Grant c) -> deciders.tasks().grant(job, c);
            case Row(Job job, Report c) -> deciders.tasks().report(job, c);
            case Row(Job job, EndLease c) -> deciders.tasks().endLease(job, c);
            case Row(Job job, FireTimer c) -> fire(job, c);
            case Row(Job job, Signal c) -> deciders.signals().signal(job, c);
            case Row(Job job, ResolveTask c) -> deciders.unknownOutcomes().resolve(job, c);
            case Row(Job job, JobCommand.AskQuestion c) -> deciders.questions().ask(job, c);
            case Row(Job job, JobCommand.AnswerQuestion c) -> deciders.questions().answer(job, c);
            case Row(Job job, Rewind c) -> deciders.quarantine().rewind(job, c);
            case Row(Job job, ResolveQuarantine c) -> deciders.quarantine().resolve(job, c);
            case Row(Job job, DecideApproval c) -> deciders.approvals().decide(job, c);
            case Row(Job job, JobCommand.SettleWebhook c) -> deciders.webhooks().settle(job, c);
            case Row(Job job, Cancel c) -> deciders.cancel().cancel(job, c);
            case Row(Job job, JobCommand.ChangeJob c) -> deciders.clients().change(job, c);
            case Row(Job job, JobCommand.ExtendBudget c) -> deciders.budgets().extend(job, c);
            case Row(Job job, JobCommand.PauseJob c) -> deciders.clients().pause(job, c);
            case Row(Job job, JobCommand.ResumeJob c) -> deciders.clients().resume(job, c);
            case Row(Job job, ConfirmChild c) -> deciders.children().confirm(job, c);
            case Row(Job job, RefuseChild c) -> deciders.children().refuse(job, c);
            case Row(Job job, EndChild c) -> deciders.children().end(job, c);
            case Row(Job job, ConfirmStop c) -> deciders.children().confirm(job, c);
            case Row(Job job, ConfirmParentNotified c) -> deciders.children().confirm(job, c);
        };
    }

    private Decision fire(Job job, FireTimer c) {
        var fired =
                switch (c.timerKind()) {
                    case TimerKind.JobDeadline _ -> deciders.compensation().deadline(job, c);
                    case TimerKind.CancelGrace _ -> deciders.cancel().grace(job, c);
                    case TimerKind.BranchTimer(int branch) ->
                            deciders.branches().timer(job, branch, c);
                    case TimerKind.TaskTimer(int task) -> deciders.tasks().timer(job, task, c);
                };
        return fired
                ? draft.accepted()
                : new Decision.Rejected(
                        Reason.STALE_EFFECT,
                        "job " + job.id() + ": timer " + c.timer() + " is no longer set");
    }
}
