package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.waits.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A fan-out of child jobs whose orchestrator is killed on the way, with real processes.
@Tag("kill")
@Tag("long")
final class ManyChildrenKilledTest {
    private static final int CHILDREN = 300;

    @TempDir Path folder;

    @Test
    void eachChildRunsOnce_andItsResultIsInItsPlace_howeverOftenTheOrchestratorIsKilled()
            throws Exception {
        try (var orchestrator = new Orchestrator(folder, Orchestrator.SHORT_TERMS);
                var _ =
                        Jvm.start(
                                TestWorker.class,
                                Map.of(),
                                folder.resolve("worker.log"),
                                List.of(
                                        orchestrator.uri().toString(),
                                        Orchestrator.WORKER_TOKEN,
                                        "one",
                                        "10000"))) {
            var job =
                    orchestrator.submitted(
                            "map",
                            JsonObject.of(
                                    "count", JsonValue.of(CHILDREN), "window", JsonValue.of(20)));
            for (var ended : List.of(0, CHILDREN / 4, CHILDREN / 2)) {
                Await.await(ended + " children have ended")
                        .until(() -> endedChildren(orchestrator, job) >= ended);
                orchestrator.killAndRestart();
            }

            Await.await("all have ended")
                    .until(() -> orchestrator.awaitStatus(job), Optional.of("finished")::equals);

            assertThat(orchestrator.look(job).object("result").orElseThrow().array("squares"))
                    .hasValueSatisfying(squares ->
                            assertThat(squares.values())
                                    .containsExactlyElementsOf(
                                            LongStream.range(0, CHILDREN)
                                                    .mapToObj(n -> (JsonValue) JsonValue.of(n * n))
                                                    .toList()));
            assertThat(orchestrator.look(job).object("child_counts"))
                    .contains(JsonObject.of("finished", JsonValue.of(CHILDREN)));
        }
    }

    private static long endedChildren(Orchestrator orchestrator, String job) throws Exception {
        return orchestrator
                .look(job)
                .object("child_counts")
                .flatMap(counts -> counts.number("finished"))
                .map(number -> number.asLong())
                .orElse(0L);
    }
}
