package dev.artel.worker;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.protocol.TaskOutcome;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LeasesTest {
    private static final Duration TERM = Duration.ofMillis(1_800);

    private final ScriptedOrchestrator orchestrator = ScriptedOrchestrator.granting(TERM);
    private final Gate gate = new Gate();

    private WorkerBuilder builder() {
        return Worker.named("w1")
                .orchestrator(orchestrator.uri(), "secret")
                .longestBackoff(Duration.ofMillis(200))
                .drainTimeout(Duration.ofSeconds(5))
                .handle("x", JsonObject.class, (_, _) -> gate.pass())
                .withoutShutdownHook();
    }

    @AfterEach
    void close() {
        gate.open();
        orchestrator.close();
    }

    @Test
    void aLeaseIsRenewedAtAThirdOfItsTerm() {
        orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> orchestrator.all("POST", "/renew").size() >= 4);
            gate.open();
        }

        var renewals = orchestrator.all("POST", "/renew");
        assertThat(renewals.getFirst().body()).contains("\"lease-t-1\"");
        assertThat(between(renewals, 0, 3)).isGreaterThan(Duration.ofMillis(1_200));
        // One of them may be late, since the machine stands still for a while.
        assertThat(IntStream.range(0, 3).mapToObj(i -> between(renewals, i, i + 1)))
                .anyMatch(pause -> pause.compareTo(TERM) < 0);
    }

    private static Duration between(
            List<ScriptedOrchestrator.Request> requests, int first, int second) {
        return Duration.between(requests.get(first).at(), requests.get(second).at());
    }

    @Test
    void aTaskWhoseLeaseIsLost_isInterrupted_andItsOutcomeDropped() {
        orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> gate.inside() == 1);
            orchestrator.loseLease("lease-t-1");

            await().until(() -> gate.interrupted() == 1);
        }

        assertThat(orchestrator.results).isEmpty();
    }

    @Test
    void aCancelInTheAnswerToARenewal_interruptsAndIsReported() {
        var id = orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> gate.inside() == 1);
            orchestrator.cancel(id);

            await().until(() -> orchestrator.results.size() == 1);
        }

        assertThat(orchestrator.results.getFirst().outcome())
                .isEqualTo(new TaskOutcome.CancelledByWorker());
    }

    @Test
    void aHandlerThatEndsInSpiteOfACancel_isReportedAsItEnded() {
        var id = orchestrator.offer("stubborn", JsonObject.EMPTY);

        try (var worker =
                builder()
                        .handle(
                                "stubborn",
                                JsonObject.class,
                                (_, task) -> {
                                    await().until(task::isCancelled);
                                    return Result.success();
                                })
                        .build()) {
            worker.start();
            orchestrator.cancel(id);

            await().until(() -> orchestrator.results.size() == 1);
        }
    }

    @Test
    void progressTravelsWithARenewal() {
        orchestrator.offer("p", JsonObject.EMPTY);

        try (var worker =
                builder()
                        .handle(
                                "p",
                                JsonObject.class,
                                (_, task) -> {
                                    task.progress(0.1, "begun");
                                    task.progress(0.5, "halfway");
                                    return gate.pass();
                                })
                        .build()) {
            worker.start();
            await().untilAsserted(() ->
                    assertThat(orchestrator.all("POST", "/renew"))
                            .anySatisfy(renewal ->
                                    assertThat(renewal.body())
                                            .contains("\"progress\":0.5", "halfway")));
            gate.open();
        }
    }
}
