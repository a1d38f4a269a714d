package dev.artel.kernel.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.Story;
import dev.artel.kernel.rules.GuardChecks;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.util.Collections;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GuardUseTest {
    private static final Outcomes ON = Outcomes.on(Outcomes.FINISHED, "after");

    private static void childEnds(Story story, int number, int steps) {
        story.accepted(
                new JobCommand.EndChild(
                        number,
                        story.job().children().children().get(number).start(),
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

        assertThat(GuardChecks.tooManyTasks(story.job(), Guards.MOST_TASKS)).isEmpty();
        assertThat(GuardChecks.tooManyTasks(story.job(), Guards.MOST_TASKS + 1))
                .contains(
                        "cannot begin 500,001 tasks after 0: one run of a job has at most 500,000; let"
                                + " it continue as new (continueAsNew) before");
    }

    @Test
    void moreChildrenThanARunMayHave_areNotBegun() {
        var story = Story.begun(Guards.DEFAULTS);

        assertThat(GuardChecks.tooManyChildren(story.job(), Guards.MOST_CHILDREN + 1))
                .hasValueSatisfying(reason -> assertThat(reason).contains("100,001 children"));
    }

    private static JsonObject names(int from, int to) {
        var names = JsonObject.builder();
        IntStream.range(from, to).forEach(i -> names.put("n" + i, i));
        return names.build();
    }

    /// Trap: a job that invents a name in each step fills the memory, and each of its steps takes longer than the one before.
    @Test
    void moreNamesThanDataMayHave_areWarnedOf_andStopTheJob_whichAPersonCanLetGoOn() {
        var story = Story.begun(Guards.DEFAULTS);
        story.step(0, Action.transitionTo("next").with(names(0, 7_999)));
        assertThat(GuardUse.nearlySpent(story.job())).isEmpty();
        story.step(0, Action.transitionTo("next").with(names(7_999, 10_000)));
        assertThat(GuardUse.nearlySpent(story.job()))
                .containsExactly(new GuardUse("names", 10_000, 10_000));
        story.assertStatus("running");

        story.step(0, Action.transitionTo("check").with(names(9_999, 10_001)));

        story.assertEnded(
                "quarantined",
                "its data have 10,001 names, and those of a job have at most 10,000; put what belongs"
                        + " together under one name. Release it to run its next handler all the same,"
                        + " rewind it with less, or discard it");
        story.accepted(
                new JobCommand.ResolveQuarantine(
                        new QuarantineAction.Release(), "client anna", story.now()));
        story.assertStatus("running");
        assertThat(story.branch(0).state()).isEqualTo("check");
        story.step(0, Action.continueAsNew("next", names(0, 1)));
        story.assertStatus("running");
        assertThat(GuardUse.nearlySpent(story.job())).isEmpty();
    }

    /// Trap: each value is too small to be kept apart, and those of all names together fill the memory.
    @Test
    void moreMemoryThanDataMayTake_stopsTheJob_whichAPersonCanLetGoOn() {
        var story = Story.begun(Guards.DEFAULTS);
        JsonValue zeros = new JsonArray(Collections.nCopies(30_000, JsonValue.of(0)));
        var heavy = JsonObject.builder();
        IntStream.range(0, 30).forEach(i -> heavy.put("n" + i, zeros));
        story.step(0, Action.transitionTo("next").with(heavy.build()));
        story.assertStatus("running");
        IntStream.range(30, 80).forEach(i -> heavy.put("n" + i, zeros));

        story.step(0, Action.transitionTo("check").with(heavy.build()));

        story.assertStatus("quarantined");
        assertThat(story.job().errorMessage().orElseThrow())
                .startsWith("its data take about ")
                .contains(" MiB of memory, and those of a job take at most 64;");
        story.accepted(
                new JobCommand.ResolveQuarantine(
                        new QuarantineAction.Release(), "client anna", story.now()));
        story.assertStatus("running");
        assertThat(story.branch(0).state()).isEqualTo("check");
    }

    /// Trap: initial data are looked at where a client submits a job, and a child has none who does.
    @Test
    void aChildWithTooManyNames_waitsForAPerson() {
        var story = new Story();

        story.accepted(
                new JobCommand.Submit(
                        new JobSpec(
                                new BlueprintRef("any", "1", "digest"),
                                "start",
                                "client",
                                JobData.of(names(0, 10_001)),
                                JobOptions.DEFAULTS,
                                JobSpec.CURRENT_RULES),
                        story.now()));

        story.assertStatus("quarantined");
        assertThat(story.job().errorMessage().orElseThrow())
                .startsWith("its initial data have 10,001 names");
    }
}
