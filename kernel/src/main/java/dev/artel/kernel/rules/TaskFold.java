package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.job.Hedge;
import dev.artel.kernel.job.JobEvent.OutcomeResolved;
import dev.artel.kernel.job.JobEvent.OutcomeUnknown;
import dev.artel.kernel.job.JobEvent.TaskFailed;
import dev.artel.kernel.job.JobEvent.TaskOpened;
import dev.artel.kernel.job.JobEvent.TaskReused;
import dev.artel.kernel.job.JobEvent.TaskSucceeded;
import dev.artel.kernel.job.JobEvent.TasksOpened;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The part of [JobFold] that is about tasks and what comes of them.
final class TaskFold {
    /// Under which no worker reports.
    private static final LeaseToken REUSED = new LeaseToken("reused");

    private final MutableJob draft;
    private final LeaseFold leases;

    TaskFold(MutableJob draft, LeaseFold leases) {
        this.draft = draft;
        this.leases = leases;
    }

    void open(TaskOpened e) {
        draft.endCompensationGrace();
        var task = planned(draft.tasks.size(), e.branch(), e.spec(), e.at());
        draft.tasks = draft.tasks.append(task);
        draft.put(leases.queued(task, 1, 0, List.of(), e.at(), 0, e.at()));
        draft.doing(e.branch(), new Branch.AwaitingTask(task.id(), e.on()));
    }

    void open(TasksOpened e) {
        var first = draft.tasks.size();
        var count = e.specs().size();
        var group = JoinState.of(first, count, e.window(), e.policy(), e.join(), e.otherwise());
        var opened = new ArrayList<Task>(count);
        for (var i = 0; i < count; i++) {
            var task = planned(first + i, e.branch(), e.specs().get(i), e.at());
            opened.add(
                    i < group.started()
                            ? leases.queued(task, 1, 0, List.of(), e.at(), 2 * i, e.at())
                            : task);
        }
        draft.tasks = draft.tasks.appendAll(opened);
        draft.doing(e.branch(), new Branch.AwaitingTasks(group));
    }

    private static Task planned(int id, int branch, TaskSpec spec, Instant opened) {
        return new Task(
                id,
                branch,
                spec,
                opened,
                new Task.Planned(),
                List.of(),
                List.of(),
                0,
                Optional.empty(),
                List.of());
    }

    void succeeded(TaskSucceeded e) {
        var found = draft.tasks.get(e.task());
        var isSecond = Hedge.lease(found).filter(it -> it.token().equals(e.token())).isPresent();
        var task = isSecond ? found.turnedRound() : found;
        var lease = ((Attempt.Held) ((Task.Open) task.state()).attempt()).lease();
        var next = leases.endLease(task, false);
        draft.put(
                next.with(
                        new Task.Succeeded(
                                e.token(), lease.worker(), lease.attempt(), e.status(), e.data())));
        var branch = draft.branches.get(task.branch());
        if (branch.doing() instanceof Branch.AwaitingTask) {
            draft.data = draft.data.merge(task.spec().dataOf(e.data()));
        }
        draft.compensationLog = draft.compensationLog.complete(task.branch());
        count(task.branch(), true, e.at());
    }

    void reused(TaskReused e) {
        var task = draft.tasks.get(e.task());
        var result = e.result();
        leases.endDelivery(task);
        draft.put(
                task.with(
                        new Task.Succeeded(
                                REUSED, result.worker(), 1, result.status(), result.data())));
        if (draft.branches.get(task.branch()).doing() instanceof Branch.AwaitingTask) {
            draft.data = draft.data.merge(task.spec().dataOf(result.data()));
        }
        var left = new ArrayList<>(draft.recordedResult);
        left.remove(result);
        draft.recordedResult = List.copyOf(left);
        if (task.state() instanceof Task.Planned) {
            countUnstarted(task.branch());
        } else {
            count(task.branch(), true, e.at());
        }
    }

    void failed(TaskFailed e) {
        var task = draft.tasks.get(e.task());
        if (UnknownOutcomeDecider.isUnknown(e.error())) {
            draft.compensationLog = draft.compensationLog.complete(task.branch());
        }
        if (task.state() instanceof Task.Open(Attempt.Held _, int _, var _)) {
            draft.put(leases.endLease(task, e.lingers()).with(new Task.Failed(e.error())));
        } else {
            settle(task, new Task.Failed(e.error()));
        }
        count(task.branch(), false, e.at());
    }

