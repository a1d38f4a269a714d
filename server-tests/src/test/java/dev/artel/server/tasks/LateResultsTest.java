package dev.artel.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskResult;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/// Large values are read when a handler asks for them, and not before.
final class LateResultsTest {
    private static final int TASKS = 20;
    private static final JsonObject LARGE =
            JsonObject.of("text", JsonValue.of("x".repeat(200_000)), "n", JsonValue.of(1));

    private final InMemoryPayloadStore payloads = new InMemoryPayloadStore();

    private static Blueprint counting() {
        return Blueprint.named("counting")
                .start(
                        "first",
                        _ ->
                                Action.dispatch(
                                        TaskSpec.of("big", JsonObject.EMPTY),
                                        Outcomes.on("success", "spread")))
                .leadingTo("spread")
                .state("spread")
                .when(
                        "data.n == 1 && has(data.text)",
                        _ ->
                                Action.dispatchParallel(
                                        Collections.nCopies(
                                                TASKS, TaskSpec.of("big", JsonObject.EMPTY)),
                                        "join"))
                .leadingTo("join")
                .state(
                        "join",
                        step -> {
                            var done =
                                    step.results().stream()
                                            .filter(TaskResult.Succeeded.class::isInstance)
                                            .map(TaskResult.Succeeded.class::cast)
                                            .mapToLong(each ->
                                                    ((JsonObject) each.data())
                                                            .number("n")
                                                            .orElseThrow()
                                                            .asLong())
                                            .sum();
                            return Action.finish(JsonObject.of("done", JsonValue.of(done)));
                        })
                .build();
    }

    /// Trap: a handler that counts results has all of them in memory.
    @Test
    void aHandlerThatCountsLargeResults_readsNoneOfThem() {
        var storage = new Storage(new InMemoryEventStore(), payloads, new InMemoryFleet());
        try (var node = ArtelNode.start(TestNodes.CONFIG, Blueprints.of(counting()), storage)) {
            var client = TestClient.of(node);
            var id = client.submit("{\"blueprint\":\"counting\",\"initial_data\":{}}");
            var worker = new TestWorker(node, "w", "big");
            for (var i = 0; i <= TASKS; i++) {
                worker.report(worker.next(), LARGE);
            }

            var ended = client.get("/api/v1/jobs/" + id + "?wait=60&fields=status").object();
            assertThat(ended.string("status")).contains("finished");
            assertThat(payloads.reads()).isZero();
            var job = client.get("/api/v1/jobs/" + id).object();
            assertThat(job.object("result")).contains(JsonObject.of("done", JsonValue.of(TASKS)));
        }
    }
}
