package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand.EndLease;
import dev.artel.kernel.job.JobCommand.FireTimer;
import dev.artel.kernel.job.JobCommand.Grant;
import dev.artel.kernel.job.JobCommand.Report;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/// Decides what comes of tasks: how they go to workers, what these report, and what a task's end means for the branch
/// that waits for it.
final class TaskDecider {
    private static final Duration RETURN_PAUSE = Duration.ofMillis(500);

    /// Each wait for room is two events of the job.
    private static final Duration ROOM_PAUSE = Duration.ofSeconds(5);

    private final Draft draft;
    private final Deciders deciders;

    TaskDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    Decision grant(Job job, Grant c) {
        var queued =
                c.task() >= 0 && c.task() < job.tasks().size() && job.goesOn()
                        ? HedgeDecider.queued(job.tasks().get(c.task()), c.offer())
                        : Optional.<Attempt.Queued>empty();
        if (queued.isPresent()) {
            var task = job.tasks().get(c.task());
            var timeout = c.at().plus(task.spec().limits().executionTimeout());
            var reserved = Spending.NONE;
            if (job.budget().isPresent()) {
                reserved = task.spec().worstCase();
                if (!deciders.budgets().admits(job, task, reserved)) {
                    draft.emit(new JobEvent.AttemptWithheld(c.task(), c.at()));
                    return draft.accepted();
                }
            }
            var lease =
                    new Lease(
                            c.token(),
                            c.worker(),
                            c.instance(),
                            queued.get().attempt(),
                            timeout,
                            reserved);
            draft.emit(new JobEvent.LeaseGranted(c.task(), lease, c.placement(), c.at()));
            return draft.accepted();
        }
        return new Decision.Rejected(
                Reason.STALE_EFFECT,
                "job "
                        + job.id()
                        + ": offer "
                        + c.offer()
                        + " of task "
                        + c.task()
                        + " is no longer open");
    }

    Decision report(Job job, Report c) {
        if (c.task() < 0 || c.task() >= job.tasks().size()) {
            return unknownTask(job, c.task());
        }
        var task = job.tasks().get(c.task());
        var held = HedgeDecider.held(task, lease -> isOf(lease, c));
        if (held.isPresent() && task.state() instanceof Task.Open open) {
            deciders.budgets().settle(job, task, held.get().lease(), c);
            reported(task, held.get(), open.failed(), c);
            return draft.accepted();
        }
        if (task.state() instanceof Task.Doubtful doubt && isOf(doubt.lease(), c)) {
            return deciders.unknownOutcomes().late(task, doubt, c);
        }
        var revoked = task.lingering().stream().filter(it -> isOf(it.lease(), c)).findFirst();
        if (revoked.isPresent()) {
            deciders.budgets().settle(job, task, revoked.get().lease(), c);
            release(task, c.token(), c.at());
            return draft.accepted();
        }
        if (task.state() instanceof Task.Succeeded(var by, var worker, int _, var _, var _)
                && by.equals(c.token())
                && worker.equals(c.worker())) {
            return draft.accepted();
        }
        return staleLease(job, task, c.token(), "report of worker " + c.worker() + " refused");
    }

    /// See [dev.artel.kernel.job.Jobs#awaitsReport].
    static boolean awaitsReport(Job job, int number, LeaseToken token, WorkerId worker) {
        if (number < 0 || number >= job.tasks().size()) {
            return false;
        }
        var task = job.tasks().get(number);
        return HedgeDecider.held(task, lease -> isOf(lease, token, worker)).isPresent()
                || (task.state() instanceof Task.Doubtful doubt
                        && isOf(doubt.lease(), token, worker));
    }

    static boolean isOf(Lease lease, Report c) {
        return isOf(lease, c.token(), c.worker());
    }

    private static boolean isOf(Lease lease, LeaseToken token, WorkerId worker) {
        return lease.token().equals(token) && lease.worker().equals(worker);
    }

