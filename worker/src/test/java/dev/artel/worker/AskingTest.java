package dev.artel.worker;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.protocol.QuestionAnswer;
import dev.artel.protocol.TaskOutcome;
import dev.artel.worker.ScriptedOrchestrator.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Handlers that ask before they go on.
final class AskingTest {
    private final ScriptedOrchestrator orchestrator =
            ScriptedOrchestrator.granting(Duration.ofSeconds(10));

    /// What the orchestrator answers to a worker that asks.
    private final AtomicReference<Reply> reply =
            new AtomicReference<>(Reply.message(new QuestionAnswer.Parked(4)));

    AskingTest() {
        orchestrator.always(request -> request.is("POST", "/question") ? reply.get() : null);
    }

    private WorkerBuilder builder() {
        return Worker.named("w1")
                .orchestrator(orchestrator.uri(), "secret")
                .longestBackoff(Duration.ofMillis(100))
                .maxConcurrentTasks(1)
                .handle(
                        "pay",
                        JsonObject.class,
                        (_, task) ->
                                Result.success(
                                        JsonObject.of(
                                                "from",
                                                JsonValue.of(
                                                        task.ask(
                                                                "Which account?",
                                                                "savings",
                                                                "current")))))
                .handle("echo", JsonObject.class, (params, _) -> Result.success(params))
                .withoutShutdownHook();
    }

    private void awaitQuestion() {
        await().until(() -> !orchestrator.all("POST", "/question").isEmpty());
    }

    @AfterEach
    void close() {
        orchestrator.close();
    }

    @Test
    void aHandlerThatAsks_hasTheAnswer_andItsWorkerDoesOtherThingsMeanwhile() {
        try (var worker = builder().build()) {
            worker.start();
            var id = orchestrator.offer("pay", JsonObject.EMPTY);
            awaitQuestion();

            orchestrator.offer("echo", JsonObject.EMPTY);
            await().until(() -> orchestrator.results.size() == 1);
            reply.set(Reply.message(new QuestionAnswer.Answered("savings")));
            await().until(() -> orchestrator.results.size() == 2);

            assertThat(orchestrator.results.getLast().outcome())
                    .isEqualTo(TaskOutcome.success(JsonObject.of("from", JsonValue.of("savings"))));
            var asked =
                    orchestrator
                            .all("POST", "/_worker/workers/w1/tasks/" + id + "/question")
                            .getFirst()
                            .json();
            assertThat(asked.string("lease_token")).contains("lease-" + id);
            assertThat(asked.string("question")).contains("Which account?");
            assertThat(asked.toString()).contains("\"choices\":[\"savings\",\"current\"]");
        }
    }

    /// The orchestrator may be away for as long as it likes.
    @Test
    void aQuestionIsAskedUntilItArrives_asTheSame() {
        reply.set(Reply.of(503, "{\"error\":\"not now\"}"));
        try (var worker = builder().build()) {
            worker.start();
            orchestrator.offer("pay", JsonObject.EMPTY);
            await().until(() -> orchestrator.all("POST", "/question").size() > 1);
            reply.set(Reply.message(new QuestionAnswer.Answered("current")));
            await().until(() -> orchestrator.results.size() == 1);
        }
        assertThat(orchestrator.all("POST", "/question"))
                .extracting(request -> request.json().string("id"))
                .containsOnly(orchestrator.all("POST", "/question").getFirst().json().string("id"));
    }

    @Test
    void whoseAttemptIsOver_isInterrupted_andReportsNothing() {
        reply.set(Reply.message(new QuestionAnswer.Ignored(QuestionAnswer.Ignored.STALE)));
        try (var worker = builder().build()) {
            worker.start();
            orchestrator.offer("pay", JsonObject.EMPTY);
            awaitQuestion();

            orchestrator.offer("echo", JsonObject.EMPTY);
            await().until(() ->
                    orchestrator.results.stream()
                            .anyMatch(it ->
                                    it.outcome().equals(TaskOutcome.success(JsonObject.EMPTY))));
        }
        assertThat(orchestrator.all("POST", "/question")).hasSize(1);
        assertThat(orchestrator.results)
                .noneMatch(it -> it.outcome().toString().contains("Which account?\"}"));
    }

    @Test
    void aQuestionThatIsNotTaken_isAFailureThatSaysWhy() {
        reply.set(Reply.message(new QuestionAnswer.Ignored("50 questions were answered")));
        try (var worker = builder().build()) {
            worker.start();
            orchestrator.offer("pay", JsonObject.EMPTY);
            await().until(() -> orchestrator.results.size() == 1);
        }
        assertThat(orchestrator.results.getFirst().outcome().toString())
                .contains("50 questions were answered");
    }

    @Test
    void anOrchestratorThatTakesNoQuestions_isAFailureThatNamesIt() {
        reply.set(Reply.of(404, "not found"));
        try (var worker = builder().build()) {
            worker.start();
            orchestrator.offer("pay", JsonObject.EMPTY);
            await().until(() -> orchestrator.results.size() == 1);
        }
        assertThat(orchestrator.results.getFirst().outcome().toString())
                .contains("this orchestrator takes no questions");
    }

    /// Trap: a worker that is stopped for the night fails what people have not answered in the evening.
    @Test
    void aWorkerThatStops_givesBackWhatWaitsForAnAnswer() {
        var worker = builder().drainTimeout(Duration.ofSeconds(5)).build();
        worker.start();
        var id = orchestrator.offer("pay", JsonObject.EMPTY);
        awaitQuestion();

        worker.close();

        // The worker waits a second for the answer.
        await().untilAsserted(() ->
                assertThat(orchestrator.all("POST", "/release"))
                        .singleElement()
                        .satisfies(release ->
                                assertThat(release.body())
                                        .contains("lease-" + id, "question waits on")));
        assertThat(orchestrator.results).isEmpty();
    }

    @Test
    void aLimit_isSent() {
        reply.set(Reply.message(new QuestionAnswer.Answered("yes")));
        try (var worker =
                builder()
                        .handle(
                                "hurry",
                                JsonObject.class,
                                (_, task) ->
                                        Result.success(
                                                JsonObject.of(
                                                        "answer",
                                                        JsonValue.of(
                                                                task.ask(
                                                                        "Now?",
                                                                        List.of(),
                                                                        Optional.of(
                                                                                Duration.ofMinutes(
                                                                                        5)))))))
                        .build()) {
            worker.start();
            orchestrator.offer("hurry", JsonObject.EMPTY);
            await().until(() -> orchestrator.results.size() == 1);
        }
        assertThat(orchestrator.all("POST", "/question").getFirst().body())
                .contains("\"answer_within_ms\":300000")
                .doesNotContain("choices");
    }
}
