package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.OnExhausted;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Decides what a job with a budget may begin. A task whose reservation does not fit waits while what is under way may turn
/// out cheaper than was reserved for it; when it cannot fit any more, the budget is exhausted. What compensates is never withheld.
final class BudgetDecider {
    /// How the reason of a job begins that has failed because its budget is spent.
    static final String RESOURCE_EXHAUSTED = "RESOURCE_EXHAUSTED: ";

    /// How many tasks that do not fit are looked at for one behind them that does.
    static final int MOST_PASSED_OVER = 1_000;

    private final Draft draft;
    private final Deciders deciders;

    BudgetDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    /// Whether an attempt at `task` that takes `reserved` may begin.
    boolean admits(Job job, Task task, Spending reserved) {
        var ledger = job.budget().orElseThrow();
        return job.compensationLog().isAt(task.branch())
                || (ledger.asking().isEmpty()
                        && ledger.lacking(reserved, task.spec().cost().isPresent()).isEmpty());
    }

    /// What the attempt under `lease` has cost is known when it has ended by this report.
    void settle(Job job, Task task, Lease lease, JobCommand.Report c) {
        if (job.budget().isPresent()) {
            var spent = c.cost().or(lease.reserved(), seconds(task, lease, c.at()));
            draft.emitBehindTheNext(
                    new JobEvent.AttemptSettled(
                            task.id(), c.token(), lease.reserved(), spent, c.at()));
        }
    }

    /// A part of a second counts as a whole one.
    private static long seconds(Task task, Lease lease, Instant at) {
        var begun = lease.timeout().minus(task.spec().limits().executionTimeout());
        var took = Duration.between(begun, at);
        return took.isNegative() ? 0 : took.plusMillis(999).toSeconds();
    }

    /// What follows for the budget from the events of a command.
    void balance(JobState before, Instant at) {
        var job = draft.job();
        if (job.isFinal() || job.budget().isEmpty()) {
            return;
        }
        var ledger = job.budget().get();
        var isSame = before instanceof Job was && was.budget().equals(job.budget());
        if (isSame && (ledger.withheld() == 0 || isUnderWay(job))) {
            return;
        }
        for (var limit : ledger.dueWarnings()) {
            draft.emit(
                    new JobEvent.BudgetWarned(
                            limit, ledger.settled().of(limit), ledger.limits().of(limit), at));
        }
        if (ledger.withheld() > 0 && ledger.asking().isEmpty() && job.goesOn()) {
            admit(job, ledger, at);
        }
    }

    /// Whether something is still to come of what the job asks for. What it has granted to a child that it no longer wants comes back with the
    /// end of that, for which it does not wait.
    private static boolean isUnderWay(Job job) {
        return job.leased() > 0 || !Jobs.pending(job).isEmpty();
    }

    private void admit(Job job, BudgetLedger ledger, Instant at) {
        @Nullable Task first = null;
        var admitted = new ArrayList<Integer>();
        var passedOver = 0;
        var after = ledger;
        for (var number = ledger.waiting().next(0);
                number >= 0 && passedOver < MOST_PASSED_OVER;
                number = ledger.waiting().next(number + 1)) {
            var task = job.tasks().get(number);
            first = first == null ? task : first;
            var needed = task.spec().worstCase();
            var isDeclared = task.spec().cost().isPresent();
            var lacking = after.lackingForGood(needed, isDeclared);
            if (lacking.isPresent() && admitted.isEmpty()) {
                exhausted(lacking.get(), needed, notBegun(task), at);
                return;
            }
            if (after.lacking(needed, isDeclared).isEmpty()) {
                admitted.add(task.id());
                after = after.reserve(needed);
            } else {
                passedOver++;
            }
        }
        if (!admitted.isEmpty()) {
            draft.emit(new JobEvent.TasksAdmitted(admitted, at));
        } else if (first != null && !isUnderWay(job)) {
            var needed = first.spec().worstCase();
            exhausted(
                    ledger.lacking(needed, first.spec().cost().isPresent()).orElseThrow(),
                    needed,
                    notBegun(first),
                    at);
        }
    }

    private static String notBegun(Task task) {
        return "task " + task.id() + " (" + task.spec().type() + ")";
    }

    /// What is to be done next does not fit, and never will.
    private void exhausted(BudgetLimit limit, Spending needed, String notBegun, Instant at) {
        var job = draft.job();
        var ledger = job.budget().orElseThrow();
        draft.emit(new JobEvent.BudgetExhausted(limit, needed, at));
        if (ledger.budget().onExhausted() == OnExhausted.STOP) {
            deciders.compensation()
                    .end(
                            new JobOutcome.Failed(
                                    RESOURCE_EXHAUSTED
                                            + lacks(ledger, limit, needed)
                                            + "; "
                                            + notBegun
                                            + " was not begun"),
                            at);
        }
    }

    /// How much of `limit` there is, and how much is needed.
    static String lacks(BudgetLedger ledger, BudgetLimit limit, Spending needed) {
        return "of the budget of "
                + limit.text(ledger.limits().of(limit))
                + ", "
                + limit.text(ledger.settled().of(limit))
                + " are spent, "
                + limit.text(ledger.reserved().of(limit))
                + " reserved and "
                + limit.text(ledger.granted().of(limit))
                + " granted to children; "
                + (needed.of(limit) > 0 ? limit.text(needed.of(limit)) + " more are" : "more is")
                + " needed";
    }

    /// Grants more; one that waits for it goes on.
    Decision extend(Job job, JobCommand.ExtendBudget c) {
        var what = "the budget of job " + job.id() + " cannot be extended: ";
        if (job.phase() instanceof Job.Ended(var _, var at)) {
            return new Decision.Rejected(
                    Reason.FINAL, what + "it is already " + job.status() + " since " + at);
        }
        if (job.budget().isEmpty()) {
            return new Decision.Rejected(
                    Reason.NOT_AWAITED, what + "it has none, and spends as much as it takes");
        }
        if (GuardChecks.isHistoryFull(job)) {
            return new Decision.Rejected(
                    Reason.FULL,
                    what + "it " + GuardChecks.fullHistory(job) + "; cancel it instead");
        }
        draft.emit(new JobEvent.BudgetExtended(c.more(), c.by(), c.at()));
        return draft.accepted();
    }
}
