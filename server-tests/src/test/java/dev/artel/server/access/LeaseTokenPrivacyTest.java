package dev.artel.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.server.AliceAndBob;
import dev.artel.server.ArtelNode;
import dev.artel.server.DescribedRoute;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.waits.Await;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A lease token proves the right to report, and goes to its worker alone. The routes are those of the description of the
/// API, so that a route of tomorrow is tried as well.
final class LeaseTokenPrivacyTest {
    private static final String REGISTRATION =
            """
            {"worker_id":"w1","supported_tasks":["echo"],"max_concurrent_tasks":5,"hostname":"host-of-w1",\
            "ip_address":"10.9.8.7","instance":"process-of-w1",\
            "multi_orchestrator_info":{"mode":"FAILOVER","orchestrators":["https://other.example"]}}\
            """;

    @TempDir private Path folder;
    private ArtelNode node;
    private TestClient alice;
    private TestClient bob;
    private TestClient operator;
    private TestClient workers;

    @BeforeEach
    void start() throws Exception {
        var data = folder.resolve("data");
        AliceAndBob.writeTo(data);
        node = ArtelNode.start(TestNodes.CONFIG.withData(data), SampleBlueprints.all());
        alice = AliceAndBob.alice(node);
        bob = AliceAndBob.bob(node);
        operator = TestClient.of(node);
        workers = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
    }

    @AfterEach
    void stop() {
        node.close();
    }

    /// Trap: a worker's heartbeats name its tasks, and the record that clients read repeats its heartbeats.
    @Test
    void noRouteShowsALeaseToken_toAnybody() {
        var job = alice.submit("{\"blueprint\":\"echo\",\"initial_data\":{}}");
        workers.post("/_worker/workers/register", REGISTRATION);
        var task = workers.get("/_worker/workers/w1/tasks/next").object();
        var token = task.string("task_id").orElseThrow();
        beat(token);
        Await.await().until(() -> operator.get("/api/v1/workers/w1").text().contains("\"busy\""));

        for (var caller : List.of(alice, bob, operator)) {
            for (var route : DescribedRoute.all(node)) {
                var isRead = route.method().equals("GET");
                var path = route.filled(job);
                if (isRead && route.ends() && !path.startsWith("/_worker")) {
                    var answer = caller.get(path);
                    assertThat(answer.text()).as(path).doesNotContain(token);
                }
            }
            for (var path :
                    List.of(
                            "/api/v1/workers",
                            "/api/v1/workers/w1",
                            "/api/v1/workers?all=true",
                            "/api/v1/jobs/" + job + "/tasks/0")) {
                assertThat(caller.get(path).text()).as(path).doesNotContain(token);
            }
        }
        assertThat(alice.get("/api/v1/jobs/" + job + "/history").text())
                .contains("\"task_id\":\"" + job + ".0.1\"");
    }

    @Test
    void aClientSeesWhatAWorkerCanDo_butNotWhereItRunsNorWhoseTasksItHas() {
        var job = alice.submit("{\"blueprint\":\"echo\",\"initial_data\":{}}");
        workers.post("/_worker/workers/register", REGISTRATION);
        var task = workers.get("/_worker/workers/w1/tasks/next").object();
        beat(task.string("task_id").orElseThrow());

        for (var path : List.of("/api/v1/workers", "/api/v1/workers/w1")) {
            assertThat(bob.get(path).text())
                    .as(path)
                    .contains("\"supported_tasks\":[\"echo\"]", "\"slots\"")
                    .doesNotContain(
                            job,
                            "host-of-w1",
                            "10.9.8.7",
                            "process-of-w1",
                            "other.example",
                            "\"current_tasks\"",
                            "secret-note");
            assertThat(operator.get(path).text())
                    .as(path)
                    .contains("host-of-w1", "10.9.8.7", "other.example", job)
                    .doesNotContain("\"current_tasks\"", "secret-note");
        }
    }

    private void beat(String token) {
        var body =
                """
                {"load":1,"status":"idle","supported_tasks":["echo"],"hot_cache":[],\
                "current_tasks":["%s"],"note":"secret-note","usage":{"task":"%s"}}\
                """
                        .formatted(token, token);
        var answer = workers.patch("/_worker/workers/w1", body);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).doesNotContain("secret-note");
    }
}
