package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.job.JobEvent.OutcomeResolved;
import dev.artel.kernel.job.JobEvent.OutcomeUnknown;
import dev.artel.kernel.job.JobEvent.TaskFailed;
import dev.artel.kernel.job.JobEvent.TaskOpened;
import dev.artel.kernel.job.JobEvent.TaskReused;
import dev.artel.kernel.job.JobEvent.TaskSucceeded;
import dev.artel.kernel.job.JobEvent.TasksOpened;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The part of [Folding] that is about tasks and what comes of them.
final class TaskFolding {
    /// Under which nobody reports.
    private static final LeaseToken REUSED = new LeaseToken("reused");

    private final JobDraft draft;
    private final LeaseFolding leases;

    TaskFolding(JobDraft draft, LeaseFolding leases) {
        this.draft = draft;
        this.leases = leases;
    }

    void open(TaskOpened e) {
        draft.endUndoGrace();
        var task = planned(draft.tasks.size(), e.strand(), e.spec(), e.at());
        draft.tasks = draft.tasks.append(task);
        draft.put(leases.queued(task, 1, 0, List.of(), e.at(), 0, e.at()));
        draft.doing(e.strand(), new Strand.AwaitingTask(task.id(), e.on()));
    }

    void open(TasksOpened e) {
        var first = draft.tasks.size();
        var count = e.specs().size();
        var group = Gathering.of(first, count, e.window(), e.policy(), e.join(), e.otherwise());
        var opened = new ArrayList<Task>(count);
        for (var i = 0; i < count; i++) {
            var task = planned(first + i, e.strand(), e.specs().get(i), e.at());
            opened.add(
                    i < group.started()
                            ? leases.queued(task, 1, 0, List.of(), e.at(), 2 * i, e.at())
                            : task);
        }
        draft.tasks = draft.tasks.appendAll(opened);
        draft.doing(e.strand(), new Strand.AwaitingTasks(group));
    }

    private static Task planned(int id, int strand, TaskSpec spec, Instant opened) {
        return new Task(
                id,
                strand,
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
        var lease = ((Delivery.Held) ((Task.Open) task.state()).delivery()).lease();
        var next = leases.endLease(task, false);
        draft.put(
                next.with(
                        new Task.Succeeded(
                                e.token(), lease.worker(), lease.attempt(), e.status(), e.data())));
        var strand = draft.strands.get(task.strand());
        if (strand.doing() instanceof Strand.AwaitingTask) {
            draft.data = draft.data.merge(task.spec().dataOf(e.data()));
        }
        draft.undo = draft.undo.complete(task.strand());
        count(task.strand(), true, e.at());
    }

    void reused(TaskReused e) {
        var task = draft.tasks.get(e.task());
        var result = e.result();
        leases.endDelivery(task);
        draft.put(
                task.with(
                        new Task.Succeeded(
                                REUSED, result.worker(), 1, result.status(), result.data())));
        if (draft.strands.get(task.strand()).doing() instanceof Strand.AwaitingTask) {
            draft.data = draft.data.merge(task.spec().dataOf(result.data()));
        }
        var left = new ArrayList<>(draft.recorded);
        left.remove(result);
        draft.recorded = List.copyOf(left);
        if (task.state() instanceof Task.Planned) {
            countUnstarted(task.strand());
        } else {
            count(task.strand(), true, e.at());
        }
    }

    void failed(TaskFailed e) {
        var task = draft.tasks.get(e.task());
        if (Doubting.isUnknown(e.error())) {
            draft.undo = draft.undo.complete(task.strand());
        }
        if (task.state() instanceof Task.Open(Delivery.Held _, int _, var _)) {
            draft.put(leases.endLease(task, e.lingers()).with(new Task.Failed(e.error())));
        } else {
            settle(task, new Task.Failed(e.error()));
        }
        count(task.strand(), false, e.at());
    }

    void unknown(OutcomeUnknown e) {
        var task = draft.tasks.get(e.task());
        var open = (Task.Open) task.state();
        var lease = ((Delivery.Held) open.delivery()).lease();
        var doubt =
                new Task.Doubtful(draft.nextId(0), lease, open.failed(), open.lostBy(), e.reason());
        draft.put(leases.endLease(task, e.lingers()).with(doubt));
        if (draft.isActive()) {
            draft.asked.add(Effects.ofDoubtful(task, doubt));
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
                if (draft.strands.get(task.strand()).doing() instanceof Strand.AwaitingTask) {
                    draft.data = draft.data.merge(task.spec().dataOf(result));
                }
                draft.undo = draft.undo.complete(task.strand());
                count(task.strand(), true, e.at());
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
                draft.put(task.with(new Task.Failed(Doubting.error(failed, e.by()))));
                count(task.strand(), false, e.at());
            }
        }
    }

    /// Notes the end of one of several tasks, and opens the next one in the window.
    private void count(int strandId, boolean success, Instant at) {
        var strand = draft.strands.get(strandId);
        if (!(strand.doing() instanceof Strand.AwaitingTasks(var group))) {
            return;
        }
        var counted = success ? group.afterSuccess() : group.afterFailure();
        var verdictIsOpen = counted.verdict() == JoinPolicy.Verdict.WAIT;
        if (verdictIsOpen && counted.hasMoreToStart()) {
            var next = nextPlanned(counted);
            counted = counted.afterStart(next.id());
            draft.put(leases.queued(next, 1, 0, List.of(), at, 2, at));
        }
        draft.become(strand.with(new Strand.AwaitingTasks(counted)));
    }

    private Task nextPlanned(Gathering group) {
        var next = draft.tasks.get(group.first() + group.next());
        while (!(next.state() instanceof Task.Planned)) {
            next = draft.tasks.get(next.id() + 1);
        }
        return next;
    }

    /// A task has its result before its place in the window has come.
    private void countUnstarted(int strandId) {
        var strand = draft.strands.get(strandId);
        if (strand.doing() instanceof Strand.AwaitingTasks(var group)) {
            draft.become(strand.with(new Strand.AwaitingTasks(group.afterReuse().afterSuccess())));
        }
    }

    /// Nobody waits for any task any more.
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
        if (task.state() instanceof Task.Open(Delivery.Held held, int _, var _)) {
            draft.put(leases.endLease(task, true, held.lease()).with(new Task.Cancelled()));
        } else {
            settle(task, new Task.Cancelled());
        }
    }

    private void settle(Task task, Task.State next) {
        if (task.state() instanceof Task.Doubtful && next instanceof Task.Cancelled) {
            draft.undo = draft.undo.complete(task.strand());
        }
        leases.endDelivery(task);
        draft.put(task.with(next));
    }
}
