package dev.artel.worker;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskOutcome.Failed;
import dev.artel.waits.Await;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DrainTest {
    private final ScriptedOrchestrator orchestrator =
            ScriptedOrchestrator.granting(Duration.ofSeconds(10));
    private final Gate gate = new Gate();

    private WorkerBuilder builder() {
        return Worker.named("w1")
                .orchestrator(orchestrator.uri(), "secret")
                .longestBackoff(Duration.ofMillis(200))
                .delivery(Await.longest())
                .handle("x", JsonObject.class, (_, _) -> gate.pass())
                .withoutShutdownHook();
    }

    @AfterEach
    void close() {
        gate.open();
        orchestrator.close();
    }

    @Test
    void aClosedWorkerFinishesWhatItHas_andPollsNoMore() throws Exception {
        orchestrator.offer("x", JsonObject.EMPTY);
        var worker = builder().drainTimeout(Await.longest()).build();
        worker.start();
        await().until(() -> gate.inside() == 1);

        var closing = Thread.ofVirtual().start(worker::close);
        await().until(() -> !orchestrator.all("POST", "/drain").isEmpty());
        orchestrator.offer("x", JsonObject.EMPTY);
        gate.open();

        assertThat(worker.awaitStopped(Await.longest())).isTrue();
        assertThat(closing.join(Await.longest())).isTrue();
        assertThat(orchestrator.results)
                .singleElement()
                .satisfies(result ->
                        assertThat(result.outcome())
                                .isEqualTo(TaskOutcome.success(JsonObject.EMPTY)));
        await().untilAsserted(() ->
                assertThat(orchestrator.requests.getLast().is("DELETE", "/_worker/workers/w1"))
                        .as("%s", orchestrator.requests)
                        .isTrue());
    }

    @Test
    void whatIsNotDoneInTime_isATransientFailureAndNotACancellation() {
        orchestrator.offer("x", JsonObject.EMPTY);
        var worker = builder().drainTimeout(Duration.ofMillis(300)).build();
        worker.start();
        await().until(() -> gate.inside() == 1);

        worker.close();

        assertThat(orchestrator.results)
                .singleElement()
                .satisfies(result ->
                        assertThat(result.outcome())
                                .isEqualTo(
                                        new Failed(
                                                TaskOutcome.TRANSIENT_ERROR,
                                                "worker w1 stopped before the task was done")));
        await().until(() -> gate.interrupted() == 1);
    }

    @Test
    void whatHasNotBegun_isReleased() {
        orchestrator.offer("render", JsonObject.EMPTY);
        orchestrator.offer("render", JsonObject.EMPTY);
        var worker =
                builder()
                        .limit("gpu", 1)
                        .handle("render", "gpu", JsonObject.class, (_, _) -> gate.pass())
                        .drainTimeout(Duration.ofSeconds(1))
                        .build();
        worker.start();
        await().until(() -> gate.inside() == 1 && orchestrator.waitingTasks() == 0);

        worker.close();

        // The worker waits a second for the answer.
        await().untilAsserted(
                        () -> assertThat(orchestrator.all("POST", "/tasks/release")).hasSize(1));
        assertThat(orchestrator.results).hasSize(1);
    }

    @Test
    void aWorkerThatNeverReachedItsOrchestrator_closesAtOnce() {
        orchestrator.goAway();
        var worker = builder().build();
        worker.start();

        worker.close();
        worker.close();

        assertThatThrownBy(worker::start).hasMessage("worker w1 was started before");
    }
}
