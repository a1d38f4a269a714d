package dev.artel.kernel.question;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Hedge;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.Story;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class QuestionTest {
    private static final Question WHICH =
            new Question("account", "Which account?", List.of("savings", "current"));
    private static final TimerKind TIMER = new TimerKind.TaskTimer(0);
    private static final TaskReport DONE = new TaskReport.Succeeded("success", Payload.EMPTY);

    private final Story story;
    private final Lease lease;

    QuestionTest() {
        story = dispatched(Story.TASK);
        lease = story.grant(0, "anna");
    }

    private static Story dispatched(TaskSpec task) {
        return Story.of(
                Action.dispatch(
                        task, Outcomes.on("success", "next").and(Outcomes.TIMEOUT, "sorry")));
    }

    private static JobCommand.AskQuestion ask(
            Story story, Lease lease, Question question, Optional<Duration> within) {
        return new JobCommand.AskQuestion(
                0, lease.token(), lease.worker(), question, within, story.now());
    }

    private List<JobEvent> asks(Question question) {
        return story.accepted(ask(story, lease, question, Optional.empty()));
    }

    private JobCommand answer(long number, String answer) {
        return new JobCommand.AnswerQuestion(number, answer, "client ben", story.now());
    }

    private long number() {
        return story.job().tasks().get(0).asked().orElseThrow().number();
    }

    private Attempt delivery() {
        return ((Task.Open) story.task(0)).attempt();
    }

    @Test
    void anAttemptThatAsks_keepsItsLease_andGivesItsSlotAway() {
        asks(WHICH);

        assertThat(story.pending(Effect.HoldLease.class)).isEmpty();
        assertThat(story.pending(Effect.HoldParked.class))
                .singleElement()
                .satisfies(parked -> assertThat(parked.lease()).isEqualTo(lease));
        assertThat(story.pending(Effect.AwaitAnswer.class))
                .singleElement()
                .satisfies(wait -> assertThat(wait.question()).isEqualTo(WHICH));
        assertThat(story.pending(Effect.ScheduleTimer.class)).isEmpty();
        story.assertStatus("waiting_for_human");
    }

    @Test
    void whoHasItsAnswer_goesOn_forAsLongAsItStillHad() {
        var limit = Story.TASK.limits().executionTimeout();
        story.after(Duration.ofSeconds(10));
        asks(WHICH);
        story.after(Duration.ofDays(3));

        story.accepted(answer(number(), "savings"));

        assertThat(delivery())
                .isInstanceOfSatisfying(
                        Attempt.Leased.class,
                        leased -> {
                            assertThat(leased.lease().token()).isEqualTo(lease.token());
                            assertThat(leased.lease().attempt()).isEqualTo(1);
                            assertThat(leased.lease().timeout())
                                    .isEqualTo(story.now().plus(limit).minusSeconds(10));
                        });
        assertThat(story.pending(Effect.HoldLease.class))
                .singleElement()
                .satisfies(hold ->
                        assertThat(hold.answers())
                                .extracting(Answer::text)
                                .containsExactly("savings"));
        story.accepted(story.reportOf(0, lease, DONE));
        assertThat(story.branch(0).state()).isEqualTo("next");
    }

    @Test
    void theSameQuestionAgain_changesNothing_beforeAndAfterItsAnswer() {
        asks(WHICH);
        assertThat(asks(WHICH)).isEmpty();
        story.accepted(answer(number(), "savings"));

        assertThat(asks(WHICH)).isEmpty();

        assertThat(delivery()).isInstanceOf(Attempt.Leased.class);
        assertThat(story.job().tasks().get(0).answerTo("account"))
                .get()
                .satisfies(answer -> {
                    assertThat(answer.text()).isEqualTo("savings");
                    assertThat(answer.by()).isEqualTo("client ben");
                });
    }

    @Test
    void twoQuestionsAtOnce_areOneTooMany() {
        asks(WHICH);

        story.assertRefused(
                ask(story, lease, new Question("when", "When?", List.of()), Optional.empty()),
                Decision.Reason.NOT_AWAITED,
                "job job-1, task 0: question 'when' of worker anna is refused: the attempt waits"
                        + " for the answer to question "
                        + number()
                        + "; ask one thing after the other");
    }

    @Test
    void onlyTheHolderOfTheLease_asks() {
        var foreign =
                new JobCommand.AskQuestion(
                        0,
                        lease.token(),
                        new WorkerId("eve"),
                        WHICH,
                        Optional.empty(),
                        story.now());

        story.assertRefused(
                foreign,
                Decision.Reason.STALE_LEASE,
                "job job-1, task 0: question of worker eve refused, lease "
                        + lease.token()
                        + ": it belongs to worker anna; stop this attempt");
    }

    @Test
    void anAnswerThatIsNoChoice_isRefused_andTheQuestionStaysOpen() {
        asks(WHICH);

        story.assertRefused(
                answer(number(), "hers"),
                Decision.Reason.NO_SUCH_CHOICE,
                "job job-1: question "
                        + number()
                        + " cannot be answered: it has no choice 'hers'; choose one of [savings,"
                        + " current]");

        story.accepted(answer(number(), "current"));
    }

    @Test
    void aQuestionIsAnsweredOnce_andTheSameAnswerAgainIsTaken() {
        asks(WHICH);
        var number = number();
        story.accepted(answer(number, "savings"));
        var at = story.now();

        assertThat(story.accepted(answer(number, "savings"))).isEmpty();
        story.assertRefused(
                answer(number, "current"),
                Decision.Reason.NOT_AWAITED,
                "job job-1: question "
                        + number
                        + " cannot be answered: it was answered at "
                        + at
                        + " by client ben, once and for all");
    }

    @Test
    void whatNobodyAsked_cannotBeAnswered() {
        story.assertRefused(
                answer(99, "savings"),
                Decision.Reason.NOT_AWAITED,
                "job job-1: question 99 cannot be answered: it has no such question that is open;"
                        + " list those that it waits for");
    }

    /// Trap: a worker that dies while a person thinks takes the question along, and the person is asked again.
    @Test
    void aQuestionOutlivesItsWorker_andTheNextOneHasTheAnswer() {
        asks(WHICH);
        var number = number();
        story.ends(0, lease, LeaseEnd.Lost.WORKER_GONE);

        assertThat(delivery()).isInstanceOf(Attempt.Unanswered.class);
        assertThat(story.pending(Effect.Offer.class)).isEmpty();
        assertThat(story.job().leased()).isZero();
        story.assertStatus("waiting_for_human");

        story.accepted(answer(number, "savings"));
        var second = story.grant(0, "carl");

        assertThat(second.attempt()).isEqualTo(2);
        assertThat(((Task.Open) story.task(0)).lostBy()).isEmpty();
        assertThat(story.pending(Effect.HoldLease.class))
                .singleElement()
                .satisfies(hold ->
                        assertThat(hold.answers())
                                .extracting(Answer::text)
                                .containsExactly("savings"));
        assertThat(story.accepted(ask(story, second, WHICH, Optional.empty()))).isEmpty();
    }

    @Test
    void aWorkerThatGivesItBack_leavesTheQuestionThere() {
        asks(WHICH);

        story.ends(0, lease, LeaseEnd.Returned.DRAINED);

        assertThat(delivery()).isInstanceOf(Attempt.Unanswered.class);
        assertThat(story.pending(Effect.AwaitAnswer.class)).hasSize(1);
    }

    @Test
    void whatMustNotBeDoneTwice_isInDoubt_whenItsWorkerDiesWithAQuestion() {
        var fragile = dispatched(Story.TASK.notIdempotent());
        var held = fragile.grant(0, "anna");
        fragile.accepted(ask(fragile, held, WHICH, Optional.empty()));

        fragile.ends(0, held, LeaseEnd.Lost.WORKER_GONE);

        assertThat(fragile.task(0)).isInstanceOf(Task.Doubtful.class);
        assertThat(fragile.pending(Effect.AwaitAnswer.class)).isEmpty();
    }

    @Test
    void whatMustNotBeDoneTwice_isInDoubt_whenNobodyAnswersInTime_orItIsGivenUp() {
        var late = dispatched(Story.TASK.notIdempotent());
        var held = late.grant(0, "anna");
        late.accepted(ask(late, held, WHICH, Optional.of(Duration.ofHours(1))));
        late.fires(TIMER);
        assertThat(late.task(0)).isInstanceOf(Task.Doubtful.class);

        var given = dispatched(Story.TASK.notIdempotent());
        var lease2 = given.grant(0, "anna");
        given.accepted(ask(given, lease2, WHICH, Optional.empty()));
        given.ends(0, lease2, LeaseEnd.Returned.DRAINED);
        assertThat(given.task(0)).isInstanceOf(Task.Doubtful.class);
    }

    @Test
    void aQuestionThatNobodyAnswersInTime_failsTheAttempt_asATimeout() {
        var hasty = dispatched(Story.TASK.withRetry(RetryPolicy.NEVER));
        var held = hasty.grant(0, "anna");
        hasty.accepted(ask(hasty, held, WHICH, Optional.of(Duration.ofHours(1))));
        var late =
                new JobCommand.AnswerQuestion(
                        hasty.job().tasks().get(0).asked().orElseThrow().number(),
                        "savings",
                        "client ben",
                        hasty.now().plus(Duration.ofHours(1)));
        hasty.assertRefused(
                late,
                Decision.Reason.NOT_AWAITED,
                "job job-1: question "
                        + late.number()
                        + " cannot be answered: it has expired at "
                        + late.at()
                        + "; the job does not wait for it");

        hasty.fires(TIMER);

        assertThat(hasty.branch(0).state()).isEqualTo("sorry");
        assertThat(hasty.pending(Effect.Revoke.class)).hasSize(1);
        assertThat(((Task.Failed) hasty.task(0)).error().message())
                .isEqualTo(
                        "question "
                                + late.number()
                                + " was not answered before "
                                + late.at()
                                + ": Which account?");
    }

    @Test
    void aQuestionWithoutItsWorker_runsOutOfTimeToo() {
        story.accepted(ask(story, lease, WHICH, Optional.of(Duration.ofHours(1))));
        story.ends(0, lease, LeaseEnd.Lost.WORKER_GONE);

        story.fires(TIMER);

        assertThat(story.pending(Effect.Offer.class))
                .singleElement()
                .satisfies(offer -> assertThat(offer.attempt()).isEqualTo(2));
    }

    @Test
    void aReportOfTheOneWhoAsked_withdrawsTheQuestion() {
        asks(WHICH);

        story.accepted(story.reportOf(0, lease, DONE));

        assertThat(story.branch(0).state()).isEqualTo("next");
        assertThat(story.pending(Effect.AwaitAnswer.class)).isEmpty();
        assertThat(story.pending(Effect.HoldParked.class)).isEmpty();
    }

    @Test
    void aCancel_reachesTheWorkerThatWaits_andNobodyIsAskedAnyMore() {
        asks(WHICH);
        var number = number();

        story.cancel();

        assertThat(story.pending(Effect.Revoke.class)).hasSize(1);
        assertThat(story.pending(Effect.AwaitAnswer.class)).isEmpty();
        story.ends(0, lease, LeaseEnd.Returned.RELEASED);
        story.assertStatus("cancelled");
        assertThat(story.give(answer(number, "savings")))
                .isInstanceOfSatisfying(
                        Decision.Rejected.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Decision.Reason.FINAL));
    }

    @Test
    void ofTwoAtATask_theOneWhoAsksGivesWay() {
        var hedged = dispatched(Story.TASK.hedgedAfter(Duration.ofSeconds(20)));
        var first = hedged.grant(0, "anna");
        hedged.after(Duration.ofSeconds(20));
        var due = (Hedge.Due) hedged.job().tasks().get(0).hedge().orElseThrow();
        hedged.accepted(new JobCommand.FireTimer(due.timer().id(), TIMER, 0.5, hedged.now()));
        hedged.grant(0, "ben");

        hedged.accepted(ask(hedged, first, WHICH, Optional.empty()));

        assertThat(hedged.leaseOf(0).worker()).isEqualTo(new WorkerId("ben"));
        assertThat(hedged.pending(Effect.Revoke.class))
                .extracting(Effect.Revoke::lease)
                .containsExactly(first);
    }

    @Test
    void whoWaitsForAnAnswer_isNoStraggler() {
        var hedged = dispatched(Story.TASK.hedgedAfter(Duration.ofSeconds(20)));
        var first = hedged.grant(0, "anna");

        hedged.accepted(ask(hedged, first, WHICH, Optional.empty()));

        assertThat(hedged.pending(Effect.ScheduleTimer.class)).isEmpty();
        assertThat(hedged.job().tasks().get(0).hedge()).isEmpty();
    }

    @Test
    void questionsWithoutEnd_areEndedByAnError() {
        for (var i = 0; i < Question.MOST_OF_A_TASK; i++) {
            asks(new Question("q" + i, "What now?", List.of()));
            story.accepted(answer(number(), "go on"));
        }

        story.assertRefused(
                ask(story, lease, new Question("more", "And now?", List.of()), Optional.empty()),
                Decision.Reason.FULL,
                "job job-1, task 0: question 'more' of worker anna is refused: 50 questions of the"
                        + " task were answered, and more are not; report a result");
    }

    /// Trap: fifty questions with the longest texts, choices and answers, for each of many tasks, fill the memory.
    @Test
    void longQuestionsAndAnswersOfATask_areEndedByAnError_beforeTheyFillTheJob() {
        for (var i = 0; i < 9; i++) {
            asks(longest("q" + i));
            story.accepted(answer(number(), "a".repeat(Question.LONGEST_ANSWER)));
        }

        story.assertRefused(
                ask(story, lease, longest("more"), Optional.empty()),
                Decision.Reason.FULL,
                "job job-1, task 0: question 'more' of worker anna is refused: the questions of the"
                        + " task and their answers have 180,018 characters, this one and its answer"
                        + " have up to 20,004, and those of a task have at most 200,000; ask in"
                        + " fewer words, or report a result");
    }

    private static Question longest(String id) {
        return new Question(id, "w".repeat(Question.LONGEST_TEXT), List.of());
    }

    /// Trap: what one task may keep, each of half a million tasks may.
    @Test
    void whereTheQuestionsOfAJobFillIt_nothingMoreIsAsked_andWhatIsOpenIsAnsweredInAFewWords() {
        var before = filled(story.job(), AskedQuestions.MOST_CHARACTERS - 10);
        asks(new Question("when", "When?", List.of()));
        var after = filled(story.job(), AskedQuestions.MOST_CHARACTERS - 10);

        assertRefused(
                Jobs.decide(before, ask(story, lease, WHICH, Optional.empty())),
                "job job-1, task 0: question 'account' of worker anna is refused: the questions of"
                        + " the job and their answers have 9,999,990 characters, this one has 35,"
                        + " and those of a job have at most 10,000,000; report a result");
        assertRefused(
                Jobs.decide(after, answer(number(), "x".repeat(201))),
                "job job-1: question "
                        + number()
                        + " cannot be answered: the questions of the job and their answers have"
                        + " 9,999,990 characters, this answer has 201, and those of a job have at"
                        + " most 10,000,000; answer in at most 200 characters");
        assertThat(Jobs.decide(after, answer(number(), "x".repeat(200))))
                .isInstanceOf(Decision.Accepted.class);
    }

    private static void assertRefused(Decision decision, String detail) {
        assertThat(decision).isEqualTo(new Decision.Rejected(Decision.Reason.FULL, detail));
    }

    private static Job filled(Job job, long characters) {
        return new Job(
                job.id(),
                job.version(),
                job.spec(),
                job.submitted(),
                job.phase(),
                job.data(),
                job.branches(),
                job.tasks(),
                job.signals(),
                job.approvals(),
                job.recordedResult(),
                job.deadline(),
                job.leased(),
                job.lingering(),
                job.entered(),
                job.guardBaseline(),
                job.children(),
                job.compensationLog(),
                job.webhookEvents(),
                job.pause(),
                new AskedQuestions(job.questions().asked(), characters),
                job.budget());
    }
}
