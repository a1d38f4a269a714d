package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.job.Hedge;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobEvent.AttemptDropped;
import dev.artel.kernel.job.JobEvent.AttemptFailed;
import dev.artel.kernel.job.JobEvent.HedgeBegun;
import dev.artel.kernel.job.JobEvent.JobChanged;
import dev.artel.kernel.job.JobEvent.LeaseGranted;
import dev.artel.kernel.job.JobEvent.LeaseLost;
import dev.artel.kernel.job.JobEvent.LeaseReleased;
import dev.artel.kernel.job.JobEvent.LeaseReturned;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.timer.Timer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The part of [JobFold] that is about attempts: who is asked, who has the lease of a task, and who lost it.
final class LeaseFold {
    /// Behind those of deliveries, however many tasks one event opens.
    private static final int REVOKE_ORDINALS = 1 << 24;

    private final MutableJob draft;

    LeaseFold(MutableJob draft) {
        this.draft = draft;
    }

    void grant(LeaseGranted e) {
        var task = draft.tasks.get(e.task());
        var open = (Task.Open) task.state();
        var granted =
                new Attempt.Leased(
                        draft.nextId(0),
                        e.lease(),
                        new Timer(draft.nextId(1), e.lease().timeout()),
                        draft.spec().options().priority());
        draft.leased++;
        if (draft.budget.isPresent()) {
            draft.budget = Optional.of(draft.budget.get().reserve(e.lease().reserved()));
        }
        if (open.attempt() instanceof Attempt.Leased) {
            hedge(task, Optional.of(new Hedge.Second(granted)));
            return;
        }
        endDelivery(task);
        var next = task.with(new Task.Open(granted, open.failed(), open.lostBy()));
        atWork(next, granted, e.at());
    }

    /// Those that wait for a worker wait with another priority: each is offered anew, at its place among equals.
    void reprioritize(JobChanged e) {
        var before = draft.spec();
        draft.options(before.options().with(e.priority(), e.labels()));
        if (before.options().priority() == e.priority()) {
            return;
        }
        for (var task : draft.tasks) {
            if (task.state() instanceof Task.Open(Attempt.Queued queued, int failed, var lostBy)
                    && draft.goesOn()
                    && !queued.withheld()) {
                var next = queued.offeredBy(draft.nextId(2 * task.id()));
                var offered = task.with(new Task.Open(next, failed, lostBy));
                draft.ended.add(PendingEffects.ofQueued(task, queued, before).getFirst());
                draft.put(offered);
                draft.asked.add(PendingEffects.ofQueued(offered, next, draft.spec()).getFirst());
            } else if (Hedge.queued(task).isPresent()) {
                var next = Hedge.queued(task).get().offeredBy(draft.nextId(2 * task.id()));
                var hedged = task.withHedge(Optional.of(new Hedge.Second(next)));
                draft.ended.addAll(PendingEffects.ofHedge(task, before));
                draft.put(hedged);
                draft.asked.addAll(PendingEffects.ofHedge(hedged, draft.spec()));
            }
        }
    }

    void withheld(JobEvent.AttemptWithheld e) {
        var task = draft.tasks.get(e.task());
        if (task.state() instanceof Task.Open(Attempt.Queued queued, int failed, var lostBy)) {
            draft.ended.add(PendingEffects.ofQueued(task, queued, draft.spec()).getFirst());
            draft.put(task.with(new Task.Open(queued.heldBack(), failed, lostBy)));
        } else {
            hedge(task, Optional.empty());
        }
    }

    void admitted(JobEvent.TasksAdmitted e) {
        for (var number : e.tasks()) {
            var task = draft.tasks.get(number);
            var open = (Task.Open) task.state();
            var offered = ((Attempt.Queued) open.attempt()).offeredBy(draft.nextId(2 * number));
            var next = task.with(new Task.Open(offered, open.failed(), open.lostBy()));
            draft.put(next);
            draft.asked.add(PendingEffects.ofQueued(next, offered, draft.spec()).getFirst());
        }
    }