    private void reported(Task task, Attempt.Held leased, int failed, Report c) {
        switch (c.report()) {
            case TaskReport.Succeeded(var status, var data) -> {
                draft.emit(new JobEvent.TaskSucceeded(task.id(), c.token(), status, data, c.at()));
                afterTask(task, status, Optional.empty(), c.at());
            }
            case TaskReport.Failed(var error)
                    when deciders.hedges()
                            .drop(
                                    task,
                                    c.token(),
                                    "worker " + c.worker() + " failed: " + error.message(),
                                    false,
                                    Optional.empty(),
                                    c.at()) -> {
                // The other attempt goes on.
            }
            case TaskReport.Cancelled _
                    when deciders.hedges()
                            .drop(
                                    task,
                                    c.token(),
                                    "worker " + c.worker() + " gave it up unasked",
                                    false,
                                    Optional.empty(),
                                    c.at()) -> {
                // The other attempt goes on.
            }
            case TaskReport.Failed(var error) ->
                    failAttempt(
                            task, leased.lease().token(), failed, error, false, c.random(), c.at());
            case TaskReport.Cancelled _ -> {
                // A worker that stops on its own calls its tasks cancelled; no client asked for it.
                if (deciders.unknownOutcomes()
                        .leave(
                                task,
                                leased.lease(),
                                "worker " + leased.lease().worker() + " gave it up unasked",
                                false,
                                c.at())) {
                    return;
                }
                var error =
                        new TaskError(
                                ErrorClass.TRANSIENT,
                                "CANCELLED_BY_WORKER",
                                "worker " + leased.lease().worker() + " gave the task up unasked");
                failAttempt(task, leased.lease().token(), failed, error, false, c.random(), c.at());
            }
        }
    }

    void failAttempt(
            Task task,
            LeaseToken token,
            int failed,
            TaskError error,
            boolean lingers,
            double random,
            Instant at) {
        var retry = task.spec().limits().retry();
        if (error.kind().isRetryable() && failed + 1 < retry.maxAttempts()) {
            var retryAt = at.plus(retry.delayAfter(failed + 1, random));
            draft.emit(new JobEvent.AttemptFailed(task.id(), token, error, lingers, retryAt, at));
            return;
        }
        failTask(task, error, failed + 1, lingers, at);
    }

    private void failTask(Task task, TaskError error, int attempts, boolean lingers, Instant at) {
        draft.emit(new JobEvent.TaskFailed(task.id(), error, lingers, at));
        afterTask(task, Outcomes.FAILED, Optional.of(new Failure(error, attempts)), at);
    }

    record Failure(TaskError error, int attempts) {
        String of(Task task) {
            var what = "task " + task.id() + " (" + task.spec().type() + ") ";
            var why = ": " + error.message() + " [" + error.code() + "]";
            return switch (error.kind()) {
                case TRANSIENT, EXECUTION_TIMEOUT ->
                        what
                                + "failed after "
                                + (attempts == 1 ? "1 attempt" : attempts + " attempts")
                                + why;
                case PERMANENT -> what + "failed with a permanent error" + why;
                case INVALID_INPUT -> what + "failed due to invalid input" + why;
                case DISPATCH_TIMEOUT, LOST -> what + error.message();
            };
        }
    }

    void afterTask(Task task, String outcome, Optional<Failure> failure, Instant at) {
        var branch = draft.job().branches().get(task.branch());
        switch (branch.doing()) {
            case Branch.AwaitingTask(int _, var on) -> afterOnly(task, on, outcome, failure, at);
            case Branch.AwaitingTasks(var group) ->
                    afterOneOf(branch.id(), group, failure.map(f -> f.of(task)), at);
            case Branch.Stepping _,
                    Branch.BackingOff _,
                    Branch.AwaitingBranches _,
                    Branch.AwaitingChild _,
                    Branch.AwaitingChildren _,
                    Branch.Waiting _,
                    Branch.AwaitingSignal _,
                    Branch.AwaitingApproval _,
                    Branch.Over _,
                    Branch.Stopped _ -> {}
        }
    }

    private void afterOnly(
            Task task, Outcomes on, String outcome, Optional<Failure> failure, Instant at) {
        var ranOutOfTime = failure.map(f -> f.error().kind().isTimeout()).orElse(false);
        var word =
                ranOutOfTime && on.after(Outcomes.TIMEOUT).isPresent() ? Outcomes.TIMEOUT : outcome;
        var next = on.after(word);
        if (next.isPresent()) {
            deciders.branches()
                    .enter(task.branch(), next.get(), new StepCause.TaskEnded(task.id(), word), at);
        } else if (deciders.compensation().isAt(task.branch()) && on.states().isEmpty()) {
            deciders.compensation().compensated(failure.map(it -> it.of(task)), at);
        } else if (failure.isPresent()) {
            var hopeless = isHopeless(failure.get().error().kind());
            deciders.branches().fail(task.branch(), failure.get().of(task), hopeless, at);
        } else {
            deciders.branches()
                    .fail(
                            task.branch(),
                            "Worker returned unhandled status: "
                                    + outcome
                                    + " (task "
                                    + task.id()
                                    + ", expected one of "
                                    + on.states().keySet()
                                    + ")",
                            true,
                            at);
        }
    }

