package dev.artel.e2e.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.e2e.python.PythonWorker.Generation;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Workers of the first generations, unmodified, in Python with aiohttp.
@Timeout(Await.HUNG)
@Execution(ExecutionMode.CONCURRENT)
final class OldWorkersTest {
    private static final JsonObject NONE = JsonObject.EMPTY;

    @TempDir Path folder;
    private Node node;

    @BeforeEach
    void start() {
        OptionalService.PYTHON_AIOHTTP.assumePresent();
        node = new Node(folder, Node.Terms.PATIENT);
    }

    /// Before a test in which a worker is given up.
    private void useShortTerms() {
        node.close();
        node = new Node(folder, Node.Terms.SHORT);
    }

    @AfterEach
    void stop() {
        if (node != null) {
            node.close();
        }
    }

    /// Trap: results are refused, the socket is not found, the rate limit ends every worker.
    @ParameterizedTest
    @EnumSource
    void aTask_isDone_andItsResultTaken(Generation generation) throws Exception {
        try (var worker = node.worker(generation, "w1", Map.of())) {
            var job = node.submit("echo", JsonObject.of("x", JsonValue.of(1)));

            var document = node.await(job, "finished");

            assertThat(document.string("current_state")).contains("end");
            assertThat(document.toString()).contains("\"echoed\":{\"x\":1}");
            assertThat(worker.await("answered", 1).getFirst().string("text"))
                    .contains("{\"status\":\"result_accepted_success\"}");
            assertThat(worker.events("heartbeat refused")).isEmpty();
            assertThat(worker.events("poll failed")).isEmpty();
            var known = node.worker("w1");
            assertThat(known.number("reputation").map(JsonNumber::asDouble)).contains(1.0);
            assertThat(known.toString()).doesNotContain(":99");
        }
    }

    /// Trap: tasks that were queued for a worker beforehand run over its slots. At no moment it is to have more of them than it declared
    /// slots, by its own account and by that of the history. Limits that it keeps for some types and does not declare
    /// hold only from its next heartbeat on.
    @ParameterizedTest
    @EnumSource
    void twentyTasks_runInParallel_andNeverOverItsSlots(Generation generation) throws Exception {
        var limits = Map.of("TASK_TYPE_LIMITS", "{\"sleep\":2}", "MAX_CONCURRENT_TASKS", "6");
        try (var worker = node.worker(generation, "w1", limits)) {
            worker.await("registered", 1);
            var naps = submitTwenty("nap", 150);

            node.await(naps, "finished");

            worker.await("answered", 20);
            var begun = worker.events("begun");
            assertThat(begun).hasSize(20);
            assertThat(begun).noneMatch(event -> number(event, "running") > 6);
            assertThat(mostAtOnce(naps)).as("leases at once").isLessThanOrEqualTo(6);
            assertThat(begun).anyMatch(event -> number(event, "of_label") == 2);
            assertThat(worker.events("answered"))
                    .hasSize(20)
                    .allMatch(event -> number(event, "status") == 200);
        }
    }

    /// How many tasks of a job were with workers at once, at most.
    private int mostAtOnce(String job) throws Exception {
        var held = 0;
        var most = 0;
        for (var event : node.history(job)) {
            held +=
                    switch (event.string("type").orElseThrow()) {
                        case "lease.granted" -> 1;
                        case "lease.lost",
                                "lease.returned",
                                "attempt.failed",
                                "task.failed",
                                "task.succeeded" ->
                                -1;
                        default -> 0;
                    };
            most = Math.max(most, held);
        }
        return most;
    }

    private String submitTwenty(String type, int millis) throws Exception {
        return node.submit(
                JsonObject.builder()
                        .put("type", type)
                        .put("params", JsonObject.of("millis", JsonValue.of(millis)))
                        .put("count", 20)
                        .build());
    }

    /// Trap: a result whose answer is lost comes twice, and counts twice.
    @ParameterizedTest
    @EnumSource
    void aResultWhoseAnswerIsLost_comesAgain_andCountsOnce(Generation generation) throws Exception {
        try (var worker = node.worker(generation, "w1", Map.of("LOSE_ANSWERS", "1"))) {
            var job = node.submit("echo", NONE);

            node.await(job, "finished");

            var answers = worker.await("answered", 2);
            assertThat(answers).allMatch(answer -> number(answer, "status") == 200);
            assertThat(node.history(job, "task.succeeded")).hasSize(1);
        }
    }

