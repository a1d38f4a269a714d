package dev.artel.server.operations;

import static dev.artel.waits.Await.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A database that an orchestrator of an earlier version wrote, with version 9 of its schema: a job of [#blueprints] that has
/// ended, and one each that waits for a task, a signal and a child.
final class EarlierSchemaTest {
    private static final String QUICK = "01a20584-feeb-79ab-bd08-3fd9b14b15c5";
    private static final String PAINT = "01a20585-0119-7c24-9eae-2c25d3101205";
    private static final String ASK = "01a20585-01cb-7afd-9ba5-f276b31b1da0";
    private static final String PARENT = "01a20585-0259-7da9-88ee-1115a877fe55";
    private static final String CHILD = "a8078a89-8d57-8453-bcc3-5c18d61fe5e3";

    @TempDir private Path folder;
    private Path data;

    /// Those with which it was written.
    private static Blueprints blueprints() {
        return Blueprints.of(
                Blueprint.named("quick")
                        .start("begin", step -> Action.finish(step.initialData()))
                        .build(),
                ending(
                        "paint",
                        Action.dispatch(
                                TaskSpec.of("paint", JsonObject.EMPTY),
                                Outcomes.on("success", "end"))),
                ending("ask", Action.awaitSignal("go", "end")),
                ending(
                        "parent",
                        Action.runBlueprint(
                                "paint", JsonObject.EMPTY, Outcomes.on(Outcomes.FINISHED, "end"))));
    }

    private static Blueprint ending(String name, Action first) {
        return Blueprint.named(name)
                .start("begin", _ -> first)
                .leadingTo("end")
                .state("end", step -> Action.finish(step.data()))
                .build();
    }

    @BeforeEach
    void unpack() throws IOException {
        data = Files.createDirectory(folder.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        try (var packed =
                        requireNonNull(
                                getClass()
                                        .getResourceAsStream("/dev/artel/server/schema-9.db.gz"));
                var file = new GZIPInputStream(packed)) {
            Files.copy(file, data.resolve("artel.db"));
        }
    }

    private ArtelNode start() {
        return ArtelNode.start(TestNodes.CONFIG.withData(data), blueprints());
    }

    private static String status(TestClient client, String job) {
        return client.get("/api/v1/jobs/" + job + "?wait=60")
                .object()
                .string("status")
                .orElseThrow();
    }

    /// Trap: each migration is tested with tables that are empty.
    @Test
    void openJobsOfAnEarlierVersion_goOn_andEndOnce() throws IOException {
        try (var node = start()) {
            var client = TestClient.of(node);
            assertThat(status(client, QUICK)).isEqualTo("finished");
            var worker = new TestWorker(node, "w1", "paint");
            var done = new ArrayList<String>();
            await().until(() -> {
                var polled = worker.poll();
                if (polled.status() == 200) {
                    var task = polled.object();
                    done.add(task.string("job_id").orElseThrow());
                    assertThat(worker.report(task, JsonObject.EMPTY).status()).isEqualTo(200);
                }
                return done.size() >= 2;
            });
            assertThat(
                            client.post("/api/v1/jobs/" + ASK + "/signals/go", "{\"id\":\"1\"}")
                                    .status())
                    .isLessThan(300);

            assertThat(done).containsExactlyInAnyOrder(PAINT, CHILD);
            for (var job : new String[] {PAINT, ASK, CHILD, PARENT}) {
                assertThat(status(client, job)).as(job).isEqualTo("finished");
            }
            assertThat(client.get("/api/v1/jobs?limit=100").items().size()).isEqualTo(5);
        }
        try (var files = Files.list(data)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("it was copied before")
                    .anyMatch(name -> name.startsWith("artel.db.schema-9-"));
        }
        try (var node = start()) {
            for (var job : new String[] {QUICK, PAINT, ASK, CHILD, PARENT}) {
                assertThat(status(TestClient.of(node), job)).as(job).isEqualTo("finished");
            }
        }
    }
}
