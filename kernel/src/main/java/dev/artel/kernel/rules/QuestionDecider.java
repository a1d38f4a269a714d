package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.question.Answer;
import dev.artel.kernel.question.AskedQuestions;
import dev.artel.kernel.question.OpenQuestion;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.timer.Timer;
import java.util.Optional;

/// Decides what comes of questions that workers have in the middle of an attempt. A question belongs to its task: it
/// outlives the attempt that asked it, and the next attempt has the answer.
final class QuestionDecider {
    private final Draft draft;
    private final Deciders deciders;

    QuestionDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    Decision ask(Job job, JobCommand.AskQuestion c) {
        if (c.task() < 0 || c.task() >= job.tasks().size()) {
            return TaskDecider.unknownTask(job, c.task());
        }
        var task = job.tasks().get(c.task());
        var held =
                HedgeDecider.held(
                        task,
                        lease ->
                                lease.token().equals(c.token())
                                        && lease.worker().equals(c.worker()));
        if (held.isEmpty() || !(job.phase() instanceof Job.Active)) {
            return TaskDecider.staleLease(
                    job, task, c.token(), "question of worker " + c.worker() + " refused");
        }
        if (task.answerTo(c.question().id()).isPresent()) {
            return draft.accepted();
        }
        var before = held.get().asked();
        if (before.isPresent()) {
            return isTheSame(before.get(), c) ? draft.accepted() : askedTwice(job, task, c);
        }
        if (task.answers().size() >= Question.MOST_OF_A_TASK) {
            return refused(
                    Reason.FULL,
                    job,
                    task,
                    c,
                    task.answers().size()
                            + " questions of the task were answered, and more are not; report a"
                            + " result");
        }
        var tooMuch = tooMuch(job, task, c.question());
        if (tooMuch.isPresent()) {
            return refused(Reason.FULL, job, task, c, tooMuch.get());
        }
        if (!deciders.hedges()
                .drop(
                        task,
                        c.token(),
                        "worker " + c.worker() + " asked something while another one goes on",
                        true,
                        Optional.empty(),
                        c.at())) {
            draft.emit(
                    new JobEvent.QuestionAsked(
                            task.id(),
                            c.token(),
                            c.question(),
                            c.within().map(c.at()::plus),
                            c.at()));
        }
        return draft.accepted();
    }

    /// Why the job does not keep one more question: its task or the job has as many characters of them as may be.
    private static Optional<String> tooMuch(Job job, Task task, Question question) {
        var ofTask = task.answers().stream().mapToInt(Answer::characters).sum();
        var more = question.characters() + question.longestAnswer();
        if (ofTask + more > Question.MOST_CHARACTERS_OF_A_TASK) {
            return Optional.of(
                    "the questions of the task and their answers have "
                            + Counts.of(ofTask)
                            + " characters, this one and its answer have up to "
                            + Counts.of(more)
                            + ", and those of a task have at most "
                            + Counts.of(Question.MOST_CHARACTERS_OF_A_TASK)
                            + "; ask in fewer words, or report a result");
        }
        var ofJob = job.questions().characters();
        return ofJob + question.characters() <= AskedQuestions.MOST_CHARACTERS
                ? Optional.empty()
                : Optional.of(
                        "the questions of the job and their answers have "
                                + Counts.of(ofJob)
                                + " characters, this one has "
                                + Counts.of(question.characters())
                                + ", and those of a job have at most "
                                + Counts.of(AskedQuestions.MOST_CHARACTERS)
                                + "; report a result");
    }

    private static boolean isTheSame(OpenQuestion before, JobCommand.AskQuestion c) {
        return before.question().id().equals(c.question().id());
    }

    private static Decision askedTwice(Job job, Task task, JobCommand.AskQuestion c) {
        return refused(
                Reason.NOT_AWAITED,
                job,
                task,
                c,
                "the attempt waits for the answer to question "
                        + task.asked().orElseThrow().number()
                        + "; ask one thing after the other");
    }

    private static Decision refused(
            Reason reason, Job job, Task task, JobCommand.AskQuestion c, String why) {
        return new Decision.Rejected(
                reason,
                "job "
                        + job.id()
                        + ", task "
                        + task.id()
                        + ": question '"
                        + c.question().id()
                        + "' of worker "
                        + c.worker()
                        + " is refused: "
                        + why);
    }