    private void afterOneOf(int branch, JoinState group, Optional<String> failure, Instant at) {
        var cause = new StepCause.TasksJoined(group.first(), group.count());
        switch (group.progress()) {
            case WAIT -> {}
            case JOINED -> {
                deciders.branches().stopTheRest(group, new JobEvent.TasksWithdrawn(branch, at));
                deciders.branches().enter(branch, group.join(), cause, at);
            }
            case FAILED -> {
                deciders.branches().stopTheRest(group, new JobEvent.TasksWithdrawn(branch, at));
                deciders.branches()
                        .orElseFail(
                                branch,
                                group,
                                cause,
                                failure.orElseGet(() -> failureOf(group)),
                                BranchDecider.isHopeless(
                                        group,
                                        i ->
                                                draft.job().tasks().get(i).state()
                                                                instanceof Task.Failed(var error)
                                                        && isHopeless(error.kind())),
                                at);
            }
        }
    }

    private String failureOf(JoinState group) {
        for (var i = group.first(); i < group.first() + group.count(); i++) {
            var task = draft.job().tasks().get(i);
            if (task.state() instanceof Task.Failed(var error)) {
                return group.failed()
                        + " of "
                        + group.count()
                        + " tasks failed, the first is task "
                        + i
                        + " ("
                        + task.spec().type()
                        + "): "
                        + error.message()
                        + " ["
                        + error.code()
                        + "]";
            }
        }
        throw new IllegalStateException("no task of " + group + " has failed");
    }

    Decision endLease(Job job, EndLease c) {
        if (c.task() < 0 || c.task() >= job.tasks().size()) {
            return unknownTask(job, c.task());
        }
        var task = job.tasks().get(c.task());
        var held = HedgeDecider.held(task, lease -> lease.token().equals(c.token()));
        if (held.isPresent()
                && deciders.hedges()
                        .drop(task, held.get().lease(), c.reason(), RETURN_PAUSE, c.at())) {
            return draft.accepted();
        }
        if (held.isPresent() && task.state() instanceof Task.Open(var _, int _, var lostBy)) {
            var leased = held.get();
            switch (c.reason()) {
                case LeaseEnd.Returned reason
                        when leased instanceof Attempt.Parked
                                && deciders.unknownOutcomes()
                                        .leave(
                                                task,
                                                leased.lease(),
                                                "worker "
                                                        + leased.lease().worker()
                                                        + " asked something and then gave it up: "
                                                        + reason.text(),
                                                false,
                                                c.at()) -> {
                    // It waits for a person who knows.
                }
                case LeaseEnd.Returned reason -> {
                    draft.emit(
                            new JobEvent.LeaseReturned(
                                    task.id(),
                                    c.token(),
                                    reason,
                                    c.at().plus(
                                                    reason == LeaseEnd.Returned.NO_ROOM
                                                            ? ROOM_PAUSE
                                                            : RETURN_PAUSE),
                                    c.at()));
                    if (leased instanceof Attempt.Leased
                            && GuardChecks.isGivenBackForever(draft.job())) {
                        failTask(task, GuardChecks.givenBackForever(draft.job()), 1, false, c.at());
                    }
                }
                case LeaseEnd.Lost reason
                        when deciders.unknownOutcomes()
                                .leave(
                                        task,
                                        leased.lease(),
                                        "worker "
                                                + leased.lease().worker()
                                                + " was lost with it: "
                                                + reason.text(),
                                        false,
                                        c.at()) -> {
                    // It waits for a person who knows.
                }
                case LeaseEnd.Lost reason -> {
                    draft.emit(new JobEvent.LeaseLost(task.id(), c.token(), reason, c.at()));
                    if (leased instanceof Attempt.Leased
                            && lostBy.size() + 1 >= task.spec().limits().maxLost()) {
                        giveUpLost(task, reason, c.at());
                    }
                }
            }
            return draft.accepted();
        }
        if (lingers(task, c.token())) {
            release(task, c.token(), c.at());
            return draft.accepted();
        }
        return staleLease(job, task, c.token(), "the end of a lease is refused");
    }

