package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.json.JsonMemory;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class JobRoomTest {
    private static final long MIB = 1 << 20;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void theResultsOfAllTasksOfAJob_haveAnEighthOfTheHeap() {
        var room = new JobRoom(192 * MIB);

        assertThat(room.of(1)).isEqualTo(8 * Payload.INLINE_LIMIT);
        assertThat(room.of(5_000)).isEqualTo(24 * MIB / 5_000);
        assertThat(room.of(100_000)).isEqualTo(1024);
    }

    /// Trap: the results of tasks have a share of the heap, those of children have all of it.
    @Test
    void theResultsOfAllChildrenOfAJob_shareWithThoseOfItsTasks() {
        var inputs = Collections.nCopies(5_000, JsonObject.EMPTY);

        var share = new JobRoom(192 * MIB).ofChild(Optional.of(parentOf(inputs)));

        assertThat(share.isOne()).isTrue();
        assertThat(share.memory()).isBetween(1_500, (int) (24 * MIB / 5_000));
    }

    /// Trap: each further task has a share of the whole room, and a loop of thousands fills the heap.
    @Test
    void theParametersOfTasksOneAfterAnother_haveTheRoomOfTheirJobTogether() {
        var room = new JobRoom(192 * MIB);
        var job = new Loop();
        var kept = 0L;
        for (var i = 0; i < 3_000; i++) {
            var share = room.ofParameters(job.now, 1);
            var text = "x".repeat(share.memory());
            job.task(JsonObject.builder().put("text", text).build());
            kept += JsonMemory.string(text);
        }

        assertThat(kept).isBetween(12 * MIB, 32 * MIB);
        assertThat(room.problem(job.now)).isEmpty();
    }

    @Test
    void aJobThatTakesAQuarterOfTheHeap_doesNotGoOn() {
        var job = new Loop();
        for (var i = 0; i < 50; i++) {
            job.task(JsonObject.builder().put("text", "x".repeat(1 << 20)).build());
        }

        assertThat(new JobRoom(192 * MIB).problem(job.now))
                .hasValueSatisfying(why ->
                        assertThat(why)
                                .startsWith(
                                        "the job takes 50 MB of memory with its 50 tasks and 0 children")
                                .contains("heap of 192 MB"));
        assertThat(new JobRoom(1024 * MIB).problem(job.now)).isEmpty();
    }

    /// A job that gives out one task after another.
    private static final class Loop {
        private static final WorkerId ANNA = new WorkerId("anna");

        Job now = begun();

        /// One that succeeds at once.
        void task(JsonObject params) {
            var step = pending(Effect.RunStep.class);
            accept(
                    new JobCommand.CompleteStep(
                            step.id(),
                            Action.dispatch(
                                    TaskSpec.of("work", params), Outcomes.on("success", "start")),
                            List.of(),
                            NOW));
            var offer = pending(Effect.Offer.class);
            var token = new LeaseToken("token-" + offer.task());
            accept(
                    new JobCommand.Grant(
                            offer.id(),
                            offer.task(),
                            token,
                            ANNA,
                            new Placement(ANNA, "free", List.of(), new LinkedHashMap<>(), 1),
                            NOW));
            accept(
                    new JobCommand.Report(
                            offer.task(),
                            token,
                            ANNA,
                            new TaskReport.Succeeded("success", Payload.EMPTY),
                            0,
                            NOW));
        }

        private void accept(JobCommand command) {
            now = SampleJobs.after(now, command);
        }

        private <E extends Effect> E pending(Class<E> type) {
            return Jobs.pending(now).stream()
                    .filter(type::isInstance)
                    .map(type::cast)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static Job parentOf(List<JsonObject> inputs) {
        return after(Action.runBlueprints("film", inputs, "done"));
    }

    private static Optional<Job> waitingFor(Action action) {
        return Optional.of(after(action));
    }

    private static Job begun() {
        var submit =
                new JobCommand.Submit(
                        SampleJobs.SPEC.withGuards(Guards.DEFAULTS.withTreeSteps(50_000)), NOW);
        return SampleJobs.after(new JobState.Unsubmitted(new JobId("j")), submit);
    }

    private static Job after(Action action) {
        var begun = begun();
        var step = (Effect.RunStep) Jobs.pending(begun).getFirst();
        return SampleJobs.after(
                begun, new JobCommand.CompleteStep(step.id(), action, List.of(), NOW));
    }

    @Test
    void aJobThatIsNotInMemory_mayHaveManyTasks() {
        assertThat(new JobRoom(4096 * MIB).ofTask(Optional.empty(), 0))
                .isEqualTo(new JobRoom.Share(4096, false));
    }

    @Test
    void aTaskThatTheJobDoesNotHave_isNone() {
        var job =
                waitingFor(
                        Action.dispatch(
                                TaskSpec.of("a", JsonObject.EMPTY),
                                Outcomes.on("success", "done")));

        for (var number : new int[] {-1, 1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThat(new JobRoom(4096 * MIB).ofTask(job, number).isOne()).isFalse();
        }
    }

    /// Trap: the members of a result that is alone become data of its job, which a value that is kept apart as a whole has not.
    @Test
    void theResultOfATask_isOneValue_unlessItsMembersBecomeDataOfItsJob() {
        var room = new JobRoom(4096 * MIB);
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