    /// The only attempt at a task runs from now on.
    void atWork(Task task, Attempt.Leased leased, Instant at) {
        draft.put(task);
        draft.asked.addAll(PendingEffects.ofLeased(task, leased, draft.spec()));
        task.spec()
                .hedgedAfter()
                .filter(_ -> draft.goesOn())
                .map(after -> new Hedge.Due(new Timer(draft.nextId(2), at.plus(after))))
                .ifPresent(due -> hedge(task, Optional.of(due)));
    }

    void attemptFailed(AttemptFailed e) {
        var task = draft.tasks.get(e.task());
        if (task.state() instanceof Task.Doubtful doubt) {
            endDelivery(task);
            draft.put(
                    queued(
                            task.withFailureOn(doubt.lease().worker()),
                            task.attempts() + 1,
                            doubt.failed() + 1,
                            doubt.lostBy(),
                            e.retryAt(),
                            0,
                            e.at()));
            return;
        }
        var open = (Task.Open) task.state();
        if (open.attempt() instanceof Attempt.Unanswered) {
            endDelivery(task);
            draft.put(
                    queued(
                            task,
                            task.attempts() + 1,
                            open.failed() + 1,
                            open.lostBy(),
                            e.retryAt(),
                            0,
                            e.at()));
            return;
        }
        var worker = ((Attempt.Held) open.attempt()).lease().worker();
        var next = endLease(task, e.lingers()).withFailureOn(worker);
        draft.put(
                queued(
                        next,
                        task.attempts() + 1,
                        open.failed() + 1,
                        open.lostBy(),
                        e.retryAt(),
                        0,
                        e.at()));
    }

    void lost(LeaseLost e) {
        var task = draft.tasks.get(e.task());
        if (deserted(task)) {
            draft.compensationLog = draft.compensationLog.complete(task.branch());
            return;
        }
        var open = (Task.Open) task.state();
        var lostBy = new ArrayList<WorkerId>(open.lostBy());
        lostBy.add(((Attempt.Leased) open.attempt()).lease().worker());
        var next = endLease(task, false);
        draft.compensationLog = draft.compensationLog.complete(task.branch());
        draft.put(queued(next, task.attempts() + 1, open.failed(), lostBy, e.at(), 0, e.at()));
    }

    void returned(LeaseReturned e) {
        var task = draft.tasks.get(e.task());
        if (deserted(task)) {
            return;
        }
        var open = (Task.Open) task.state();
        var lease = ((Attempt.Held) open.attempt()).lease();
        var next = endLease(task, false, lease);
        draft.correct(lease.reserved(), Spending.NONE);
        draft.put(
                queued(
                        next,
                        open.attempt().attempt(),
                        open.failed(),
                        open.lostBy(),
                        e.retryAt(),
                        0,
                        e.at()));
    }

    void released(LeaseReleased e) {
        var task = draft.tasks.get(e.task());
        var left = new ArrayList<Task.Revoked>();
        for (var revoked : task.lingering()) {
            if (revoked.lease().token().equals(e.token())) {
                draft.ended.add(PendingEffects.ofRevoked(task, revoked, draft.spec()));
                draft.lingering--;
            } else {
                left.add(revoked);
            }
        }
        draft.put(task.withLingering(left));
    }

    /// A worker that waited for an answer is gone; its question waits on.
    ///
    /// @return whether the task was such a one
    private boolean deserted(Task task) {
        if (!(task.state() instanceof Task.Open(Attempt.Parked parked, int failed, var lostBy))) {
            return false;
        }
        draft.ended.add(PendingEffects.ofParked(task, parked));
        draft.leased--;
        draft.spend(parked.lease());
        draft.put(
                task.with(
                        new Task.Open(
                                new Attempt.Unanswered(parked.lease(), parked.question()),
                                failed,
                                lostBy)));
        return true;
    }

    void beginHedge(HedgeBegun e) {
        var task = draft.tasks.get(e.task());
        var attempt = task.attempts() + 1;
        var queued = new Attempt.Queued(attempt, draft.nextId(0), e.at(), Optional.empty());
        hedge(task.withAttempts(attempt), Optional.of(new Hedge.Second(queued)));
    }

