package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OpenQuestionsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final WorkerId WORKER = new WorkerId("w");
    private static final Question QUESTION = new Question("q", "Which one?", List.of());
    private static final JobId OTHER = new JobId("other");

    private final OpenQuestions open = new OpenQuestions();

    /// A job whose task a worker has.
    private static Job leased(String id) {
        var submitted = SampleJobs.submitted(id, NOW);
        var dispatched =
                SampleJobs.after(
                        submitted,
                        new JobCommand.CompleteStep(
                                effect(submitted, Effect.RunStep.class).id(),
                                Action.dispatch(
                                        TaskSpec.of("work", JsonObject.EMPTY),
                                        Outcomes.on("success", "next")),
                                List.of(),
                                NOW));
        var offer = effect(dispatched, Effect.Offer.class);
        return SampleJobs.after(
                dispatched,
                new JobCommand.Grant(
                        offer.id(),
                        offer.task(),
                        token(id),
                        WORKER,
                        new Placement(WORKER, "it was free", List.of(), new LinkedHashMap<>(), 1),
                        NOW));
    }

    private static LeaseToken token(String id) {
        return LeaseToken.mint(new JobId(id), 0, 1, 7);
    }

    private static <E extends Effect> E effect(Job job, Class<E> kind) {
        return Jobs.pending(job).stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow();
    }

    private static JobCommand asking(String id) {
        return new JobCommand.AskQuestion(0, token(id), WORKER, QUESTION, Optional.empty(), NOW);
    }

    /// What follows from a command, of which the count hears.
    private Job happens(Job job, JobCommand command) {
        if (Jobs.decide(job, command) instanceof Decision.Accepted accepted
                && accepted.after() instanceof Job after) {
            open.happened(after, accepted.events());
            return after;
        }
        throw new AssertionError(command + " was not accepted");
    }

    /// Trap: a worker with one slot takes a task after the other, asks something in each, and keeps all of them from the others for as long as no
    /// person answers.
    @Test
    void aWorkerWithTooManyOpenQuestions_mayAskNoMore_untilOneIsAnswered() {
        Job last = leased("first");
        for (var i = 0; i < OpenQuestions.MOST_OF_A_WORKER; i++) {
            assertThat(open.refusal(WORKER, OTHER, 0)).isEmpty();
            last = happens(leased("j-" + i), asking("j-" + i));
        }

        assertThat(open.of(WORKER)).isEqualTo(OpenQuestions.MOST_OF_A_WORKER);
        assertThat(open.refusal(WORKER, OTHER, 0))
                .hasValue(
                        "1000 questions of worker w wait for an answer, and it may ask no more until some have one; report a result");
        // The same once more.
        assertThat(open.refusal(WORKER, last.id(), 0)).isEmpty();
        assertThat(open.refusal(new WorkerId("another"), OTHER, 0)).isEmpty();

        var number = last.tasks().get(0).asked().orElseThrow().number();
        happens(last, new JobCommand.AnswerQuestion(number, "this one", "client c", NOW));

        assertThat(open.of(WORKER)).isEqualTo(OpenQuestions.MOST_OF_A_WORKER - 1);
        assertThat(open.refusal(WORKER, OTHER, 0)).isEmpty();
    }

    /// Trap: a worker leaves and comes again, and its questions wait on.
    @Test
    void aQuestionCounts_alsoWhenItsWorkerHasLeft_andAfterAStart_untilItsJobEnds() {
        var asked = happens(leased("j"), asking("j"));
        var left =
                happens(
                        asked,
                        new JobCommand.EndLease(0, token("j"), LeaseEnd.Lost.WORKER_GONE, NOW));
        assertThat(left.tasks().get(0).asked()).isPresent();
        assertThat(open.of(WORKER)).isEqualTo(1);

        var anew = new OpenQuestions();
        anew.openBefore(left);
        assertThat(anew.of(WORKER)).isEqualTo(1);

        happens(left, new JobCommand.Cancel("it is too late", NOW));
        assertThat(open.of(WORKER)).isZero();
    }
}
