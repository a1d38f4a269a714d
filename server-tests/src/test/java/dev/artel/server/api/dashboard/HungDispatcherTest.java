package dev.artel.server.api.dashboard;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.api.figures.TaskTimes;
import dev.artel.server.api.figures.Throughput;
import dev.artel.server.api.jobs.JobCounts;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import dev.artel.waits.Await;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The overview while the dispatcher does not answer.
final class HungDispatcherTest {
    private static final InstantSource CLOCK = InstantSource.system();

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final CountDownLatch hung = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    private static Blueprint paint() {
        return Blueprint.named("paint")
                .start(
                        "begin",
                        _ ->
                                Action.dispatch(
                                        TaskSpec.of("paint", JsonObject.EMPTY),
                                        Outcomes.on("success", "end")))
                .leadingTo("end")
                .end("end")
                .build();
    }

    private void hang() {
        hung.countDown();
        try {
            release.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /// Trap: each reader waits for the dispatcher in turn, for as long as the longest answer may take.
    @Test
    @Timeout(Await.HUNG)
    void theOverview_isTheLastOne_andSoonThere() throws Exception {
        try (var engine =
                LocalEngine.start(
                        EngineConfig.DEFAULTS,
                        store,
                        new InMemoryPayloadStore(),
                        Blueprints.of(paint()),
                        CLOCK)) {
            engine.observeDispatch((_, _) -> hang());
            var overview =
                    new Overview(
                            () -> engine,
                            new JobCounts(store),
                            new Throughput(CLOCK.instant()),
                            new TaskTimes(CLOCK),
                            new OpenNeeds(store, CLOCK),
                            CLOCK);
            var _ =
                    engine.submit(
                            new Submission(
                                    "paint",
                                    "alice",
                                    JsonObject.EMPTY,
                                    Optional.empty(),
                                    JobOptions.DEFAULTS));
            await().until(() -> overview.text().contains("\"queued\":1"));
            var before = overview.text();

            var worker = new WorkerId("w");
            engine.joined(WorkerProfile.of(worker, List.of("paint"), 1));
            // The thread that asks does the work of the dispatcher.
            Thread.startVirtualThread(() -> engine.ask(1, worker, 1));
            hung.await();

            try {
                var begun = System.nanoTime();
                assertThat(engine.survey()).isEmpty();
                assertThat(overview.text()).isEqualTo(before);
                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .isLessThan(EngineConfig.DEFAULTS.answerLimit());
            } finally {
                release.countDown();
            }
            await().untilAsserted(() ->
                    assertThat(overview.text()).contains("\"queued\":0", "\"leased\":1"));
        }
    }
}
