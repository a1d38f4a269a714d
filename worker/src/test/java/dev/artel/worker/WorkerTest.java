package dev.artel.worker;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskOutcome.Failed;
import dev.artel.protocol.TaskResult;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WorkerTest {
    private final ScriptedOrchestrator orchestrator =
            ScriptedOrchestrator.granting(Duration.ofSeconds(10));

    record Sum(int a, int b) {}

    record Total(long totalSum) {}

    /// Handlers in the other form.
    static final class Calculator {
        @Handles(value = "double_it", category = "light")
        Total twice(Sum sum) {
            return new Total(2L * (sum.a + sum.b));
        }

        @Handles("note")
        void note(TaskContext task) {
            assertThat(task.attempt()).isEqualTo(1);
        }
    }

    private WorkerBuilder builder() {
        return Worker.named("w1")
                .orchestrator(orchestrator.uri(), "secret")
                .longestBackoff(Duration.ofMillis(100))
                .withoutShutdownHook();
    }

    @AfterEach
    void close() {
        orchestrator.close();
    }

    private TaskOutcome outcomeOf(String type, JsonObject params, WorkerBuilder builder) {
        try (var worker = builder.build()) {
            worker.start();
            orchestrator.offer(type, params);
            await().until(() -> !orchestrator.results.isEmpty());
            return orchestrator.results.getFirst().outcome();
        }
    }

    private static JsonObject sum(int a, int b) {
        return JsonObject.of("a", JsonNumber.of(a), "b", JsonNumber.of(b));
    }

    @Test
    void aTaskIsDone_andItsResultNamesTheLease() {
        try (var worker =
                builder()
                        .handle(
                                "add",
                                Sum.class,
                                (sum, _) -> Result.successOf(new Total(sum.a + sum.b)))
                        .build()) {
            worker.start();
            orchestrator.offer("add", sum(1, 2));
            await().until(() -> !orchestrator.results.isEmpty());
        }

        assertThat(orchestrator.results)
                .containsExactly(
                        new TaskResult(
                                "j-t-1",
                                "t-1",
                                "w1",
                                "lease-t-1",
                                TaskOutcome.success(JsonObject.of("total_sum", JsonNumber.of(3)))));
    }

    @Test
    void markedMethodsAreHandlers() {
        var outcome = outcomeOf("double_it", sum(3, 4), builder().handlers(new Calculator()));

        assertThat(outcome)
                .isEqualTo(TaskOutcome.success(JsonObject.of("total_sum", JsonNumber.of(14))));
    }

    @Test
    void aMarkedMethodThatGivesNothing_succeeds() {
        var outcome = outcomeOf("note", JsonObject.EMPTY, builder().handlers(new Calculator()));

        assertThat(outcome).isEqualTo(TaskOutcome.success(JsonObject.EMPTY));
    }

    @Test
    void parametersThatDoNotFit_areInvalidInput() {
        var outcome =
                outcomeOf(
                        "add",
                        JsonObject.of("a", new JsonString("one")),
                        builder().handle("add", Sum.class, (_, _) -> Result.success()));

        assertThat(outcome)
                .isEqualTo(
                        new Failed(
                                TaskOutcome.INVALID_INPUT_ERROR,
                                "params.a: expected a whole number of 32 bits, found JSON string;"
                                        + " params.b: expected a whole number of 32 bits, found nothing"));
    }

    @Test
    void whatAHandlerThrows_saysWhetherAnotherAttemptHelps() {
        var permanent =
                outcomeOf(
                        "x",
                        JsonObject.EMPTY,
                        builder()
                                .handle(
                                        "x",
                                        JsonObject.class,
                                        (_, _) -> {
                                            throw new PermanentFailure("no such file");
                                        }));

        assertThat(permanent).isEqualTo(new Failed(TaskOutcome.PERMANENT_ERROR, "no such file"));
    }

    @Test
    void anyOtherException_isTransient_evenAnError() {
        var outcome =
                outcomeOf(
                        "x",
                        JsonObject.EMPTY,
                        builder()
                                .handle(
                                        "x",
                                        JsonObject.class,
                                        (_, _) -> {
                                            throw new StackOverflowError();
                                        }));

        assertThat(outcome)
                .isEqualTo(new Failed(TaskOutcome.TRANSIENT_ERROR, "java.lang.StackOverflowError"));
    }

    @Test
    void aTaskOfAnotherType_isAPermanentFailure() {
        var outcome =
                outcomeOf(
                        "paint",
                        JsonObject.EMPTY,
                        builder().handle("add", Sum.class, (_, _) -> Result.success()));

        assertThat(outcome)
                .isEqualTo(
                        new Failed(
                                TaskOutcome.PERMANENT_ERROR,
                                "this worker does not do tasks of type 'paint', only [add]"));
    }

    @Test
    void aResultThatCannotBeSent_isAPermanentFailure() {
        var outcome =
                outcomeOf(
                        "x",
                        JsonObject.EMPTY,
                        builder()
                                .handle(
                                        "x",
                                        JsonObject.class,
                                        (_, _) -> Result.success(new JsonString("\ud800"))));

        assertThat(outcome).isInstanceOf(Failed.class);
        assertThat(((Failed) outcome).message()).contains("cannot be sent", "surrogate");
    }

    @Test
    void theEnvironmentDescribesAWorker() {
        var environment =
                Map.of(
                        "WORKER_ID", "w9",
                        "ORCHESTRATOR_URL", orchestrator.uri().toString(),
                        "WORKER_TOKEN", "secret",
                        "MAX_CONCURRENT_TASKS", "3");

        try (var worker =
                Worker.fromEnvironment(environment)
                        .handlers(new Calculator())
                        .withoutShutdownHook()
                        .build()) {
            worker.start();
            await().until(() -> !orchestrator.all("GET", "/workers/w9/tasks/next").isEmpty());
        }

        assertThat(orchestrator.all("GET", "/tasks/next").getFirst().query()).isEqualTo("max=3");
    }

    @Test
    void allThatIsMissing_isNamedAtOnce() {
        assertThatThrownBy(() -> Worker.named("w1").skillDependency("x", "m").build())
                .hasMessageContaining("no orchestrator")
                .hasMessageContaining("no handler")
                .hasMessageContaining("skill dependency of x");
        assertThatThrownBy(() -> Worker.named("w1").orchestrator(URI.create("localhost:80"), ""))
                .hasMessageContaining("http://host:8080");
        assertThatThrownBy(() -> builder().handlers(new Calculator()).handlers(new Calculator()))
                .hasMessageContaining("two handlers");
    }
}
