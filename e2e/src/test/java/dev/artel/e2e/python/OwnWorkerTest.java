package dev.artel.e2e.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The example of a worker in Python that one writes oneself.
@Timeout(Await.HUNG)
final class OwnWorkerTest {
    private static final Path SCRIPT = Path.of("..", "examples", "python-worker", "worker.py");

    @TempDir Path folder;

    @Test
    void theExample_doesTasks_givesUpWhatIsCancelled_andLeavesInOrder() throws Exception {
        OptionalService.PYTHON_AIOHTTP.assumePresent();
        try (var node = new Node(folder, Node.Terms.SHORT);
                var worker = PythonWorker.example(SCRIPT, node.uri(), Node.WORKER, "own", folder)) {
            var greeting = node.submit("greet", JsonObject.of("name", JsonValue.of("Ada")));
            assertThat(node.await(greeting, "finished").toString())
                    .contains("Hello from aiohttp, Ada!");
            var wrong = node.submit("greet", JsonObject.EMPTY);
            assertThat(node.await(wrong, "failed").toString()).contains("is missing");
            var slow =
                    node.submit(
                            "greet",
                            JsonObject.of(
                                    "name", JsonValue.of("Grace"), "seconds", JsonValue.of(30)));
            node.awaitState("own", "busy");
            node.cancel(slow);
            node.await(slow, "cancelled");
            node.awaitState("own", "idle");

            worker.interrupt();

            assertThat(worker.awaitEnd()).isZero();
            node.awaitState("own", "offline");
        }
    }

    @Test
    void aWrongToken_endsTheExample_whichReportsIt() throws Exception {
        OptionalService.PYTHON_AIOHTTP.assumePresent();
        try (var node = new Node(folder, Node.Terms.SHORT);
                var worker = PythonWorker.example(SCRIPT, node.uri(), "wrong", "own", folder)) {
            assertThat(worker.awaitEnd()).isEqualTo(1);
            assertThat(worker.printed())
                    .contains("refuses the token of own", "set WORKER_TOKEN")
                    .doesNotContain("Traceback");
        }
    }

    @Test
    void whileTheOrchestratorIsAway_theExampleWaitsForItsTasks_andEndsInOrder() throws Exception {
        OptionalService.PYTHON_AIOHTTP.assumePresent();
        try (var node = new Node(folder, Node.Terms.SHORT)) {
            try (var worker =
                    PythonWorker.example(SCRIPT, node.uri(), Node.WORKER, "own", folder)) {
                node.submit(
                        "greet",
                        JsonObject.of("name", JsonValue.of("Ada"), "seconds", JsonValue.of(30)));
                // The orchestrator counts a task before its worker has received it.
                Await.await("the worker has its task")
                        .until(() -> worker.printed().contains("own works on greet"));

                node.stop();
                worker.interrupt();

                assertThat(worker.awaitEnd()).isZero();
                assertThat(worker.printed())
                        .contains("the orchestrator is away", "a task is not over in time")
                        .doesNotContain("Traceback");
            }
        }
    }
}
