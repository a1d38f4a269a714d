package dev.artel.server.operations;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.waits.Await;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Another program holds the write lock of the database for longer than SQLite waits for it.
final class LockedDatabaseTest {

    @TempDir private Path data;

    private final Map<String, Integer> runs = new ConcurrentHashMap<>();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

    @Test
    void aLockedDatabase_runsNoHandlerAgain_losesNothing_reportsIt_andGoesOnByItself()
            throws Exception {
        var config = TestNodes.CONFIG.withData(data);
        try (var node = ArtelNode.start(config, Blueprints.of(steps()))) {
            var client = TestClient.of(node);
            var loading = new AtomicBoolean(true);
            var load =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (loading.get()) {
                                    submit(client);
                                }
                            });
            await().until(() -> runs.size() > 50);

            try (var other =
                            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("artel.db"));
                    var statement = other.createStatement()) {
                statement.execute("PRAGMA busy_timeout = " + Await.longest().toMillis());
                statement.execute("BEGIN IMMEDIATE");
                await().untilAsserted(() -> {
                    var ready = client.get("/readyz");
                    assertThat(ready.status()).isEqualTo(503);
                    assertThat(ready.object().string("reason").orElseThrow())
                            .contains("another program holds the file's lock");
                });
                var refused = client.postOnce("/api/v1/jobs", "{\"blueprint\":\"steps\"}");
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.header("Retry-After")).contains("1");
                statement.execute("ROLLBACK");
            }

            await().until(() -> client.get("/readyz").status() == 200);
            loading.set(false);
            load.join();
            assertThat(acknowledged).isNotEmpty();
            for (var job : acknowledged) {
                assertThat(client.get("/api/v1/jobs/" + job + "?wait=60").object().string("status"))
                        .contains("finished");
            }
        }
        assertThat(runs).hasSizeGreaterThanOrEqualTo(3 * acknowledged.size());
        assertThat(runs).allSatisfy((_, times) -> assertThat(times).isOne());
    }

    private void submit(TestClient client) {
        var answer = client.postOnce("/api/v1/jobs", "{\"blueprint\":\"steps\"}");
        if (answer.status() == 202) {
            acknowledged.add(answer.object().string("job_id").orElseThrow());
        } else {
            assertThat(answer.status()).isEqualTo(503);
        }
    }

    private Blueprint steps() {
        return Blueprint.named("steps")
                .start("a", step -> counted(step, "a", Action.transitionTo("b")))
                .leadingTo("b")
                .state("b", step -> counted(step, "b", Action.transitionTo("c")))
                .leadingTo("c")
                .state("c", step -> counted(step, "c", Action.finish(step.data())))
                .build();
    }

    private Action counted(Step step, String state, Action action) {
        runs.merge(step.job() + " " + state, 1, Integer::sum);
        return action;
    }
}
