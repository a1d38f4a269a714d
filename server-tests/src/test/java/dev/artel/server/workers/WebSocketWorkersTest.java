package dev.artel.server.workers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ProxySettings;
import dev.artel.json.JsonObject;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.waits.Await;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Workers on WebSockets and the whole orchestrator.
@Timeout(Await.HUNG)
final class WebSocketWorkersTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Storage storage = TestNodes.storage();
    private ArtelNode node = TestNodes.on(storage);
    private TestClient client = TestClient.of(node);
    private TestClient workers = workers();

    private TestClient workers() {
        return new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
    }

    @AfterEach
    void close() {
        node.close();
    }

    private void restart() {
        node.close();
        node = TestNodes.on(storage);
        client = TestClient.of(node);
        workers = workers();
    }

    private String submit() {
        return client.submit("{\"blueprint\":\"echo\",\"initial_data\":{\"x\":1}}");
    }

    private JsonObject worker(String id) {
        return client.get("/api/v1/workers/" + id).object();
    }

    private void awaitFinished(String job) {
        Await.await("job " + job).until(() -> status(job).equals("finished"));
        Await.await()
                .until(() ->
                        worker("w1")
                                        .object("attempts")
                                        .flatMap(attempts -> attempts.number("lost"))
                                        .orElseThrow()
                                        .asLong()
                                == 0);
    }

    private String status(String job) {
        return client.get("/api/v1/jobs/" + job).object().string("status").orElse("");
    }

    private static String id(JsonObject request) {
        return request.string("requestId").orElseThrow();
    }

    private Answer register() {
        return workers.post(
                "/_worker/workers/register",
                "{\"worker_id\":\"w1\",\"instance\":\"process-1\",\"supported_tasks\":[\"echo\"]}");
    }

    @Test
    void aTaskIsPushed_andTheJobGoesOnWithItsResult() throws Exception {
        try (var worker = PushedTestWorker.of(node, "", "w1", "echo")) {
            var job = submit();

            var request = worker.await("work_request", 1);
            worker.complete(id(request));

            assertThat(worker.await("work_complete_ack", 1).string("status"))
                    .hasValue("result_accepted_success");
            awaitFinished(job);
            assertThat(request.object("task").flatMap(task -> task.object("params")).toString())
                    .contains("\"x\":1");
        }
    }

    @Test
    void theFleet_namesTheWireOfEachWorker() throws Exception {
        try (var _ = PushedTestWorker.of(node, "", "w1", "echo")) {
            workers.post(
                    "/_worker/workers/register",
                    "{\"worker_id\":\"w2\",\"supported_tasks\":[\"echo\"]}");

            Await.await().until(() -> worker("w1").string("wire").orElse("").equals("websocket"));
            assertThat(worker("w2").string("wire")).hasValue("http");
            assertThat(worker("w1").array("supported_tasks").toString()).contains("echo");
        }
    }

    @Test
    void aPushedTask_isReportedOverHttp_afterItsWorkerHasChangedTheWire() throws Exception {
        var job = submit();
        String token;
        try (var worker = PushedTestWorker.of(node, "", "w1", "echo")) {
            token = id(worker.await("work_request", 1));
            worker.send("{\"type\":\"work_accepted\",\"requestId\":\"" + token + "\"}");
            worker.send("{\"type\":\"heartbeat\",\"workerId\":\"w1\"}");
            worker.await("heartbeat_ack", 1);
        }

        assertThat(register().status()).isEqualTo(200);
        assertThat(workers.method("PATCH", "/_worker/workers/w1").status()).isEqualTo(200);
        var answer =
                workers.post(
                        "/_worker/tasks/result",
                        """
                        {"job_id":"%s","task_id":"%s","worker_id":"w1","result":{"status":"success","data":{}}}
                        """
                                .formatted(job, token));

        assertThat(answer.object().string("status")).hasValue("result_accepted_success");
        awaitFinished(job);
        assertThat(worker("w1").string("wire")).hasValue("http");
    }

    @Test
    void aPolledTask_isReportedOverAWebSocket_andIsNotPushedAgain() throws Exception {
        register();
        var job = submit();
        var task = workers.get("/_worker/workers/w1/tasks/next").object();
        var token = task.string("task_id").orElseThrow();

        try (var worker = PushedTestWorker.of(node, "", "w1", "echo", token)) {
            assertThat(worker.await("leases", 1).array("renewed").toString()).contains(token);
            worker.complete(token);
            assertThat(worker.await("work_complete_ack", 1).string("status"))
                    .hasValue("result_accepted_success");
            worker.complete(token);
            assertThat(worker.await("work_complete_ack", 2).string("status"))
                    .hasValue("result_accepted_success");
            awaitFinished(job);
            var next = submit();
            assertThat(
                            worker.await("work_request", 1)
                                    .object("task")
                                    .orElseThrow()
                                    .string("job_id"))
                    .hasValue(next);
        }
    }

    @Test
    void aTaskOutlastsTheRestartOfTheOrchestrator() throws Exception {
        var job = submit();
        String token;
        try (var worker = PushedTestWorker.of(node, "", "w1", "echo")) {
            token = id(worker.await("work_request", 1));
            worker.send("{\"type\":\"work_accepted\",\"requestId\":\"" + token + "\"}");
            worker.send("{\"type\":\"heartbeat\",\"workerId\":\"w1\"}");
            worker.await("heartbeat_ack", 1);
            restart();
            assertThat(worker.closed()).isEqualTo("1001 Server shutting down");
        }

        try (var again = PushedTestWorker.of(node, "", "w1", "echo", token)) {
            again.await("leases", 1);
            again.complete(token);

            assertThat(again.await("work_complete_ack", 1).string("status"))
                    .hasValue("result_accepted_success");
            awaitFinished(job);
        }
    }

    @Test
    void anOperatorsDrain_isSentToTheWorker_whichIsClosedWhenItHasNothingLeft() throws Exception {
        try (var worker = PushedTestWorker.of(node, "", "w1", "echo")) {
            Await.await().until(() -> worker("w1").string("state").orElse("").equals("idle"));

            client.post("/api/v1/workers/w1/drain", "{\"reason\":\"new disk\"}");

            assertThat(worker.await("drain_request", 1).string("reason")).hasValue("new disk");
            assertThat(worker.closed()).isEqualTo("4410 Draining complete");
        }
    }

    @Test
    void largeValues_areFetchedAndPut_atTheAddressesOfTheTask() throws Exception {
        var text = "x".repeat(200_000);
        var job =
                client.submit(
                        "{\"blueprint\":\"echo\",\"initial_data\":{\"text\":\"" + text + "\"}}");
        try (var worker = PushedTestWorker.of(node, "", "w1", "echo")) {
            var request = worker.await("work_request", 1);
            var task = request.object("task").orElseThrow();
            var large = task.object("large_values").orElseThrow();
            var url = large.object("params").flatMap(its -> its.string("url")).orElseThrow();
            assertThat(task.object("params")).contains(JsonObject.EMPTY);
            assertThat(send("GET", url, "").body()).contains(text);

            var put = send("PUT", large.string("put").orElseThrow(), "{\"by\":\"value\"}");
            assertThat(put.statusCode()).isEqualTo(201);
            worker.send(
                    """
                    {"type":"work_complete","requestId":"%s","large_data":%s}
                    """
                            .formatted(id(request), put.body()));

            assertThat(worker.await("work_complete_ack", 1).string("status"))
                    .hasValue("result_accepted_success");
            awaitFinished(job);
            assertThat(client.get("/api/v1/jobs/" + job).text()).contains("\"by\"");
        }
    }

    private HttpResponse<String> send(String method, String url, String body) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(node.uri().resolve(url))
                        .timeout(Await.longest())
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void behindABasePath_workersConnectBelowIt() throws Exception {
        node.close();
        var config =
                TestNodes.CONFIG.withIngress(
                        TestNodes.CONFIG
                                .ingress()
                                .withProxy(ProxySettings.DEFAULTS.withBasePath("/artel")));
        node = ArtelNode.start(config, SampleBlueprints.all(), storage);

        try (var worker = PushedTestWorker.of(node, "/artel", "w1", "echo")) {
            assertThat(worker.await("worker_registration_ack", 1).string("delivery"))
                    .hasValue("push");
        }
    }

    @Test
    void aRequestThatIsNoUpgrade_isRefused() {
        assertThat(client.get("/ws/worker").status()).isEqualTo(400);
        assertThat(client.get("/ws/other").status()).isEqualTo(404);
    }
}
