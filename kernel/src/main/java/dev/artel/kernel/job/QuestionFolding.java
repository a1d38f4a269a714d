package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.delivery.Lease;
import java.time.Duration;

/// The part of [Folding] that is about questions of those at work.
final class QuestionFolding {
    private final JobDraft draft;
    private final LeaseFolding leases;

    QuestionFolding(JobDraft draft, LeaseFolding leases) {
        this.draft = draft;
        this.leases = leases;
    }

    void asked(JobEvent.QuestionAsked e) {
        var task = draft.tasks.get(e.task());
        var open = (Task.Open) task.state();
        var lease = ((Delivery.Leased) open.delivery()).lease();
        leases.endDelivery(task);
        var left = Duration.between(e.at(), lease.timeout());
        var question =
                new Asked(
                        draft.nextId(1),
                        e.question(),
                        e.at(),
                        e.until().map(until -> new Alarm(draft.nextId(2), until)));
        var parked =
                new Delivery.Parked(
                        draft.nextId(0), lease, left.isNegative() ? Duration.ZERO : left, question);
        var next =
                leases.endHedge(task, true)
                        .with(new Task.Open(parked, open.failed(), open.lostBy()));
        draft.put(next);
        draft.asked.add(Effects.ofParked(next, parked));
        draft.asked.addAll(Effects.ofAsked(next, question, draft.isActive()));
    }

    void answered(JobEvent.QuestionAnswered e) {
        var task = draft.tasks.get(e.task());
        var open = (Task.Open) task.state();
        var question = task.asked().orElseThrow();
        var next =
                task.withAnswer(
                        new Answer(
                                question.number(),
                                question.question(),
                                e.answer(),
                                e.by(),
                                e.at()));
        leases.endDelivery(task);
        if (open.delivery() instanceof Delivery.Parked(var _, var lease, var left, var _)) {
            var again =
                    new Lease(lease.token(), lease.worker(), lease.attempt(), e.at().plus(left));
            var leased =
                    new Delivery.Leased(
                            draft.nextId(0), again, new Alarm(draft.nextId(1), again.timeout()));
            leases.atWork(
                    next.with(new Task.Open(leased, open.failed(), open.lostBy())), leased, e.at());
        } else {
            draft.put(
                    leases.queued(
                            next,
                            task.attempts() + 1,
                            open.failed(),
                            open.lostBy(),
                            e.at(),
                            0,
                            e.at()));
        }
    }
}