    Decision answer(Job job, JobCommand.AnswerQuestion c) {
        var number = job.questions().taskOf(c.number());
        var task =
                number.isPresent()
                        ? Optional.of(job.tasks().get(number.getAsInt()))
                        : Optional.<Task>empty();
        var past = task.flatMap(it -> it.answerTo(c.number()));
        if (past.isPresent()) {
            return again(job, past.get(), c);
        }
        if (job.phase() instanceof Job.Ended(var _, var at)) {
            return refused(
                    Reason.FINAL,
                    job,
                    c,
                    "the job is already "
                            + job.status()
                            + " since "
                            + at
                            + "; the job does not wait for it");
        }
        var openQuestion = task.flatMap(Task::asked).filter(it -> it.number() == c.number());
        if (openQuestion.isEmpty()) {
            return refused(
                    Reason.NOT_AWAITED,
                    job,
                    c,
                    "it has no such question that is open; list those that it waits for");
        }
        return refusal(job, openQuestion.get(), c)
                .orElseGet(() -> {
                    draft.emit(
                            new JobEvent.QuestionAnswered(
                                    task.get().id(), c.answer(), c.by(), c.at()));
                    return draft.accepted();
                });
    }

    /// The same answer of the same person changes nothing.
    private Decision again(Job job, Answer past, JobCommand.AnswerQuestion c) {
        return past.text().equals(c.answer()) && past.by().equals(c.by())
                ? draft.accepted()
                : refused(
                        Reason.NOT_AWAITED,
                        job,
                        c,
                        "it was answered at "
                                + past.at()
                                + " by "
                                + past.by()
                                + ", once and for all");
    }

    private static Optional<Decision> refusal(
            Job job, OpenQuestion openQuestion, JobCommand.AnswerQuestion c) {
        if (!(job.phase() instanceof Job.Active)) {
            return Optional.of(
                    refused(Reason.NOT_AWAITED, job, c, "the job is " + job.status() + " now"));
        }
        var late = openQuestion.deadline().map(Timer::at).filter(until -> !c.at().isBefore(until));
        if (late.isPresent()) {
            return Optional.of(
                    refused(
                            Reason.NOT_AWAITED,
                            job,
                            c,
                            "it has expired at " + late.get() + "; the job does not wait for it"));
        }
        if (!openQuestion.question().takes(c.answer())) {
            return Optional.of(
                    refused(
                            Reason.NO_SUCH_CHOICE,
                            job,
                            c,
                            "it has no choice '"
                                    + c.answer()
                                    + "'; choose one of "
                                    + openQuestion.question().choices()));
        }
        var characters = job.questions().characters();
        return characters + c.answer().length() <= AskedQuestions.MOST_CHARACTERS
                        || c.answer().length() <= Question.LONGEST_CHOICE
                ? Optional.empty()
                : Optional.of(
                        refused(
                                Reason.FULL,
                                job,
                                c,
                                "the questions of the job and their answers have "
                                        + Counts.of(characters)
                                        + " characters, this answer has "
                                        + Counts.of(c.answer().length())
                                        + ", and those of a job have at most "
                                        + Counts.of(AskedQuestions.MOST_CHARACTERS)
                                        + "; answer in at most "
                                        + Question.LONGEST_CHOICE
                                        + " characters"));
    }

    private static Decision refused(
            Reason reason, Job job, JobCommand.AnswerQuestion c, String why) {
        return new Decision.Rejected(
                reason,
                "job " + job.id() + ": question " + c.number() + " cannot be answered: " + why);
    }

    /// There was no answer in time.
    boolean timer(Task task, int failed, JobCommand.FireTimer c) {
        var openQuestion = task.asked().filter(it -> isOf(it, c));
        if (openQuestion.isEmpty() || !(task.state() instanceof Task.Open open)) {
            return false;
        }
        var error =
                new TaskError(
                        ErrorClass.EXECUTION_TIMEOUT,
                        Question.UNANSWERED,
                        "question "
                                + openQuestion.get().number()
                                + " was not answered before "
                                + c.at()
                                + ": "
                                + openQuestion.get().question().text());
        switch (open.attempt()) {
            case Attempt.Held held -> {
                if (!deciders.unknownOutcomes()
                        .leave(task, held.lease(), error.message(), true, c.at())) {
                    fail(task, held.lease().token(), failed, error, true, c);
                }
            }
            case Attempt.Unanswered(var last, var _) ->
                    fail(task, last.token(), failed, error, false, c);
            case Attempt.Queued _ -> throw new IllegalStateException("it asks nothing: " + task);
        }
        return true;
    }

    private void fail(
            Task task,
            LeaseToken token,
            int failed,
            TaskError error,
            boolean lingers,
            JobCommand.FireTimer c) {
        deciders.tasks().failAttempt(task, token, failed, error, lingers, c.random(), c.at());
    }

    private static boolean isOf(OpenQuestion openQuestion, JobCommand.FireTimer c) {
        return openQuestion.deadline().filter(timer -> timer.id().equals(c.timer())).isPresent();
    }
}
