package dev.artel.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.Payload;
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