    /// Trap: a worker of the first generations registers once; after a restart of the orchestrator it is unknown.
    @ParameterizedTest
    @EnumSource
    void aRestartInTheMiddleOfATask_isOnlyAPause(Generation generation) throws Exception {
        try (var worker = node.worker(generation, "w1", Map.of("TASK_POLL_TIMEOUT", "6"))) {
            var job = node.submit("nap", JsonObject.of("millis", JsonValue.of(2500)));
            worker.await("begun", 1);

            node.restart();
            var next = node.submit("echo", NONE);

            node.await(job, "finished");
            node.await(next, "finished");
            if (generation != Generation.FLAT) {
                assertThat(worker.events("registered")).hasSize(1);
            }
            assertThat(node.history(job, "lease.granted")).hasSize(1);
        }
    }

    /// Trap: a worker that polls when it dies takes a task with it.
    @Test
    void aKilledWorker_losesNeitherTheTaskItRan_norOneThatItHadAskedFor() throws Exception {
        useShortTerms();
        String running;
        String polled;
        try (var victim = node.worker(Generation.ALPHA, "victim", Map.of())) {
            running = node.submit("nap", JsonObject.of("millis", JsonValue.of(8000)));
            victim.await("begun", 1);
            awaitPolls("victim", 1);

            victim.kill();
            // Before that its poll would be given the task.
            awaitPolls("victim", 0);
            polled = node.submit("echo", NONE);
        }
        try (var _ = node.worker(Generation.BETA, "survivor", Map.of())) {
            node.await(polled, "finished");
            node.await(running, "finished");

            assertThat(node.lost(running, "victim")).isEqualTo(1);
            assertThat(node.lost(polled, "victim")).isZero();
            Await.await()
                    .until(
                            () -> node.worker("victim").string("state").orElse(""),
                            "offline"::equals);
        }
    }

    private void awaitPolls(String worker, long count) {
        Await.await("worker " + worker + " has polls: " + count)
                .until(
                        () -> node.worker(worker).number("waiting_polls").map(JsonNumber::asLong),
                        Optional.of(count)::equals);
    }

    /// Trap: the end of a worker is reported as if somebody had cancelled its tasks, and ends their jobs.
    @ParameterizedTest
    @EnumSource(names = {"ALPHA", "BETA"})
    void aWorkerThatIsInterrupted_givesItsTaskUp_andAnotherDoesIt(Generation generation)
            throws Exception {
        String job;
        try (var worker = node.worker(generation, "w1", Map.of())) {
            job = node.submit("nap", JsonObject.of("millis", JsonValue.of(3000)));
            worker.await("begun", 1);

            worker.interrupt();
            worker.awaitEnd();

            assertThat(worker.events("answered").getFirst().string("text"))
                    .contains("{\"status\":\"result_accepted_cancelled\"}");
        }
        try (var _ = node.worker(generation, "w2", Map.of())) {
            node.await(job, "finished");
        }
    }

    @Test
    void aWorkerOfTheFlatGeneration_leavesInOrder_whenItIsInterrupted() throws Exception {
        try (var worker = node.worker(Generation.FLAT, "w1", Map.of())) {
            // It drains for as long.
            var job = node.submit("nap", JsonObject.of("millis", JsonValue.of(10_000)));
            worker.await("begun", 1);

            worker.interrupt();
            node.awaitState("w1", "draining");
            worker.awaitEnd();

            node.await(job, "finished");
            assertThat(node.history(job, "lease.granted")).hasSize(1);
        }
    }

    /// Trap: the socket has another path, the message another key, and the worker never declares that it has a socket.
    @ParameterizedTest
    @EnumSource(names = {"ALPHA", "BETA"})
    void aCancel_reachesAWorkerThroughItsSocket(Generation generation) throws Exception {
        var socket = Map.of("WORKER_ENABLE_WEBSOCKETS", "true");
        try (var worker = node.worker(generation, "w1", socket)) {
            worker.await("socket", 1);
            var job = node.submit("nap", JsonObject.of("millis", JsonValue.of(20_000)));
            worker.await("begun", 1);
            Await.await("progress over the socket")
                    .until(() -> node.get("/api/v1/jobs/" + job + "/tasks/0").has("progress"));

            node.cancel(job);

            node.await(job, "cancelled");
            assertThat(worker.await("cancelled", 1).getFirst().string("how")).contains("socket");
            Await.await().until(() -> state("w1"), "idle"::equals);
        }
    }

    private String state(String worker) throws Exception {
        return node.worker(worker).string("state").orElse("");
    }

