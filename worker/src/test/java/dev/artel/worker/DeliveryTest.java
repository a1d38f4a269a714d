package dev.artel.worker;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskOutcome.Failed;
import dev.artel.worker.ScriptedOrchestrator.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeliveryTest {
    private final ScriptedOrchestrator orchestrator =
            ScriptedOrchestrator.granting(Duration.ofSeconds(10));

    private WorkerBuilder builder() {
        return Worker.named("w1")
                .orchestrator(orchestrator.uri(), "secret")
                .longestBackoff(Duration.ofMillis(200))
                .drainTimeout(Duration.ofSeconds(1))
                .handle("x", JsonObject.class, (_, _) -> Result.success())
                .withoutShutdownHook();
    }

    @AfterEach
    void close() {
        orchestrator.close();
    }

    private static boolean isResults(ScriptedOrchestrator.Request request) {
        return request.is("POST", "/tasks/results");
    }

    private int posts() {
        return (int) orchestrator.requests.stream().filter(DeliveryTest::isResults).count();
    }

    @Test
    void anAnswerThatIsLost_isAskedForAgain() {
        orchestrator.next(2, DeliveryTest::isResults, Reply.NONE);
        orchestrator.next(1, DeliveryTest::isResults, Reply.of(503, ""));
        orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> !orchestrator.results.isEmpty());
        }

        assertThat(posts()).isEqualTo(4);
    }

    @Test
    void resultsOutliveTheLossOfTheOrchestrator_whichIsServedAgainWhenItIsBack() {
        var gate = new Gate();
        var worker = builder().handle("slow", JsonObject.class, (_, _) -> gate.pass()).build();
        try (worker) {
            worker.start();
            orchestrator.offer("slow", JsonObject.EMPTY);
            await().until(() -> gate.inside() == 1);
            orchestrator.goAway();
            gate.open();
            await().until(() -> gate.inside() == 0);
            orchestrator.comeBack();

            await().until(() -> orchestrator.results.size() == 1);
            orchestrator.offer("x", JsonObject.EMPTY);
            await().until(() -> orchestrator.results.size() == 2);
        }
    }

    @Test
    void aSlotIsFreeBeforeItsResultIsDelivered() {
        var isRefusing = new AtomicBoolean(true);
        orchestrator.always(
                request -> isResults(request) && isRefusing.get() ? Reply.of(503, "") : null);
        for (var i = 0; i < 5; i++) {
            orchestrator.offer("x", JsonObject.EMPTY);
        }

        try (var worker = builder().maxConcurrentTasks(1).build()) {
            worker.start();
            await().until(() -> orchestrator.waitingTasks() == 0);
            assertThat(orchestrator.results).isEmpty();
            isRefusing.set(false);

            await().until(() -> orchestrator.results.size() == 5);
        }
    }

    @Test
    void whatIsRefusedForGood_isGivenUp_andItsNeighboursAreNot() {
        orchestrator.always(request ->
                isResults(request) && request.body().contains("\"t-2\"")
                        ? Reply.of(400, "{\"error\":\"no\"}")
                        : null);
        var gate = new Gate();

        try (var worker = builder().handle("y", JsonObject.class, (_, _) -> gate.pass()).build()) {
            worker.start();
            for (var i = 0; i < 4; i++) {
                orchestrator.offer("y", JsonObject.EMPTY);
            }
            await().until(() -> gate.inside() == 4);
            gate.open();
            await().until(() -> orchestrator.results.size() == 3);
        }

        assertThat(orchestrator.results)
                .extracting(result -> result.taskId())
                .containsExactlyInAnyOrder("t-1", "t-3", "t-4");
    }

    @Test
    void aResultThatIsTooLarge_becomesAFailure() {
        orchestrator.next(1, DeliveryTest::isResults, Reply.of(413, ""));
        orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> !orchestrator.results.isEmpty());
        }

        assertThat(orchestrator.results.getFirst().outcome())
                .isInstanceOfSatisfying(
                        Failed.class,
                        failure -> {
                            assertThat(failure.code()).isEqualTo(TaskOutcome.PERMANENT_ERROR);
                            assertThat(failure.message()).contains("too large");
                        });
    }

    @Test
    void aWorkerThatCannotReport_takesNoMoreTasks() {
        var isRefusing = new AtomicBoolean(true);
        orchestrator.always(
                request -> isResults(request) && isRefusing.get() ? Reply.of(503, "") : null);
        for (var i = 0; i < 10; i++) {
            orchestrator.offer("x", JsonObject.EMPTY);
        }

        try (var worker = builder().maxConcurrentTasks(2).unconfirmedResults(2).build()) {
            worker.start();
            await().during(Duration.ofMillis(500)).until(() -> orchestrator.waitingTasks() >= 4);
            isRefusing.set(false);

            await().until(() -> orchestrator.results.size() == 10);
        }
    }

    @Test
    void resultsInADirectory_outliveTheProcess(@TempDir Path directory) throws Exception {
        orchestrator.always(request -> isResults(request) ? Reply.of(503, "") : null);
        orchestrator.offer("x", JsonObject.EMPTY);
        var first = builder().keepResultsIn(directory).delivery(Duration.ofMillis(100)).build();
        first.start();
        await().until(() -> posts() > 0);
        first.close();
        try (var second = ScriptedOrchestrator.granting(Duration.ofSeconds(10))) {
            Files.move(
                    onlyFolder(directory),
                    directory.resolve(second.uri().toString().replaceAll("[^A-Za-z0-9.]+", "-")));

            try (var worker =
                    Worker.named("w1")
                            .orchestrator(second.uri(), "")
                            .keepResultsIn(directory)
                            .handle("x", JsonObject.class, (_, _) -> Result.success())
                            .withoutShutdownHook()
                            .build()) {
                worker.start();
                await().until(() -> second.results.size() == 1);
            }
        }

        try (var left = Files.list(onlyFolder(directory))) {
            assertThat(left).isEmpty();
        }
    }

    private static Path onlyFolder(Path directory) throws Exception {
        try (var folders = Files.list(directory)) {
            return folders.findFirst().orElseThrow();
        }
    }
}
