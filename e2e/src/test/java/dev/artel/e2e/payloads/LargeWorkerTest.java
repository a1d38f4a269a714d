package dev.artel.e2e.payloads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.PayloadSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.waits.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker whose values are larger than its memory.
final class LargeWorkerTest {
    @TempDir private Path folder;

    private static Blueprints relay() {
        return Blueprints.of(
                Blueprint.named("relay")
                        .start("first", _ -> noop(JsonObject.EMPTY, "second"))
                        .leadingTo("second")
                        .state("second", step -> noop(step.data(), "end"))
                        .leadingTo("end")
                        .state("end", LargeWorkerTest::end)
                        .build());
    }

    private static Action noop(JsonObject params, String next) {
        return Action.dispatch(TaskSpec.of("noop", params), Outcomes.on("success", next));
    }

    private static Action end(Step step) {
        var last = step.data();
        return Action.finish(
                JsonObject.of(
                        "got", last.get("got").orElseThrow(),
                        "length", JsonValue.of(last.string("text").orElse("").length())));
    }

    @Test
    void aValueLargerThanTheMemoryOfTheWorker_isGivenAndTaken() throws Exception {
        try (var node =
                new PayloadNode(folder.resolve("data"), PayloadSettings.DEFAULTS, relay())) {
            var worker = start(node);
            try {
                var job = node.awaitLong(node.submit("relay", JsonObject.EMPTY), "finished");
                var result = job.object("result").orElseThrow();

                assertThat(result.number("length").map(JsonNumber::asLong))
                        .contains((long) LargeWorker.BYTES);
                assertThat(result.number("got").map(JsonNumber::asLong).orElseThrow())
                        .isGreaterThan(LargeWorker.BYTES);
                // The worker removes them after the answer to its result.
                Await.await()
                        .untilAsserted(
                                () -> assertThat(folder.resolve("files")).isEmptyDirectory());
            } finally {
                worker.destroyForcibly();
                worker.onExit().orTimeout(Await.seconds(), TimeUnit.SECONDS).join();
            }
        }
    }

    private Process start(PayloadNode node) throws Exception {
        Files.createDirectories(folder.resolve("files"));
        return new ProcessBuilder(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx28m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                LargeWorker.class.getName(),
                                node.uri().toString(),
                                PayloadNode.WORKER,
                                folder.resolve("files").toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("worker.log").toFile())
                .start();
    }
}
