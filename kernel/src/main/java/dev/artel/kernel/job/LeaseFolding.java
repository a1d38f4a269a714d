package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.job.JobEvent.AttemptDropped;
import dev.artel.kernel.job.JobEvent.AttemptFailed;
import dev.artel.kernel.job.JobEvent.HedgeBegun;
import dev.artel.kernel.job.JobEvent.LeaseGranted;
import dev.artel.kernel.job.JobEvent.LeaseLost;
import dev.artel.kernel.job.JobEvent.LeaseReleased;
import dev.artel.kernel.job.JobEvent.LeaseReturned;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The part of [Folding] that is about attempts: who is asked, who has the lease of a task, and who lost it.
final class LeaseFolding {
    /// Behind those of deliveries, however many tasks one event opens.
    private static final int REVOKE_ORDINALS = 1 << 24;

    private final JobDraft draft;

    LeaseFolding(JobDraft draft) {
        this.draft = draft;
    }

    void grant(LeaseGranted e) {
        var task = draft.tasks.get(e.task());
        var open = (Task.Open) task.state();
        var granted =
                new Delivery.Leased(
                        draft.nextId(0),
                        e.lease(),
                        new Alarm(draft.nextId(1), e.lease().timeout()));
        draft.leased++;
        if (open.delivery() instanceof Delivery.Leased) {
            hedge(task, Optional.of(new Hedge.Second(granted)));
            return;
        }
        endDelivery(task);
        var next = task.with(new Task.Open(granted, open.failed(), open.lostBy()));
        atWork(next, granted, e.at());
    }

    /// The only attempt at a task runs from now on.
    void atWork(Task task, Delivery.Leased leased, Instant at) {
        draft.put(task);
        draft.asked.addAll(Effects.ofLeased(task, leased, draft.spec()));
        task.spec()
                .hedgedAfter()
                .map(after -> new Hedge.Due(new Alarm(draft.nextId(2), at.plus(after))))
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
        if (open.delivery() instanceof Delivery.Unanswered) {
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
        var worker = ((Delivery.Held) open.delivery()).lease().worker();
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
            draft.undo = draft.undo.complete(task.strand());
            return;
        }
        var open = (Task.Open) task.state();
        var lostBy = new ArrayList<WorkerId>(open.lostBy());
        lostBy.add(((Delivery.Leased) open.delivery()).lease().worker());
        var next = endLease(task, false);
        draft.undo = draft.undo.complete(task.strand());
        draft.put(queued(next, task.attempts() + 1, open.failed(), lostBy, e.at(), 0, e.at()));
    }

    void returned(LeaseReturned e) {
        var task = draft.tasks.get(e.task());
        if (deserted(task)) {
            return;
        }
        var open = (Task.Open) task.state();
        var next = endLease(task, false);
        draft.put(
                queued(
                        next,
                        open.delivery().attempt(),
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
                draft.ended.add(Effects.ofRevoked(task, revoked, draft.spec()));
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
        if (!(task.state() instanceof Task.Open(Delivery.Parked parked, int failed, var lostBy))) {
            return false;
        }
        draft.ended.add(Effects.ofParked(task, parked));
        draft.leased--;
        draft.put(
                task.with(
                        new Task.Open(
                                new Delivery.Unanswered(parked.lease(), parked.question()),
                                failed,
                                lostBy)));
        return true;
    }

    void beginHedge(HedgeBegun e) {
        var task = draft.tasks.get(e.task());
        var attempt = task.attempts() + 1;
        var queued = new Delivery.Queued(attempt, draft.nextId(0), e.at(), Optional.empty());
        hedge(task.withAttempts(attempt), Optional.of(new Hedge.Second(queued)));
    }

    void dropped(AttemptDropped e) {
        var task = draft.tasks.get(e.task());
        var isFirst = !Hedge.lease(task).orElseThrow().token().equals(e.token());
        if (e.again().isEmpty()) {
            // It may have done all or some of it, whatever the other one comes to.
            draft.undo = draft.undo.complete(task.strand());
        }
        var next = endHedge(isFirst ? task.turnedRound() : task, e.lingers());
        hedge(
                next,
                e.again()
                        .filter(_ -> draft.isActive())
                        .map(at -> new Hedge.Due(new Alarm(draft.nextId(0), at))));
    }

    /// Puts `task` with another second attempt, whose effects are noted.
    private void hedge(Task task, Optional<Hedge> next) {
        draft.ended.addAll(Effects.ofHedge(task, draft.spec()));
        var hedged = task.withHedge(next);
        draft.put(hedged);
        draft.asked.addAll(Effects.ofHedge(hedged, draft.spec()));
    }

    /// A task without its second attempt.
    Task endHedge(Task task, boolean lingers) {
        draft.ended.addAll(Effects.ofHedge(task, draft.spec()));
        var held = Hedge.lease(task);
        var alone = task.withHedge(Optional.empty());
        if (held.isEmpty()) {
            return alone;
        }
        draft.leased--;
        return lingers ? revoke(alone, held.get(), 2 * REVOKE_ORDINALS) : alone;
    }

    Task endLease(Task task, boolean lingers) {
        var held = (Delivery.Held) ((Task.Open) task.state()).delivery();
        return endLease(task, lingers, held.lease());
    }

    Task endLease(Task task, boolean lingers, Lease lease) {
        endDelivery(task);
        draft.leased--;
        var alone = endHedge(task, true);
        return lingers ? revoke(alone, lease, REVOKE_ORDINALS) : alone;
    }

    private Task revoke(Task task, Lease lease, int ordinals) {
        draft.undo = draft.undo.complete(task.strand());
        // A stop of many tasks is one event: the task's number keeps the ids apart.
        var revoked = new Task.Revoked(draft.nextId(ordinals + task.id()), lease);
        var more = new ArrayList<>(task.lingering());
        more.add(revoked);
        draft.asked.add(Effects.ofRevoked(task, revoked, draft.spec()));
        draft.lingering++;
        return task.withLingering(more);
    }

    void endDelivery(Task task) {
        if (draft.isActive() && task.state() instanceof Task.Doubtful doubt) {
            draft.ended.add(Effects.ofDoubtful(task, doubt));
        }
        if (task.state() instanceof Task.Open(var delivery, int _, var _)) {
            switch (delivery) {
                case Delivery.Queued queued when draft.isActive() ->
                        draft.ended.addAll(Effects.ofQueued(task, queued, draft.spec()));
                case Delivery.Queued _ -> {}
                case Delivery.Leased leased ->
                        draft.ended.addAll(Effects.ofLeased(task, leased, draft.spec()));
                case Delivery.Parked parked -> draft.ended.add(Effects.ofParked(task, parked));
                case Delivery.Unanswered _ -> {}
            }
            delivery.asked()
                    .ifPresent(question ->
                            draft.ended.addAll(Effects.ofAsked(task, question, draft.isActive())));
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
                        .map(limit -> new Alarm(draft.nextId(ordinal + 1), from.plus(limit)));
        var queued = new Delivery.Queued(attempt, draft.nextId(ordinal), notBefore, deadline);
        if (draft.isActive()) {
            draft.asked.addAll(Effects.ofQueued(task, queued, draft.spec()));
        }
        return task.with(new Task.Open(queued, failed, lostBy))
                .withAttempts(Math.max(attempt, task.attempts()));
    }
}