    void dropped(AttemptDropped e) {
        var task = draft.tasks.get(e.task());
        var isFirst = !Hedge.lease(task).orElseThrow().token().equals(e.token());
        if (e.again().isEmpty()) {
            // It may have done all or some of it, whatever the other one comes to.
            draft.compensationLog = draft.compensationLog.complete(task.branch());
        }
        var dropped = isFirst ? task.turnedRound() : task;
        var next = endHedge(dropped, e.lingers());
        if (e.again().isPresent()) {
            // It came back unstarted.
            draft.correct(Hedge.lease(dropped).orElseThrow().reserved(), Spending.NONE);
        }
        hedge(
                next,
                e.again()
                        .filter(_ -> draft.goesOn())
                        .map(at -> new Hedge.Due(new Timer(draft.nextId(0), at))));
    }

    /// Puts `task` with another second attempt, whose effects are noted.
    private void hedge(Task task, Optional<Hedge> next) {
        draft.ended.addAll(PendingEffects.ofHedge(task, draft.spec()));
        var hedged = task.withHedge(next);
        draft.put(hedged);
        draft.asked.addAll(PendingEffects.ofHedge(hedged, draft.spec()));
    }

    /// A task without its second attempt.
    Task endHedge(Task task, boolean lingers) {
        draft.ended.addAll(PendingEffects.ofHedge(task, draft.spec()));
        var held = Hedge.lease(task);
        var alone = task.withHedge(Optional.empty());
        if (held.isEmpty()) {
            return alone;
        }
        draft.leased--;
        draft.spend(held.get());
        return lingers ? revoke(alone, held.get(), 2 * REVOKE_ORDINALS) : alone;
    }

    Task endLease(Task task, boolean lingers) {
        var held = (Attempt.Held) ((Task.Open) task.state()).attempt();
        return endLease(task, lingers, held.lease());
    }

    Task endLease(Task task, boolean lingers, Lease lease) {
        endDelivery(task);
        draft.leased--;
        draft.spend(lease);
        var alone = endHedge(task, true);
        return lingers ? revoke(alone, lease, REVOKE_ORDINALS) : alone;
    }

    private Task revoke(Task task, Lease lease, int ordinals) {
        draft.compensationLog = draft.compensationLog.complete(task.branch());
        // A stop of many tasks is one event: the task's number keeps the ids apart.
        var revoked = new Task.Revoked(draft.nextId(ordinals + task.id()), lease);
        var more = new ArrayList<>(task.lingering());
        more.add(revoked);
        draft.asked.add(PendingEffects.ofRevoked(task, revoked, draft.spec()));
        draft.lingering++;
        return task.withLingering(more);
    }

    void endDelivery(Task task) {
        if (draft.isActive() && task.state() instanceof Task.Doubtful doubt) {
            draft.ended.add(PendingEffects.ofDoubtful(task, doubt));
        }
        if (task.state() instanceof Task.Open(var attempt, int _, var _)) {
            switch (attempt) {
                case Attempt.Queued queued when draft.goesOn() ->
                        draft.ended.addAll(PendingEffects.ofQueued(task, queued, draft.spec()));
                case Attempt.Queued _ -> {}
                case Attempt.Leased leased ->
                        draft.ended.addAll(PendingEffects.ofLeased(task, leased, draft.spec()));
                case Attempt.Parked parked ->
                        draft.ended.add(PendingEffects.ofParked(task, parked));
                case Attempt.Unanswered _ -> {}
            }
            attempt.asked()
                    .ifPresent(question ->
                            draft.ended.addAll(
                                    PendingEffects.ofAsked(task, question, draft.isActive())));
        }
    }

    /// `task` in the queue, whose effects are noted; still to be put in its place.
    Task queued(
            Task task,
            int attempt,
            int failed,
            List<WorkerId> lostBy,
            Instant notBefore,
            int ordinal,
            Instant at) {
        var from = notBefore.isAfter(at) ? notBefore : at;
        var deadline =
                task.spec()
                        .limits()
                        .dispatchDeadline()
                        .map(limit -> new Timer(draft.nextId(ordinal + 1), from.plus(limit)));
        var queued = new Attempt.Queued(attempt, draft.nextId(ordinal), notBefore, deadline);
        if (draft.goesOn()) {
            draft.asked.addAll(PendingEffects.ofQueued(task, queued, draft.spec()));
        }
        return task.with(new Task.Open(queued, failed, lostBy))
                .withAttempts(Math.max(attempt, task.attempts()));
    }
}