    @Test
    void aCancel_reachesAWorkerOfTheFlatGenerationWithItsNextHeartbeat() throws Exception {
        try (var worker = node.worker(Generation.FLAT, "w1", Map.of())) {
            var job = node.submit("nap", JsonObject.of("millis", JsonValue.of(20_000)));
            worker.await("begun", 1);

            node.cancel(job);

            node.await(job, "cancelled");
            assertThat(worker.await("cancelled", 1).getFirst().string("how")).contains("heartbeat");
        }
    }

    /// Trap: a cancel that no worker answers leaves the job waiting forever.
    @Test
    void aCancelThatCannotReachTheWorker_endsTheJob_andTheWorkersResultIsTakenKindly()
            throws Exception {
        try (var worker = node.worker(Generation.ALPHA, "w1", Map.of())) {
            var job =
                    node.submit(
                            JsonObject.builder()
                                    .put("type", "nap")
                                    .put("params", JsonObject.of("millis", JsonValue.of(12_000)))
                                    .build());
            worker.await("begun", 1);

            node.cancel(job);

            node.await(job, "cancelled");
            var answer = worker.await("answered", 1).getFirst();
            assertThat(number(answer, "status")).isEqualTo(200);
            var next = node.submit("echo", NONE);
            node.await(next, "finished");
        }
    }

    /// Trap: a task of a type that no worker has is quarantined within milliseconds.
    @Test
    void aTaskOfATypeThatNobodyOffers_waitsForAWorkerThatDoes() throws Exception {
        try (var one = node.worker(Generation.ALPHA, "w1", Map.of("SKILLS", "echo"))) {
            one.await("registered", 1);
            var job = node.submit("word", JsonObject.of("word", JsonValue.of("rework")));
            var other = node.submit("echo", NONE);
            node.await(other, "finished");
            assertThat(one.events("begun")).hasSize(1);

            try (var _ = node.worker(Generation.BETA, "w2", Map.of("SKILLS", "word"))) {
                node.await(job, "finished");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTypeThatAWorkerOffersAndDoesNotKnow_failsTheTask(Generation generation) throws Exception {
        try (var worker = node.worker(generation, "w1", Map.of("SKILLS", "riddle,echo"))) {
            var job =
                    node.submit(
                            JsonObject.builder().put("type", "riddle").put("attempts", 2).build());

            Await.await("job " + job + " has failed")
                    .until(() -> status(job), List.of("failed", "quarantined")::contains);

            var begun = worker.events("begun");
            assertThat(begun).hasSize(generation == Generation.ALPHA ? 2 : 1);
            assertThat(node.get("/api/v1/jobs/" + job).toString())
                    .contains("Unsupported task: riddle");
            assertThat(worker.await("answered", 1))
                    .allMatch(answer -> number(answer, "status") == 200);
        }
    }

    private String status(String job) throws Exception {
        return node.get("/api/v1/jobs/" + job).string("status").orElse("");
    }

    /// Trap: a handler that returns nothing is answered 400 and sent five times.
    @ParameterizedTest
    @EnumSource
    void aHandlerThatReturnsNothing_hasSucceeded(Generation generation) throws Exception {
        try (var worker = node.worker(generation, "w1", Map.of())) {
            var job = node.submit("nothing", NONE);

            node.await(job, "finished");

            worker.await("answered", 1);
            assertThat(worker.events("answered")).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFailure_isTriedAgain_andAHopelessOneIsNot(Generation generation) throws Exception {
        try (var worker = node.worker(generation, "w1", Map.of())) {
            var broken =
                    node.submit(
                            JsonObject.builder().put("type", "broken").put("attempts", 2).build());
            var hopeless = node.submit("hopeless", NONE);

            for (var job : List.of(broken, hopeless)) {
                Await.await().until(() -> status(job), List.of("failed", "quarantined")::contains);
            }
            assertThat(worker.events("begun")).hasSize(3);
            Await.await("the failures cost reputation")
                    .until(
                            () ->
                                    node.worker("w1")
                                            .number("reputation")
                                            .map(JsonNumber::asDouble)
                                            .orElse(1d),
                            reputation -> reputation < 1);
        }
    }

    @Test
    void anotherWordThanSuccess_choosesAnotherState() throws Exception {
        try (var _ = node.worker(Generation.BETA, "w1", Map.of())) {
            var job = node.submit("word", JsonObject.of("word", JsonValue.of("rework")));

            assertThat(node.await(job, "finished").string("current_state")).contains("another");
        }
    }

    private static long number(JsonObject event, String name) {
        return event.number(name).map(JsonNumber::asLong).orElse(-1L);
    }
}
