package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.task.Payload;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GuardUseTest {
    private static final Outcomes ON = Outcomes.on(Outcomes.FINISHED, "after");

    private static void childEnds(Story story, int number, int steps) {
        story.accepted(
                new JobCommand.EndChild(
                        number,
                        story.job().family().children().get(number).start(),
                        new ChildReport(Outcomes.FINISHED, Payload.EMPTY, steps, Optional.empty()),
                        story.now()));
    }

    @Test
    void fourFifthsOfTheStatesAreNear_andOneLessIsNot() {
        var story = Story.begun(Guards.DEFAULTS.withTransitions(10));

        IntStream.range(0, 6).forEach(_ -> story.step(0, Action.transitionTo("next")));
        assertThat(GuardUse.nearlySpent(story.job())).isEmpty();
        story.step(0, Action.transitionTo("next"));

        assertThat(GuardUse.nearlySpent(story.job()))
                .containsExactly(new GuardUse("transitions", 8, 10));
    }

    @Test
    void aNewRun_beginsToCountAnew() {
        var story = Story.begun(Guards.DEFAULTS.withTransitions(5));
        IntStream.range(0, 4).forEach(_ -> story.step(0, Action.transitionTo("next")));
        assertThat(GuardUse.nearlySpent(story.job())).isNotEmpty();

        story.step(0, Action.continueAsNew("next", JsonObject.EMPTY));

        assertThat(GuardUse.nearlySpent(story.job())).isEmpty();
    }

    /// Trap: what a child may use counts as used, and each job that runs one is near to its end.
    @Test
    void stepsThatAreOnlyAllotted_areNotUsed() {
        var story = Story.begun(Guards.DEFAULTS.withTreeSteps(100));
        story.step(0, Action.runBlueprint("stage", JsonObject.EMPTY, ON));
        assertThat(story.job().steps()).isEqualTo(91);
        assertThat(GuardUse.nearlySpent(story.job())).isEmpty();

        childEnds(story, 0, 85);

        assertThat(GuardUse.nearlySpent(story.job()))
                .containsExactly(new GuardUse("tree_steps", 87, 100));
    }

    @Test
    void aFinalJob_needsNoWarning() {
        var story = Story.begun(Guards.DEFAULTS.withTransitions(2));
        story.step(0, Action.transitionTo("next"));
        assertThat(GuardUse.nearlySpent(story.job())).isNotEmpty();

        story.step(0, Action.finish(JsonObject.EMPTY));

        assertThat(GuardUse.nearlySpent(story.job())).isEmpty();
    }

    /// Trap: each task is kept until the run is over, and a loop of fan-outs fills the memory.
    @Test
    void moreTasksThanARunMayHave_areNotBegun_andTheReasonSaysWhatToDo() {
        var story = Story.begun(Guards.DEFAULTS);

        assertThat(Guarding.tooManyTasks(story.job(), Guards.MOST_TASKS)).isEmpty();
        assertThat(Guarding.tooManyTasks(story.job(), Guards.MOST_TASKS + 1))
                .contains(
                        "cannot begin 500,001 tasks after 0: one run of a job has at most 500,000; let"
                                + " it continue as new (continueAsNew) before");
    }

    @Test
    void moreChildrenThanARunMayHave_areNotBegun() {
        var story = Story.begun(Guards.DEFAULTS);

        assertThat(Guarding.tooManyChildren(story.job(), Guards.MOST_CHILDREN + 1))
                .hasValueSatisfying(reason -> assertThat(reason).contains("100,001 children"));
    }
}
