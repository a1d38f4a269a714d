package dev.artel.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FootprintTest {
    private static final int CHARACTERS = 50_000;

    /// Trap: a job is small as long as only children have filled it, and nothing makes room for what they sent.
    @Test
    void whatChildrenGetAndSend_isInTheMemoryOfTheirParent() {
        var parent = parent();

        assertThat(new Footprint().of(parent)).isBetween(1L * CHARACTERS, 2L * CHARACTERS);
        assertThat(new Footprint().of(ended(parent))).isGreaterThan(2L * CHARACTERS);
    }

    /// Trap: a job is small as long as only questions and answers have filled it.
    @Test
    void whatWorkersAskAndPeopleAnswer_isInTheMemoryOfTheJob() {
        var asked = asked();
        var number = asked.tasks().get(0).asked().orElseThrow().number();
        var answer = "a".repeat(Question.LONGEST_ANSWER);

        var answered =
                SampleJobs.after(
                        asked, new JobCommand.AnswerQuestion(number, answer, "ben", Samples.NOW));

        assertThat(new Footprint().of(asked)).isGreaterThan(Question.LONGEST_TEXT);
        assertThat(new Footprint().of(answered))
                .isGreaterThan(Question.LONGEST_TEXT + Question.LONGEST_ANSWER);
    }

    private static Job asked() {
        var begun = SampleJobs.submitted("j", Samples.NOW);
        var step = (Effect.RunStep) Jobs.pending(begun).getFirst();
        var task = TaskSpec.of("work", JsonObject.EMPTY);
        var dispatched =
                SampleJobs.after(
                        begun,
                        new JobCommand.CompleteStep(
                                step.id(),
                                Action.dispatch(task, Outcomes.on("success", "next")),
                                List.of(),
                                Samples.NOW));
        var offer =
                Jobs.pending(dispatched).stream()
                        .filter(Effect.Offer.class::isInstance)
                        .map(Effect.Offer.class::cast)
                        .findFirst()
                        .orElseThrow();
        var token = new LeaseToken("t");
        var anna = new WorkerId("anna");
        var granted =
                SampleJobs.after(
                        dispatched,
                        new JobCommand.Grant(
                                offer.id(),
                                offer.task(),
                                token,
                                anna,
                                new Placement(anna, "free", List.of(), new LinkedHashMap<>(), 1),
                                Samples.NOW));
        var question = new Question("q", "w".repeat(Question.LONGEST_TEXT), List.of());
        return SampleJobs.after(
                granted,
                new JobCommand.AskQuestion(
                        0, token, anna, question, Optional.empty(), Samples.NOW));
    }

    /// Trap: twenty thousand small jobs, each with labels of 20 KB, are taken for jobs of 3 KB, and nothing makes room.
    @Test
    void allThatAJobHasBesideItsData_isInItsMemory() {
        var labels = new LinkedHashMap<String, String>();
        for (var i = 0; i < JobOptions.MOST_LABELS; i++) {
            labels.put("label-" + i, "\u4e00".repeat(200));
        }
        var options = JobOptions.DEFAULTS.with(0, labels);
        var begun =
                SampleJobs.after(
                        new JobState.Unsubmitted(new JobId("j")),
                        new JobCommand.Submit(SampleJobs.SPEC.withOptions(options), Samples.NOW));
        var step = (Effect.RunStep) Jobs.pending(begun).getFirst();
        var work = TaskSpec.of("work", JsonObject.EMPTY);
        var undo = TaskSpec.of("undo", text());
        var compensated =
                SampleJobs.after(
                        begun,
                        new JobCommand.CompleteStep(
                                step.id(),
                                Action.dispatch(work, Outcomes.on("success", "next"))
                                        .compensatedBy(undo),
                                List.of(),
                                Samples.NOW));
        var approved =
                SampleJobs.after(
                        begun,
                        new JobCommand.CompleteStep(
                                step.id(),
                                Action.awaitApproval("m".repeat(4_000), Outcomes.on("yes", "next")),
                                List.of(),
                                Samples.NOW));
        var plain = new Footprint().of(SampleJobs.submitted("j", Samples.NOW));

        var labelled = new Footprint().of(begun);
        assertThat(labelled - plain).isBetween(50 * 400L, 50 * 700L);
        assertThat(new Footprint().of(compensated) - labelled).isGreaterThan(CHARACTERS);
        assertThat(new Footprint().of(approved) - labelled).isGreaterThan(4_000);
    }

    /// Trap: what branches take waits no more, and is in memory all the same.
    @Test
    void aSignalThatABranchHasTaken_isInTheMemoryOfTheJob() {
        var begun = SampleJobs.submitted("j", Samples.NOW);
        var step = (Effect.RunStep) Jobs.pending(begun).getFirst();
        var waiting =
                SampleJobs.after(
                        begun,
                        new JobCommand.CompleteStep(
                                step.id(),
                                Action.awaitSignal("go", "went"),
                                List.of(),
                                Samples.NOW));

        var taken =
                SampleJobs.after(
                        waiting,
                        new JobCommand.Signal("go", "s", Payload.of(text()), "ben", Samples.NOW));

        // Once in the data, and once as what the branch has taken.
        assertThat(new Footprint().of(taken)).isGreaterThan(2L * CHARACTERS);
    }

    private static JsonObject text() {
        return JsonObject.of("text", JsonValue.of("x".repeat(CHARACTERS)));
    }

    private static Job parent() {
        var begun = SampleJobs.submitted("j", Samples.NOW);
        var step = (Effect.RunStep) Jobs.pending(begun).getFirst();
        var run = Action.runBlueprints("film", List.of(text(), JsonObject.EMPTY), "done");
        return SampleJobs.after(
                begun, new JobCommand.CompleteStep(step.id(), run, List.of(), Samples.NOW));
    }

    private static Job ended(Job parent) {
        var child = parent.children().children().get(0);
        var confirmed =
                SampleJobs.after(
                        parent,
                        new JobCommand.ConfirmChild(child.number(), child.start(), Samples.NOW));
        var report = new ChildReport(Outcomes.FINISHED, Payload.of(text()), 1, Optional.empty());
        return SampleJobs.after(
                confirmed,
                new JobCommand.EndChild(child.number(), child.start(), report, Samples.NOW));
    }
}
