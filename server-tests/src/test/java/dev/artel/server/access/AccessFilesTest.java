package dev.artel.server.access;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.StreamReader;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the files of clients and workers set is in force, over HTTP: at the start, and when they are read again.
final class AccessFilesTest {
    private static final String CLIENTS =
            """
            [alice]
            token = "token-of-alice-0123456"
            [bob]
            token = "token-of-bob-012345678"
            """;

    @TempDir private Path data;

    @BeforeEach
    void writeClients() throws IOException {
        Files.writeString(data.resolve("clients.toml"), CLIENTS);
    }

    private ServerConfig config() {
        return TestNodes.CONFIG.withData(data);
    }

    private static ArtelNode start(ServerConfig config) {
        return ArtelNode.start(config, SampleBlueprints.all());
    }

    private static TestClient client(ArtelNode node, String name) {
        var token = "token-of-" + name + "-0123456789";
        return new TestClient(node.uri(), "X-Client-Token", token.substring(0, 22));
    }

    /// Trap: a token that is limited to a client's jobs serves the others as well, or stops for good.
    @Test
    void aTokenForSomeClients_getsNoTasksOfOthers_untilTheFileSaysOtherwise() throws IOException {
        var workers = data.resolve("workers.toml");
        Files.writeString(
                workers, "[w1]\ntoken = \"token-of-w1-0123456789\"\nclients = [\"alice\"]\n");
        try (var node = start(config())) {
            var own = new TestClient(node.uri(), "X-Worker-Token", "token-of-w1-0123456789");
            var register =
                    "{\"worker_id\":\"w1\",\"supported_tasks\":[\"echo\"],"
                            + "\"max_concurrent_tasks\":5,\"clients\":[]}";
            assertThat(own.post("/_worker/workers/register", register).status()).isEqualTo(200);
            var bob = client(node, "bob");
            var ofBob = bob.submit("{\"blueprint\":\"echo\"}");
            await().untilAsserted(() ->
                    assertThat(bob.get("/api/v1/jobs/" + ofBob + "/explain").text())
                            .contains("\"reason\":\"client\"")
                            .contains("w1 gets no tasks of client bob")
                            .doesNotContain("alice"));
            var ofAlice = client(node, "alice").submit("{\"blueprint\":\"echo\"}");
            var task = own.get("/_worker/workers/w1/tasks/next").object();
            assertThat(task.string("job_id")).contains(ofAlice);

            Files.writeString(workers, "[w1]\ntoken = \"token-of-w1-0123456789\"\n");
            assertThat(TestClient.of(node).post("/api/v1/admin/reload", "").status())
                    .isEqualTo(200);
            assertThat(own.get("/_worker/workers/w1/tasks/next").object().string("job_id"))
                    .contains(ofBob);
        }
    }

