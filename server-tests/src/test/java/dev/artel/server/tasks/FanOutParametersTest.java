package dev.artel.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The parameters of a fan-out are not in the memory of the orchestrator while its tasks wait.
final class FanOutParametersTest {
    private static final int TASKS = 100;
    private static final int LENGTH = 2_000;

    private static Blueprint wide() {
        return Blueprint.named("wide")
                .start(
                        "spread",
                        _ ->
                                Action.dispatchParallel(
                                        IntStream.range(0, TASKS)
                                                .mapToObj(FanOutParametersTest::task)
                                                .toList(),
                                        "done"))
                .leadingTo("done")
                .end("done")
                .build();
    }

    /// Every tenth has few parameters, and every fifth the same.
    private static TaskSpec task(int number) {
        return TaskSpec.of("read", params(number));
    }

    private static JsonObject params(int number) {
        return number % 10 == 0
                ? JsonObject.of("n", JsonValue.of(number))
                : JsonObject.of(
                        "n",
                        JsonValue.of(number % 5 == 0 ? 5 : number),
                        "text",
                        JsonValue.of("x".repeat(LENGTH)));
    }

    /// Trap: each task that waits keeps its parameters in memory, and in the event of all of them.
    @Test
    void parametersThatAreManyTogether_areKeptApart_andEachTaskGetsItsOwn() {
        var storage = TestNodes.storage();
        var blueprints = Blueprints.of(wide());
        String id;
        try (var node = ArtelNode.start(TestNodes.CONFIG, blueprints, storage)) {
            var client = TestClient.of(node);
            id = client.submit("{\"blueprint\":\"wide\",\"initial_data\":{}}");
            var worker = new TestWorker(node, "w", "read");
            for (var i = 0; i < TASKS / 2; i++) {
                done(worker, i);
            }
            var shown = client.get("/api/v1/jobs/" + id + "/tasks/3").object();
            assertThat(shown.toString()).contains("x".repeat(LENGTH)).doesNotContain("sha256");
        }

        assertThat(specs(storage.events()))
                .hasSize(TASKS)
                .allSatisfy(spec ->
                        assertThat(spec.params())
                                .isInstanceOfAny(Payload.Slice.class, Payload.Inline.class));
        assertThat(slices(storage.events())).hasSize(TASKS - TASKS / 10 - TASKS / 10 + 1);

        // What was waiting before the restart comes with its parameters.
        try (var node = ArtelNode.start(TestNodes.CONFIG, blueprints, storage)) {
            var worker = new TestWorker(node, "v", "read");
            for (var i = TASKS / 2; i < TASKS; i++) {
                done(worker, i);
            }
            assertThat(
                            TestClient.of(node)
                                    .get("/api/v1/jobs/" + id + "?wait=60")
                                    .object()
                                    .string("status"))
                    .contains("finished");
        }
    }

    private static void done(TestWorker worker, int number) {
        var task = worker.next();
        assertThat(task.object("params")).contains(params(number));
        worker.report(task, JsonObject.EMPTY);
    }

    private static List<TaskSpec> specs(EventStore events) {
        return events.committedAfter(0, 10_000).stream()
                .flatMap(committed -> committed.events().events().stream())
                .filter(JobEvent.TasksOpened.class::isInstance)
                .flatMap(event -> ((JobEvent.TasksOpened) event).specs().stream())
                .toList();
    }

    private static Set<String> slices(EventStore events) {
        return specs(events).stream()
                .map(TaskSpec::params)
                .filter(Payload.Slice.class::isInstance)
                .map(params -> ((Payload.Slice) params).digest())
                .collect(Collectors.toSet());
    }
}