    void unknown(OutcomeUnknown e) {
        var task = draft.tasks.get(e.task());
        var open = (Task.Open) task.state();
        var lease = ((Attempt.Held) open.attempt()).lease();
        var doubt =
                new Task.Doubtful(draft.nextId(0), lease, open.failed(), open.lostBy(), e.reason());
        draft.put(leases.endLease(task, e.lingers()).with(doubt));
        if (draft.isActive()) {
            draft.asked.add(PendingEffects.ofDoubtful(task, doubt));
        }
    }

    void resolved(OutcomeResolved e) {
        var task = draft.tasks.get(e.task());
        var doubt = (Task.Doubtful) task.state();
        var lease = doubt.lease();
        leases.endDelivery(task);
        switch (e.resolution()) {
            case Resolution.Happened(var status, var result) -> {
                draft.put(
                        task.with(
                                new Task.Succeeded(
                                        lease.token(),
                                        lease.worker(),
                                        lease.attempt(),
                                        status,
                                        result)));
                if (draft.branches.get(task.branch()).doing() instanceof Branch.AwaitingTask) {
                    draft.data = draft.data.merge(task.spec().dataOf(result));
                }
                draft.compensationLog = draft.compensationLog.complete(task.branch());
                count(task.branch(), true, e.at());
            }
            case Resolution.DidNotHappen _ ->
                    draft.put(
                            leases.queued(
                                    task,
                                    task.attempts() + 1,
                                    doubt.failed(),
                                    doubt.lostBy(),
                                    e.at(),
                                    0,
                                    e.at()));
            case Resolution.Failed failed -> {
                draft.put(task.with(new Task.Failed(UnknownOutcomeDecider.error(failed, e.by()))));
                count(task.branch(), false, e.at());
            }
        }
    }

    /// Notes the end of one of several tasks, and opens the next one in the window.
    private void count(int branchId, boolean success, Instant at) {
        var branch = draft.branches.get(branchId);
        if (!(branch.doing() instanceof Branch.AwaitingTasks(var group))) {
            return;
        }
        var counted = success ? group.afterSuccess() : group.afterFailure();
        var isOpen = counted.progress() == JoinPolicy.Progress.WAIT;
        if (isOpen && counted.hasMoreToStart()) {
            var next = nextPlanned(counted);
            counted = counted.afterStart(next.id());
            draft.put(leases.queued(next, 1, 0, List.of(), at, 2, at));
        }
        draft.become(branch.with(new Branch.AwaitingTasks(counted)));
    }

    private Task nextPlanned(JoinState group) {
        var next = draft.tasks.get(group.first() + group.next());
        while (!(next.state() instanceof Task.Planned)) {
            next = draft.tasks.get(next.id() + 1);
        }
        return next;
    }

    /// A task has its result before its place in the window has come.
    private void countUnstarted(int branchId) {
        var branch = draft.branches.get(branchId);
        if (branch.doing() instanceof Branch.AwaitingTasks(var group)) {
            draft.become(branch.with(new Branch.AwaitingTasks(group.afterReuse().afterSuccess())));
        }
    }

    /// No branch waits for any task any more.
    void withdrawAll() {
        for (var task : draft.tasks) {
            if (task.isUnsettled()) {
                withdraw(task);
            }
        }
    }

    void withdrawIfUnsettled(int id) {
        var task = draft.tasks.get(id);
        if (task.isUnsettled()) {
            withdraw(task);
        }
    }

    private void withdraw(Task task) {
        if (task.state() instanceof Task.Open(Attempt.Held held, int _, var _)) {
            draft.put(leases.endLease(task, true, held.lease()).with(new Task.Cancelled()));
        } else {
            settle(task, new Task.Cancelled());
        }
    }

    private void settle(Task task, Task.State next) {
        if (task.state() instanceof Task.Doubtful && next instanceof Task.Cancelled) {
            draft.compensationLog = draft.compensationLog.complete(task.branch());
        }
        leases.endDelivery(task);
        draft.put(task.with(next));
    }
}
