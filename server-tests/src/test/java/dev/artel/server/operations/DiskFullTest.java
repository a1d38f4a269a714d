package dev.artel.server.operations;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.waits.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// On a file system of 8 MiB, where this user may mount one.
final class DiskFullTest {
    @TempDir private Path disk;
    private boolean isMounted;

    @BeforeEach
    void mount() throws Exception {
        isMounted =
                hasMount()
                        && run(
                                        "mount",
                                        "-t",
                                        "tmpfs",
                                        "-o",
                                        "size=8m",
                                        "artel-test",
                                        disk.toString())
                                == 0;
        assumeTrue(isMounted, "only root may mount a small file system, with the program mount");
    }

    private static boolean hasMount() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "mount")));
    }

    @AfterEach
    void unmount() throws Exception {
        if (isMounted) {
            assertThat(run("umount", "--lazy", disk.toString())).isZero();
        }
    }

    @Test
    void aFullDisk_refusesNewJobs_readsOn_keepsResultsWaiting_andGoesOnByItself() throws Exception {
        var config = TestNodes.CONFIG.withData(disk.resolve("data"));
        try (var node = ArtelNode.start(config, SampleBlueprints.all())) {
            var client = TestClient.of(node);
            var worker = new TestWorker(node, "w1", "echo");
            var id = client.submit("{\"blueprint\":\"echo\"}");
            var task = worker.next();
            fill();

            // Small ones use up the room in the log of the store, also that which a checkpoint
            // makes
            // meanwhile: the result, which is large, finds none. A checkpoint that failed is tried
            // again after five seconds at most, so refusals for longer than that are the last
            // state.
            await().during(Duration.ofSeconds(7))
                    .untilAsserted(() -> {
                        var refused = client.post("/api/v1/jobs", job(10));
                        for (var i = 0; i < 500 && refused.status() == 202; i++) {
                            refused = client.post("/api/v1/jobs", job(10));
                        }
                        assertThat(refused.status()).isEqualTo(503);
                        assertThat(refused.header("Retry-After")).contains("1");
                        assertThat(client.get("/readyz").status()).isEqualTo(503);
                    });
            assertThat(client.get("/api/v1/jobs/" + id).status()).isEqualTo(200);
            assertThat(client.get("/api/v1/jobs").status()).isEqualTo(200);
            var report =
                    CompletableFuture.supplyAsync(
                            () -> worker.report(task, JsonObject.of("y", big(60_000))));
            await().pollDelay(Duration.ofMillis(500))
                    .untilAsserted(() -> assertThat(report).isNotDone());

            Files.delete(disk.resolve("filler"));
            assertThat(report.get(Await.seconds(), TimeUnit.SECONDS).status()).isEqualTo(200);
            assertThat(client.get("/api/v1/jobs/" + id + "?wait=60").object().string("status"))
                    .contains("finished");
            await().untilAsserted(() ->
                    assertThat(client.post("/api/v1/jobs", job(60_000)).status()).isEqualTo(202));
        }
    }

    @Test
    void aFullDisk_isWaitedForAtTheStart() throws Exception {
        var config = TestNodes.CONFIG.withData(disk.resolve("data"));
        fill();

        var start =
                CompletableFuture.supplyAsync(
                        () -> ArtelNode.start(config, SampleBlueprints.all()));
        await().pollDelay(Duration.ofSeconds(2)).untilAsserted(() -> assertThat(start).isNotDone());
        Files.delete(disk.resolve("filler"));

        try (var node = start.get(Await.seconds(), TimeUnit.SECONDS)) {
            assertThat(TestClient.of(node).get("/readyz").status()).isEqualTo(200);
        }
    }

    private void fill() throws IOException {
        var piece = new byte[4096];
        try (var filler = Files.newOutputStream(disk.resolve("filler"))) {
            while (true) {
                filler.write(piece);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private static String job(int length) {
        return "{\"blueprint\":\"echo\",\"initial_data\":{\"x\":" + big(length) + "}}";
    }

    private static JsonValue big(int length) {
        return JsonValue.of("x".repeat(length));
    }

    private static int run(String... command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var output = process.getInputStream()) {
            assertThat(new String(output.readAllBytes(), UTF_8)).isNotNull();
        }
        return process.waitFor();
    }
}
