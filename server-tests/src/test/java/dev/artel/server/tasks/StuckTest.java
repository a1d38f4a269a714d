package dev.artel.server.tasks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.core.watch.Stall;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.engine.shell.StallSettings;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.JobData;
import dev.artel.server.NothingStuck;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Jobs that wait for what cannot happen are found, and set going again where that does no harm.
@Tag(NothingStuck.ON_PURPOSE)
final class StuckTest {
    private static final Blueprint QUICK =
            Blueprint.named("quick")
                    .start("begin", step -> Action.finish(step.initialData()))
                    .build();

    private static StallSettings settings(boolean repeats) {
        return new StallSettings(Duration.ofMillis(20), 50, Duration.ofMillis(300), repeats);
    }

    /// A job of which the engine never heard, so that nobody runs its step.
    private static JobId lost(InMemoryEventStore store) {
        var id = new JobId("lost-1");
        var at = Instant.parse("2026-01-01T00:00:00Z");
        var spec =
                new JobSpec(
                        QUICK.ref(),
                        "begin",
                        "client",
                        JobData.EMPTY,
                        JobOptions.DEFAULTS,
                        JobSpec.CURRENT_RULES);
        var begun =
                (Decision.Accepted)
                        Jobs.decide(new JobState.Unsubmitted(id), new JobCommand.Submit(spec, at));
        var row = JobRow.of((Job) begun.after(), at);
        var _ = store.append(List.of(new Append(StreamId.of(id), 0, begun.events(), row)));
        return id;
    }

    @Test
    void aStepThatNobodyRuns_isFound_andReportedWithWhatToDo() {
        var store = new InMemoryEventStore();
        try (var engine = engine(store)) {
            engine.watchStalls(settings(false));
            var job = lost(store);

            await().untilAsserted(() -> assertThat(engine.stalls()).hasSize(1));

            assertThat(engine.stalls().getFirst())
                    .extracting(Stall::job, Stall::found)
                    .containsExactly(job, "no part of the engine has it");
            assertThat(engine.stalls().getFirst().expected())
                    .contains("the handler of state begin");
            assertThat(NothingStuck.findings()).as("what fails all other tests").isNotEmpty();
        }
    }

    @Test
    void whatWasLost_isSentAgain_andTheJobGoesOn() {
        var store = new InMemoryEventStore();
        try (var engine = engine(store)) {
            engine.watchStalls(settings(true));
            var job = lost(store);

            await().untilAsserted(() -> assertThat(engine.find(job)).get().matches(Job::isFinal));
            await().untilAsserted(() -> assertThat(engine.stalls()).isEmpty());
        }
    }

    @Test
    void aHealthyOrchestrator_saysThatNothingIsStuck() {
        try (var node = TestNodes.inMemory()) {
            var client = TestClient.of(node);
            var job = client.submit("{\"blueprint\":\"echo\"}");

            assertThat(client.get("/api/v1/stuck").items().isEmpty()).isTrue();
            assertThat(client.get("/api/v1/jobs/" + job + "/explain").object().has("stuck"))
                    .isFalse();
            assertThat(client.get("/metrics").text()).contains("artel_stuck 0.0");
        }
    }

    private static LocalEngine engine(InMemoryEventStore store) {
        return LocalEngine.start(
                EngineConfig.DEFAULTS,
                store,
                new InMemoryPayloadStore(),
                Blueprints.of(QUICK),
                InstantSource.system());
    }
}