    private void giveUpLost(Task task, LeaseEnd.Lost last, Instant at) {
        var open = (Task.Open) draft.job().tasks().get(task.id()).state();
        var workers =
                open.lostBy().stream().map(Object::toString).collect(Collectors.joining(", "));
        var times = Counts.times(open.lostBy().size());
        var text =
                last == LeaseEnd.Lost.WORKER_RESTARTED
                        ? "was lost "
                                + times
                                + " ("
                                + workers
                                + "), the last time since another process registered under the name of its worker"
                        : "was lost with its worker " + times + ": " + workers;
        failTask(
                task,
                new TaskError(ErrorClass.LOST, "WORKERS_LOST", text),
                open.lostBy().size(),
                false,
                at);
    }

    static boolean lingers(Task task, LeaseToken token) {
        return task.lingering().stream().anyMatch(revoked -> revoked.lease().token().equals(token));
    }

    private void release(Task task, LeaseToken token, Instant at) {
        draft.emit(new JobEvent.LeaseReleased(task.id(), token, at));
        deciders.cancel().left(at);
    }

    static Decision unknownTask(Job job, int task) {
        return new Decision.Rejected(
                Reason.UNKNOWN_TASK,
                "job " + job.id() + " has no task " + task + "; it has " + job.tasks().size());
    }

    static Decision staleLease(Job job, Task task, LeaseToken token, String what) {
        var now =
                switch (task.state()) {
                    case Task.Planned _ -> "it is over and the task has not been handed out";
                    case Task.Open(Attempt.Queued _, int _, var _) ->
                            "it is over and the task is queued again";
                    case Task.Open(Attempt.Held held, int _, var _) ->
                            held.lease().token().equals(token)
                                    ? "it belongs to worker " + held.lease().worker()
                                    : "it is over and worker "
                                            + held.lease().worker()
                                            + " holds another lease";
                    case Task.Open(Attempt.Unanswered _, int _, var _) ->
                            "it is over and the task waits for the answer to its question";
                    case Task.Doubtful _ ->
                            "it is over and the task waits for a person who knows its outcome";
                    case Task.Succeeded _ -> "it is over and the task has its outcome";
                    case Task.Failed _ -> "it is over and the task has failed";
                    case Task.Cancelled _ -> "it is over and the task is no longer wanted";
                };
        return new Decision.Rejected(
                Reason.STALE_LEASE,
                "job "
                        + job.id()
                        + ", task "
                        + task.id()
                        + ": "
                        + what
                        + ", lease "
                        + token
                        + ": "
                        + now
                        + "; stop this attempt");
    }

    boolean timer(Job job, int id, FireTimer c) {
        if (id < 0 || id >= job.tasks().size()) {
            return false;
        }
        var task = job.tasks().get(id);
        if (!(task.state() instanceof Task.Open(var attempt, int failed, var _))) {
            return false;
        }
        switch (attempt) {
            case Attempt.Queued(int _, var _, var _, var timer, boolean _)
                    when job.goesOn() && timer.isPresent() && timer.get().id().equals(c.timer()) ->
                    failTask(
                            task,
                            new TaskError(
                                    ErrorClass.DISPATCH_TIMEOUT,
                                    "DISPATCH_TIMEOUT",
                                    "was not taken by a worker before its dispatch deadline "
                                            + timer.get().at()),
                            failed,
                            false,
                            c.at());
            case Attempt.Leased leased when leased.timeout().id().equals(c.timer()) ->
                    overran(task, leased.lease(), failed, c);
            case Attempt.Parked _, Attempt.Unanswered _ -> {
                return deciders.questions().timer(task, failed, c);
            }
            case Attempt.Queued _, Attempt.Leased _ -> {
                return deciders.hedges().timer(task, c);
            }
        }
        return true;
    }

    private void overran(Task task, Lease lease, int failed, FireTimer c) {
        var what =
                "worker "
                        + lease.worker()
                        + " took longer than "
                        + task.spec().limits().executionTimeout();
        if (!deciders.hedges().overran(task, lease, c.at())
                && !deciders.unknownOutcomes().leave(task, lease, what, true, c.at())) {
            var error = new TaskError(ErrorClass.EXECUTION_TIMEOUT, "EXECUTION_TIMEOUT", what);
            failAttempt(task, lease.token(), failed, error, true, c.random(), c.at());
        }
    }

    /// Whether a failure of this kind stays one, whichever worker tries again.
    private static boolean isHopeless(ErrorClass kind) {
        return kind == ErrorClass.INVALID_INPUT || kind == ErrorClass.DISPATCH_TIMEOUT;
    }
}
