package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Replacement;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A job goes on with another definition.
final class ReplaceDefinitionTest {
    private static final TaskSpec WORK = TaskSpec.of("work", JsonObject.EMPTY);
    private static final Outcomes ON = Outcomes.on("success", "planned");
    private static final JsonObject CITY = JsonObject.of("city", JsonValue.of(7));

    private static final BlueprintRef TOUR = new BlueprintRef("tour", "2", "digest-of-tour");

    private static Action tour() {
        return new Action.ReplaceDefinition(
                new Replacement.Known(
                        TOUR, "walk", Guards.DEFAULTS.withTransitions(50), Optional.of("go-home")),
                JobData.of(CITY));
    }

    @Test
    void itIsTheSameJob_inTheFirstStateOfTheOther_withItsDataAndTasks() {
        var story = Story.of(Action.dispatch(WORK, ON)).succeeds(0);
        var before = story.job();

        story.step(0, tour());

        var job = story.job();
        assertThat(job.id()).isEqualTo(before.id());
        assertThat(job.spec())
                .isEqualTo(
                        before.spec()
                                .withBlueprint(TOUR)
                                .withGuards(Guards.DEFAULTS.withTransitions(50))
                                .withCancelState(Optional.of("go-home")));
        assertThat(job.branches().get(0).state()).isEqualTo("walk");
        assertThat(job.data()).isEqualTo(before.data().merge(JobData.of(CITY)));
        assertThat(job.tasks().size()).isOne();
        assertThat(story.pending(Effect.RunStep.class).getFirst().state()).isEqualTo("walk");
    }

    private static String limitedAs(BlueprintRef definition) {
        var story =
                Story.of(
                        new Action.ReplaceDefinition(
                                new Replacement.Known(
                                        definition, "walk", Guards.DEFAULTS, Optional.empty()),
                                JobData.EMPTY));
        story.step(0, Action.dispatch(WORK, ON));
        var offered = story.pending(Effect.Offer.class).getFirst().outline().blueprint();
        story.grant(0, "anna");
        assertThat(story.pending(Effect.HoldLease.class).getFirst().outline().blueprint())
                .isEqualTo(offered);
        return offered;
    }

    /// Trap: the card that a job brings along names itself like a blueprint of others, and takes what their limit lets through.
    @Test
    void whatAJobHasBroughtAlong_isNotLimitedByTheNameThatItChose() {
        assertThat(limitedAs(TOUR)).isEqualTo("tour");
        assertThat(limitedAs(new BlueprintRef("tour", "0.0.0-sha256.0a1b", "digest")))
                .isEqualTo("(planned)");
    }

    @Test
    void itsHistoryNamesBothDefinitions() {
        var story = Story.of(Action.transitionTo("plan"));
        var left = story.job().spec().blueprint();

        story.step(0, tour());

        assertThat(story.events())
                .filteredOn(JobEvent.DefinitionReplaced.class::isInstance)
                .containsExactly(
                        new JobEvent.DefinitionReplaced(
                                left,
                                "plan",
                                TOUR,
                                Guards.DEFAULTS.withTransitions(50),
                                Optional.of("go-home"),
                                story.now()));
    }

    @Test
    void statesOfTheOneThatItLeaves_cannotBeGoneBackTo() {
        var story = Story.of(Action.transitionTo("plan"));
        var visit = StateVisit.last(story.job().id(), story.events(), "plan").orElseThrow();

        story.step(0, tour());

        assertThat(StateVisit.last(story.job().id(), story.events(), "plan")).isEmpty();
        assertThat(StateVisit.states(story.events())).containsExactly("walk");
        assertThat(story.give(new JobCommand.Rewind(visit, "ada", story.now())))
                .isInstanceOf(Decision.Rejected.class);
    }

    @Test
    void aBranch_cannot() {
        var story = Story.of(Action.fork(List.of("a"), "join"));

        story.step(1, tour());

        assertThat(story.job().errorMessage().orElseThrow())
                .contains("state a replaces the definition of the job, and is in a branch");
    }

    /// Trap: the job fails later, and the state that was to compensate is not in the definition that it has then.
    @Test
    void whatStatesCompensate_mustBeDealtWithBefore() {
        var story = Story.of(Action.dispatch(WORK, ON).compensatedBy("cancel-booking")).succeeds(0);

        story.step(0, tour());

        assertThat(story.job().spec().blueprint()).isNotEqualTo(TOUR);
        assertThat(story.job().errorMessage().orElseThrow())
                .contains("replaces the definition of the job with tour version 2")
                .contains("compensate what was done");
    }

    @Test
    void whatTasksCompensate_isCompensatedUnderTheOtherDefinition() {
        var story = Story.of(Action.dispatch(WORK, ON).compensatedBy(TaskSpec.of("undo", CITY)));
        story.succeeds(0);

        story.step(0, tour());
        story.step(0, Action.fail("it rains"));

        assertThat(story.job().tasks().get(1).spec().type()).isEqualTo("undo");
    }

    /// Trap: a worker that has not given up a task yet counts for the limits of another definition than that under which it got it.
    @Test
    void whatWorkersAreToGiveUp_isAwaited() {
        var once =
                new TaskLimits(
                        RetryPolicy.DEFAULTS.withMaxAttempts(1),
                        1,
                        Optional.empty(),
                        Duration.ofSeconds(30));
        var story =
                Story.of(
                        Action.dispatch(
                                WORK.withLimits(once),
                                Outcomes.on("success", "planned").and(Outcomes.TIMEOUT, "late")));
        var lease = story.grant(0, "w1");
        story.fires(new TimerKind.TaskTimer(0));

        story.step(0, tour());

        assertThat(story.job().spec().blueprint()).isNotEqualTo(TOUR);
        assertThat(story.job().errorMessage()).isEmpty();
        story.accepted(
                new JobCommand.EndLease(0, lease.token(), LeaseEnd.Lost.WORKER_GONE, story.now()));
        story.fires(new TimerKind.BranchTimer(0));
        story.step(0, tour());
        assertThat(story.job().spec().blueprint()).isEqualTo(TOUR);
    }

    /// Trap: a planning step that is run again plans forever.
    @Test
    void plansWithoutEnd_areStoppedByTheGuards() {
        var story = Story.of(Action.transitionTo("plan"));

        for (var round = 0; round < 100 && !story.job().isFinal(); round++) {
            if (story.job().errorMessage().isPresent()) {
                break;
            }
            story.step(0, tour());
        }

        assertThat(story.job().errorMessage().orElseThrow()).contains("50");
    }
}
