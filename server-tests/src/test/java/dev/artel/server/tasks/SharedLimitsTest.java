package dev.artel.server.tasks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.access.LimitsFile;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Limits that tasks of several jobs share, over HTTP.
final class SharedLimitsTest {
    private static final Blueprint DESCRIBE =
            Blueprint.named("describe")
                    .start(
                            "one",
                            _ ->
                                    Action.dispatch(
                                            TaskSpec.of("describe", JsonObject.EMPTY)
                                                    .limitedBy("tenant:42"),
                                            Outcomes.on("success", "end")))
                    .leadingTo("end")
                    .state("end", _ -> Action.finish(JsonObject.EMPTY))
                    .build();

    @TempDir private Path folder;
    private Path data;

    @BeforeEach
    void makeFolder() throws IOException {
        data = Files.createDirectories(folder.resolve("data"));
    }

    private void limits(String text) throws IOException {
        Files.writeString(data.resolve(LimitsFile.NAME), text);
    }

    private ArtelNode start() {
        return ArtelNode.start(TestNodes.CONFIG.withData(data), Blueprints.of(DESCRIBE));
    }

    @Test
    void aTaskWaitsAtALimit_andReportsIt_untilAnotherEnds_orTheLimitIsRaised() throws IOException {
        limits("[\"tenant:*\"]\nconcurrent = 1\n");
        try (var node = start()) {
            var client = TestClient.of(node);
            var worker = new TestWorker(node, "w", "describe");
            var first = client.submit("{\"blueprint\":\"describe\"}");
            var task = worker.next();
            var second = client.submit("{\"blueprint\":\"describe\"}");
            awaitLimit(client, second, "{\"key\":\"tenant:42\",\"used\":1,\"most\":1}");
            // Behind the second one, whose handler another thread runs.
            var third = client.submit("{\"blueprint\":\"describe\"}");

            assertThat(worker.report(task, JsonObject.EMPTY).status()).isEqualTo(200);
            assertThat(worker.next().string("job_id")).contains(second);
            assertThat(client.get("/api/v1/jobs/" + first + "?wait=60").text())
                    .contains("\"status\":\"finished\"");

            awaitLimit(client, third, "{\"key\":\"tenant:42\",\"used\":1,\"most\":1}");
            limits("[\"tenant:*\"]\nconcurrent = 2\n");
            assertThat(client.post("/api/v1/admin/reload", "").status()).isEqualTo(200);
            assertThat(worker.next().string("job_id")).contains(third);
        }
    }

    private static void awaitLimit(TestClient client, String job, String limit) {
        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs/" + job + "/explain").text())
                        .contains("\"reason\":\"limit\"")
                        .contains("\"limit\":" + limit));
    }

    @Test
    void aFileThatCannotBeUsed_preventsTheStart_andChangesNothingLater() throws IOException {
        limits("[\"tenant:42\"]\nconcurrent = 0\n");
        assertThatThrownBy(this::start)
                .isInstanceOf(StartupException.class)
                .hasMessage(
                        "limits.toml:2: tenant:42.concurrent must be a whole number from 1 to 1000000, was 0");

        limits("[\"tenant:42\"]\nconcurrent = 1\n");
        try (var node = start()) {
            limits("[\"tenant:42\"]\nrate = 1\n");
            var answer = TestClient.of(node).post("/api/v1/admin/reload", "");

            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.text()).contains("tenant:42 needs both rate and per");
        }
    }
}
