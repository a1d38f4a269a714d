package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ResultRoomTest {
    private static final long MIB = 1 << 20;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void theResultsOfAllTasksOfAJob_haveAnEighthOfTheHeap() {
        var room = new ResultRoom(192 * MIB);

        assertThat(room.of(1)).isEqualTo(8 * Payload.INLINE_LIMIT);
        assertThat(room.of(5_000)).isEqualTo(24 * MIB / 5_000);
        assertThat(room.of(100_000)).isEqualTo(1024);
    }

    /// Trap: the results of tasks have a share of the heap, those of children have all of it.
    @Test
    void theResultsOfAllChildrenOfAJob_shareWithThoseOfItsTasks() {
        var inputs = Collections.nCopies(5_000, JsonObject.EMPTY);

        var share = new ResultRoom(192 * MIB).ofChild(Optional.of(parentOf(inputs)));

        assertThat(share).isEqualTo(new ResultRoom.Share((int) (24 * MIB / 5_000), true));
    }

    private static Job parentOf(List<JsonObject> inputs) {
        return after(Action.runBlueprints("film", inputs, "done"));
    }

    private static Optional<Job> waitingFor(Action action) {
        return Optional.of(after(action));
    }

    private static Job after(Action action) {
        var submit =
                new JobCommand.Submit(
                        SampleJobs.SPEC.withGuards(Guards.DEFAULTS.withTreeSteps(50_000)), NOW);
        var begun = SampleJobs.after(new JobState.Unsubmitted(new JobId("j")), submit);
        var step = (Effect.RunStep) Jobs.pending(begun).getFirst();
        return SampleJobs.after(
                begun, new JobCommand.CompleteStep(step.id(), action, List.of(), NOW));
    }

    @Test
    void aJobThatIsNotInMemory_mayHaveManyTasks() {
        assertThat(new ResultRoom(4096 * MIB).ofTask(Optional.empty(), 0))
                .isEqualTo(new ResultRoom.Share(4096, false));
    }

    /// Trap: the members of a result that is alone become data of its job, which a value that is kept apart as a whole has not.
    @Test
    void theResultOfATask_isOneValue_unlessItsMembersBecomeDataOfItsJob() {
        var room = new ResultRoom(4096 * MIB);
        var spec = TaskSpec.of("render", JsonObject.EMPTY);

        assertThat(
                        room.ofTask(
                                        waitingFor(
                                                Action.dispatch(
                                                        spec, Outcomes.on("success", "done"))),
                                        0)
                                .isOne())
                .isFalse();
        assertThat(
                        room.ofTask(
                                        waitingFor(
                                                Action.dispatch(
                                                        spec.withResultAs("image"),
                                                        Outcomes.on("success", "done"))),
                                        0)
                                .isOne())
                .isTrue();
        assertThat(
                        room.ofTask(
                                        waitingFor(
                                                Action.dispatchParallel(
                                                        List.of(spec, spec), "done")),
                                        1)
                                .isOne())
                .isTrue();
    }
}