    @Test
    void aTokenOfAPattern_registersItsWorkers_andNoOthers() throws IOException {
        Files.writeString(
                data.resolve("workers.toml"),
                """
                ["gpu-*"]
                token = "token-of-gpus-0123456789"
                tasks = ["render"]
                [gpu-7]
                token = "token-of-seven-0123456789"
                """);
        try (var node = start(config())) {
            var gpus = new TestClient(node.uri(), "X-Worker-Token", "token-of-gpus-0123456789");
            var seven = new TestClient(node.uri(), "X-Worker-Token", "token-of-seven-0123456789");
            var shared = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());

            for (var name : List.of("gpu-1", "gpu-2")) {
                assertThat(register(gpus, name).status()).isEqualTo(200);
                assertThat(register(shared, name).status()).isEqualTo(401);
            }
            assertThat(register(gpus, "gpu-7").status()).isEqualTo(401);
            assertThat(register(gpus, "cpu-1").status()).isEqualTo(401);
            assertThat(register(seven, "gpu-7").status()).isEqualTo(200);
            client(node, "alice").submit("{\"blueprint\":\"echo\"}");
            assertThat(seven.get("/_worker/workers/gpu-7/tasks/next").status()).isEqualTo(200);
        }
    }

    private static Answer register(TestClient worker, String name) {
        return worker.post(
                "/_worker/workers/register",
                "{\"worker_id\":\"" + name + "\",\"supported_tasks\":[\"echo\",\"render\"]}");
    }

    /// Trap: a plan that changes in the middle of a job gives its next steps another one than its first.
    @Test
    void planAndParams_reachHandlers_asTheyWereAtTheSubmission() throws IOException {
        var clients = data.resolve("clients.toml");
        var token = "[alice]\ntoken = \"token-of-alice-0123456\"\n";
        Files.writeString(clients, token + "plan = \"gold\"\n[alice.params]\nregion = \"eu\"\n");
        var tries = new AtomicInteger();
        var isChanged = new AtomicBoolean();
        var blueprint =
                Blueprint.named("planned")
                        .start(
                                "one",
                                step -> {
                                    if (tries.incrementAndGet() == 1) {
                                        Files.writeString(clients, token + "plan = \"none\"\n");
                                        isChanged.set(true);
                                        throw new IOException("tried again");
                                    }
                                    return Action.finish(
                                            JsonObject.of(
                                                    "plan",
                                                    JsonValue.of(step.clientPlan().plan()),
                                                    "params",
                                                    step.clientPlan().params()));
                                })
                        .build();
        try (var node = ArtelNode.start(config(), Blueprints.of(blueprint))) {
            var alice = client(node, "alice");
            var id = alice.submit("{\"blueprint\":\"planned\"}");
            await().until(isChanged::get);
            assertThat(TestClient.of(node).post("/api/v1/admin/reload", "").status())
                    .isEqualTo(200);

            var job = alice.get("/api/v1/jobs/" + id + "?wait=60").object();

            assertThat(job.object("result").orElseThrow())
                    .hasToString("{\"plan\":\"gold\",\"params\":{\"region\":\"eu\"}}");
            assertThat(job.object("client_config").orElseThrow().string("plan")).contains("gold");
            assertThat(alice.get("/api/v1/whoami").object().string("plan")).contains("none");
        }
    }

    /// Trap: who once had a better plan keeps it by forking a job of that time, again and again.
    @Test
    void aFork_hasThePlanAndTheHighestPriorityOfNow() throws IOException {
        var clients = data.resolve("clients.toml");
        var token = "[alice]\ntoken = \"token-of-alice-0123456\"\n";
        Files.writeString(clients, token + "plan = \"gold\"\n");
        try (var node = start(config())) {
            var alice = client(node, "alice");
            var id = alice.submit("{\"blueprint\":\"echo\",\"priority\":7}");
            var state = alice.get("/api/v1/jobs/" + id).object().string("current_state");
            Files.writeString(clients, token + "plan = \"none\"\nmax_priority = 2\n");
            assertThat(TestClient.of(node).post("/api/v1/admin/reload", "").status())
                    .isEqualTo(200);

            var fork =
                    alice.post(
                            "/api/v1/jobs/" + id + "/fork",
                            "{\"state\":\"" + state.orElseThrow() + "\"}");

            assertThat(fork.status()).as(fork.text()).isEqualTo(202);
            var forked =
                    alice.get("/api/v1/jobs/" + fork.object().string("job_id").orElseThrow())
                            .object();
            assertThat(forked.object("client_config").orElseThrow().string("plan"))
                    .contains("none");
            assertThat(forked.get("priority").map(Object::toString)).contains("2.0");
            var other = alice.get("/api/v1/jobs/" + id).object();
            assertThat(other.object("client_config").orElseThrow().string("plan")).contains("gold");
        }
    }

    /// Trap: a token that was taken away is good until the next start.
    @Test
    void aTokenOfAWorkerThatChanges_isWorthNothingAfterTheReload() throws IOException {
        var workers = data.resolve("workers.toml");
        Files.writeString(workers, "[w1]\ntoken = \"first-token-of-w1-0\"\n");
        try (var node = start(config())) {
            var operator = TestClient.of(node);
            var first = new TestClient(node.uri(), "X-Worker-Token", "first-token-of-w1-0");
            var second = new TestClient(node.uri(), "X-Worker-Token", "second-token-of-w1");
            var shared = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
            var heartbeat = "/_worker/workers/w1";
            var register = "{\"worker_id\":\"w1\",\"supported_tasks\":[\"echo\"]}";
            assertThat(first.post("/_worker/workers/register", register).status()).isEqualTo(200);
            assertThat(second.method("PATCH", heartbeat).error())
                    .isEqualTo("Unauthorized: Invalid individual worker token");

            Files.writeString(workers, "[w1]\ntoken = \"second-token-of-w1\"\n");
            assertThat(operator.post("/api/v1/admin/reload", "").status()).isEqualTo(200);
            for (var path : List.of(heartbeat, heartbeat + "/tasks/next")) {
                var refused =
                        path.equals(heartbeat) ? first.method("PATCH", path) : first.get(path);
                assertThat(refused.status()).isEqualTo(401);
                assertThat(refused.error())
                        .isEqualTo("Unauthorized: Invalid individual worker token");
            }
            assertThat(second.method("PATCH", heartbeat).status()).isEqualTo(200);
            assertThat(shared.method("PATCH", heartbeat).status()).isEqualTo(401);

            Files.delete(workers);
            assertThat(operator.post("/api/v1/admin/reload", "").status()).isEqualTo(200);
            var gone = second.method("PATCH", heartbeat);
            assertThat(gone.status()).isEqualTo(401);
            assertThat(gone.error()).isEqualTo("Unauthorized: No valid token found");
            assertThat(shared.method("PATCH", heartbeat).status()).isEqualTo(200);
        }
    }

    /// Trap: what lists hide is shown by streams.
    @Test
    void aClient_followsItsOwnJobsOnly() throws IOException {
        try (var node = start(config())) {
            var ofAlice = client(node, "alice").submit("{\"blueprint\":\"echo\"}");
            var bobs = "token-of-bob-012345678";
            var path = "/jobs/" + ofAlice + "/events";
            try (var refused = StreamReader.as(bobs, node, path, "")) {
                assertThat(refused.status()).isEqualTo(404);
            }
            try (var own = StreamReader.as("token-of-alice-0123456", node, path, "")) {
                assertThat(own.require().type()).isEqualTo("job.submitted");
            }
            var ofBob = client(node, "bob").submit("{\"blueprint\":\"echo\"}");
            try (var all = StreamReader.as(bobs, node, "/events?after=0", "")) {
                for (var i = 0; i < 4; i++) {
                    assertThat(all.require().data().string("job_id")).contains(ofBob);
                }
            }
            try (var all = StreamReader.of(node, "/events?after=0")) {
                assertThat(all.require().data().string("job_id")).contains(ofAlice);
            }
        }
    }

    @Test
    void drainsOfOperatorsAndWorkers_areInTheAudit_onceEach() throws IOException {
        try (var node = start(config())) {
            var _ = new TestWorker(node, "w1", "echo");
            var workers = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
            var operator = TestClient.of(node);
            assertThat(operator.post("/api/v1/workers/w1/drain", "").status()).isEqualTo(200);
            assertThat(operator.post("/api/v1/workers/w1/undrain", "").status()).isEqualTo(200);
            for (var status : List.of("draining", "draining", "idle")) {
                var heartbeat =
                        "{\"load\":0,\"status\":\"" + status + "\",\"supported_tasks\":[\"echo\"]}";
                assertThat(workers.patch("/_worker/workers/w1", heartbeat).status()).isEqualTo(200);
            }
        }
        var lines =
                Files.readAllLines(data.resolve("audit.jsonl")).stream()
                        .filter(line -> line.contains("drain"))
                        .toList();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0))
                .contains("\"caller\":\"default\"")
                .contains("\"path\":\"/api/v1/workers/w1/drain\"");
        assertThat(lines.get(1)).contains("\"path\":\"/api/v1/workers/w1/undrain\"");
        assertThat(lines.get(2))
                .contains("\"caller\":\"worker w1\"")
                .contains("\"act\":\"drains\"");
        assertThat(lines.get(3)).contains("\"act\":\"drains no more\"");
    }

    /// Trap: a stream that was opened with a token goes on when the token is taken away.
    @Test
    void aStream_endsWhenTheFilesAreReadAgain_andOnlyAGoodTokenTakesItUp() throws IOException {
        var alices = "token-of-alice-0123456";
        try (var node = start(config());
                var stream = StreamReader.as(alices, node, "/events?after=0", "")) {
            client(node, "alice").submit("{\"blueprint\":\"echo\"}");
            var first = stream.require();
            Files.writeString(
                    data.resolve("clients.toml"), "[bob]\ntoken = \"token-of-bob-012345678\"\n");

            assertThat(TestClient.of(node).post("/api/v1/admin/reload", "").status())
                    .isEqualTo(200);

            assertThat(isAtItsEnd(stream)).isTrue();
            var last = Long.toString(first.id());
            try (var refused = StreamReader.as(alices, node, "/events", last)) {
                assertThat(refused.status()).isEqualTo(401);
            }
        }
    }

    private static boolean isAtItsEnd(StreamReader stream) {
        try {
            for (var i = 0; i < 100; i++) {
                if (stream.next() == null) {
                    return true;
                }
            }
            return false;
        } catch (SocketTimeoutException goesOn) {
            return false;
        } catch (IOException brokenOff) {
            return true;
        }
    }
}
