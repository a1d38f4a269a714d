package dev.artel.worker;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.worker.ScriptedOrchestrator.Reply;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PollingTest {
    private final ScriptedOrchestrator orchestrator =
            ScriptedOrchestrator.granting(Duration.ofSeconds(10));
    private final Gate gate = new Gate();

    private WorkerBuilder builder() {
        return Worker.named("w1")
                .orchestrator(orchestrator.uri(), "secret")
                .longestBackoff(Duration.ofMillis(200))
                .drainTimeout(Duration.ofSeconds(5))
                .withoutShutdownHook();
    }

    @AfterEach
    void close() {
        gate.open();
        orchestrator.close();
    }

    private int polls() {
        return orchestrator.all("GET", "/tasks/next").size();
    }

    @Test
    void aPollAsksForAsMuchAsThereIsRoomFor_andAFullWorkerDoesNotPoll() {
        for (var i = 0; i < 5; i++) {
            orchestrator.offer("x", JsonObject.EMPTY);
        }

        try (var worker =
                builder()
                        .maxConcurrentTasks(3)
                        .handle("x", JsonObject.class, (_, _) -> gate.pass())
                        .build()) {
            worker.start();
            await().until(() -> gate.inside() == 3);
            var before = polls();

            await().during(Duration.ofMillis(400)).until(() -> polls() == before);
            assertThat(orchestrator.all("GET", "/tasks/next").getFirst().query())
                    .isEqualTo("max=3");

            gate.open();
            await().until(() -> orchestrator.results.size() == 5);
            assertThat(gate.most()).isEqualTo(3);
        }
    }

    @Test
    void anEmptyAnswerThatIsNotHeld_isNotAskedForAgainAtOnce() {
        orchestrator.next(1_000, request -> request.is("GET", "/tasks/next"), Reply.of(204, ""));

        try (var worker =
                builder().handle("x", JsonObject.class, (_, _) -> Result.success()).build()) {
            worker.start();

            var begun = System.nanoTime();
            await().during(Duration.ofSeconds(1))
                    .until(() ->
                            polls()
                                    < 40
                                            * (1
                                                    + Duration.ofNanos(System.nanoTime() - begun)
                                                            .toSeconds()));
            await().until(() -> polls() > 2);
        }
    }

    @Test
    void aRefusalThatNamesATime_isObeyed() {
        orchestrator.next(
                1,
                request -> request.is("GET", "/tasks/next"),
                new Reply(429, "Too Many Requests", Map.of("Retry-After", "1")));

        try (var worker =
                builder().handle("x", JsonObject.class, (_, _) -> Result.success()).build()) {
            worker.start();
            await().until(() -> polls() >= 2);
        }

        var polled = orchestrator.all("GET", "/tasks/next");
        assertThat(Duration.between(polled.get(0).at(), polled.get(1).at()))
                .isGreaterThan(Duration.ofMillis(900));
    }

    @Test
    void answersThatCannotBeRead_doNotEndTheWorker() {
        for (var body :
                new String[] {
                    "",
                    "not json",
                    "[]",
                    "{\"tasks\":7}",
                    "{\"tasks\":[{\"job_id\":1}]}",
                    "{\"job_id\":\"j\"}",
                    "[".repeat(10_000)
                }) {
            orchestrator.next(1, r -> r.is("GET", "/tasks/next"), Reply.of(200, body));
        }
        orchestrator.next(3, r -> r.is("GET", "/tasks/next"), Reply.of(500, "oops"));
        orchestrator.next(3, r -> r.is("GET", "/tasks/next"), Reply.NONE);
        orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker =
                builder().handle("x", JsonObject.class, (_, _) -> Result.success()).build()) {
            worker.start();

            await().until(() -> orchestrator.results.size() == 1);
        }
    }

    @Test
    void aHandOutThatIsRepeated_runsOnce() {
        var id = orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker = builder().handle("x", JsonObject.class, (_, _) -> gate.pass()).build()) {
            worker.start();
            await().until(() -> gate.inside() == 1);
            orchestrator.repeat(id);
            await().until(() -> orchestrator.waitingTasks() == 0);
            // With its next poll the worker has read the answer to the one before.
            var taken = polls();
            await().until(() -> polls() > taken);
            gate.open();
            await().until(() -> !orchestrator.results.isEmpty());
        }

        assertThat(gate.most()).isEqualTo(1);
        assertThat(orchestrator.results).hasSize(1);
    }

    @Test
    void aFullCategory_isNotAdvertised_andItsLimitHoldsWhateverIsHandedOut() {
        for (var i = 0; i < 3; i++) {
            orchestrator.offer("render", JsonObject.EMPTY);
        }

        try (var worker =
                builder()
                        .limit("gpu", 1)
                        .handle("render", "gpu", JsonObject.class, (_, _) -> gate.pass())
                        .handle("echo", JsonObject.class, (_, _) -> Result.success())
                        .build()) {
            worker.start();
            await().until(() -> gate.inside() == 1);
            await().untilAsserted(() ->
                    assertThat(orchestrator.heartbeats())
                            .last()
                            .satisfies(beat ->
                                    assertThat(beat.body())
                                            .contains("\"supported_tasks\":[\"echo\"]")));
            gate.open();
            await().until(() -> !orchestrator.results.isEmpty());
            await().untilAsserted(() ->
                    assertThat(orchestrator.heartbeats())
                            .last()
                            .satisfies(beat ->
                                    assertThat(beat.body())
                                            .contains(
                                                    "\"supported_tasks\":[\"render\",\"echo\"]")));
        }

        assertThat(gate.most()).isEqualTo(1);
    }

    @Test
    void whatComesWithoutAFreeSlot_isGivenBack() {
        orchestrator.offer("render", JsonObject.EMPTY);
        orchestrator.offer("render", JsonObject.EMPTY);

        try (var worker =
                builder()
                        .limit("gpu", 1)
                        .handle("render", "gpu", JsonObject.class, (_, _) -> gate.pass())
                        .build()) {
            worker.start();
            await().until(() -> !orchestrator.all("POST", "/tasks/release").isEmpty());
            gate.open();
            await().until(() -> orchestrator.results.size() == 1);
        }

        assertThat(orchestrator.all("POST", "/tasks/release"))
                .singleElement()
                .satisfies(release -> assertThat(release.body()).contains("no free slot"));
        assertThat(orchestrator.results).hasSize(1);
    }

    @Test
    void severalOrchestratorsAreServedAtATime() {
        try (var other = ScriptedOrchestrator.granting(Duration.ofSeconds(10));
                var worker =
                        builder()
                                .orchestrator(other.uri(), "secret")
                                .maxConcurrentTasks(1)
                                .handle("x", JsonObject.class, (_, _) -> Result.success())
                                .build()) {
            worker.start();
            for (var i = 0; i < 5; i++) {
                orchestrator.offer("x", JsonObject.EMPTY);
                other.offer("x", JsonObject.EMPTY);
            }

            await().until(() -> orchestrator.results.size() == 5 && other.results.size() == 5);
        }
    }
}
