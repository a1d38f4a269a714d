package dev.artel.worker;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.waits.Await;
import dev.artel.worker.ScriptedOrchestrator.Reply;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The worker against an orchestrator that knows none of the extensions.
final class FirstGenerationTest {
    private final ScriptedOrchestrator orchestrator = ScriptedOrchestrator.ofTheFirstGeneration();
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
    void resultsAreDeliveredOneByOne_andNoExtensionIsUsed() {
        gate.open();
        for (var i = 0; i < 5; i++) {
            orchestrator.offer("x", JsonObject.EMPTY);
        }

        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> orchestrator.results.size() == 5);
        }

        assertThat(orchestrator.results)
                .contains(
                        new TaskResult(
                                "j-t-1", "t-1", "w1", null, TaskOutcome.success(JsonObject.EMPTY)));
        assertThat(orchestrator.requests)
                .noneMatch(request -> request.path().endsWith("/results"))
                .noneMatch(request -> request.path().endsWith("/renew"))
                .noneMatch(request -> request.path().endsWith("/drain"));
    }

    @Test
    void anOrchestratorThatReadsTheOlderHeaderAlone_knowsTheWorker() {
        orchestrator.always(request ->
                request.tokens().getLast().equals("secret")
                        ? null
                        : Reply.of(401, "{\"error\":\"Missing X-Worker-Token header\"}"));
        gate.open();
        orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> orchestrator.results.size() == 1);
        }

        assertThat(orchestrator.requests)
                .allSatisfy(request ->
                        assertThat(request.tokens()).containsExactly("Bearer secret", "secret"));
    }

    @Test
    void aResultForAnUnknownJob_isGivenUp_butAMissingRouteIsNot() {
        gate.open();
        orchestrator.next(1, r -> r.is("POST", "/tasks/result"), Reply.of(404, "404: Not Found"));
        orchestrator.always(request ->
                request.is("POST", "/tasks/result") && request.body().contains("\"t-1\"")
                        ? Reply.of(404, "{\"error\":\"Job not found\"}")
                        : null);
        orchestrator.offer("x", JsonObject.EMPTY);
        orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> orchestrator.results.size() == 1);
        }

        assertThat(orchestrator.results).extracting(TaskResult::taskId).containsExactly("t-2");
        assertThat(orchestrator.all("POST", "/tasks/result")).hasSize(3);
    }

    @Test
    void aFullWorkerReportsIt_andSilenceIsAnEmptyHeartbeat() {
        orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker =
                builder().heartbeat(Duration.ofMillis(300)).maxConcurrentTasks(1).build()) {
            worker.start();
            await().until(() -> gate.inside() == 1);
            await().untilAsserted(() ->
                    assertThat(orchestrator.heartbeats())
                            .anySatisfy(beat ->
                                    assertThat(beat.body())
                                            .contains("\"busy\"", "\"supported_tasks\":[]")));
            await().untilAsserted(() ->
                    assertThat(orchestrator.heartbeats())
                            .anySatisfy(beat -> assertThat(beat.body()).isEmpty()));
            gate.open();
        }
    }

    @Test
    void aCancelInTheAnswerToAHeartbeat_isObeyed() {
        var id = orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker = builder().heartbeat(Duration.ofMillis(200)).build()) {
            worker.start();
            await().until(() -> gate.inside() == 1);
            orchestrator.cancel(id);

            await().until(() -> orchestrator.results.size() == 1);
        }

        assertThat(orchestrator.results.getFirst().outcome())
                .isEqualTo(new TaskOutcome.CancelledByWorker());
    }

    @Test
    void aHeartbeatThatIsRefused_isFollowedBySilence() {
        orchestrator.next(
                1, request -> request.method().equals("PATCH"), Reply.of(429, "Too Many Requests"));

        try (var worker = builder().heartbeat(Duration.ofMillis(100)).build()) {
            worker.start();
            await().until(() -> orchestrator.heartbeats().size() == 1);

            await().during(Duration.ofSeconds(1))
                    .until(() -> orchestrator.heartbeats().size() == 1);
        }
    }

    @Test
    void whatTheLastPollBrings_isDoneBeforeTheWorkerEnds() throws Exception {
        gate.open();
        var worker = builder().drainTimeout(Await.longest()).build();
        worker.start();
        await().until(() -> !orchestrator.all("GET", "/tasks/next").isEmpty());

        var closing = Thread.ofVirtual().start(worker::close);
        // A worker whose poll has just ended may be gone before it has anything to send.
        await().until(() -> !orchestrator.heartbeats().isEmpty() || !closing.isAlive());
        orchestrator.offer("x", JsonObject.EMPTY);

        assertThat(closing.join(Await.longest())).isTrue();
        assertThat(orchestrator.waitingTasks() + orchestrator.results.size()).isEqualTo(1);
    }
}
