package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.question.Answer;
import dev.artel.kernel.question.OpenQuestion;
import dev.artel.kernel.timer.Timer;
import java.time.Duration;

/// The part of [JobFold] that is about questions of running attempts.
final class QuestionFold {
    private final MutableJob draft;
    private final LeaseFold leases;

    QuestionFold(MutableJob draft, LeaseFold leases) {
        this.draft = draft;
        this.leases = leases;
    }

    void asked(JobEvent.QuestionAsked e) {
        var task = draft.tasks.get(e.task());
        var open = (Task.Open) task.state();
        var lease = ((Attempt.Leased) open.attempt()).lease();
        leases.endDelivery(task);
        var left = Duration.between(e.at(), lease.timeout());
        var question =
                new OpenQuestion(
                        draft.nextId(1),
                        e.question(),
                        e.at(),
                        e.until().map(until -> new Timer(draft.nextId(2), until)));
        draft.questions = draft.questions.with(question.number(), task.id(), e.question());
        var parked =
                new Attempt.Parked(
                        draft.nextId(0), lease, left.isNegative() ? Duration.ZERO : left, question);
        var next =
                leases.endHedge(task, true)
                        .with(new Task.Open(parked, open.failed(), open.lostBy()));
        draft.put(next);
        draft.asked.add(PendingEffects.ofParked(next, parked));
        draft.asked.addAll(PendingEffects.ofAsked(next, question, draft.isActive()));
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
        draft.questions = draft.questions.withAnswer(e.answer());
        leases.endDelivery(task);
        if (open.attempt() instanceof Attempt.Parked(var _, var lease, var left, var _)) {
            var again = lease.until(e.at().plus(left));
            var leased =
                    new Attempt.Leased(
                            draft.nextId(0),
                            again,
                            new Timer(draft.nextId(1), again.timeout()),
                            draft.spec().options().priority());
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
