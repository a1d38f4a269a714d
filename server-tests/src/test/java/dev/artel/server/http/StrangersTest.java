package dev.artel.server.http;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.LogLines;
import dev.artel.server.RawHttp;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the orchestrator does for those whom it does not know, and with what they may not do.
final class StrangersTest {
    private static final List<String> WORKER_ROUTES =
            List.of(
                    "/_worker/workers/register",
                    "/_worker/workers/w/renew",
                    "/_worker/tasks/release",
                    "/_worker/tasks/result",
                    "/_worker/tasks/results",
                    "/_worker/events",
                    "/_worker/auth/token",
                    "/_worker/skills/call",
                    "/skills/call");

    @TempDir private static Path folder;

    private static ArtelNode node;

    @BeforeAll
    static void start() {
        var config = TestNodes.CONFIG.withData(folder.resolve("data"));
        var logs = config.ingress().logs().withAccess(folder.resolve("access.jsonl"));
        node =
                ArtelNode.start(
                        config.withIngress(config.ingress().withLogs(logs)),
                        withLeased(SampleBlueprints.all()));
    }

    /// With one whose tasks no other test takes.
    private static Blueprints withLeased(Blueprints blueprints) {
        blueprints.register(
                Blueprint.named("leased")
                        .start(
                                "send",
                                step ->
                                        Action.dispatch(
                                                TaskSpec.of("leased", step.initialData()),
                                                Outcomes.on("success", "end")))
                        .leadingTo("end")
                        .end("end")
                        .build());
        return blueprints;
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    /// Trap: the server reads and parses megabytes of each request before it looks at the token.
    @Test
    void theBodyOfAStranger_isNotWaitedFor() throws IOException {
        var open = new ArrayList<RawHttp>();
        try {
            for (var route : WORKER_ROUTES) {
                open.add(
                        new RawHttp(node)
                                .send(
                                        "POST "
                                                + route
                                                + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer nobody-knows-this\r\n"
                                                + "Expect: 100-continue\r\nContent-Length: 8000000\r\n\r\n"));
            }
            for (var i = 0; i < open.size(); i++) {
                assertThat(open.get(i).hear())
                        .as(WORKER_ROUTES.get(i))
                        .startsWith("HTTP/1.1 401 ")
                        .doesNotContain("100 Continue");
            }
        } finally {
            for (var each : open) {
                each.close();
            }
        }
    }

    @Test
    void wrongTokensOfWorkers_areLogged_andHaveToWaitWhenTheyAreTooMany() {
        try (var second =
                        ArtelNode.start(
                                TestNodes.CONFIG.withData(folder.resolve("second")),
                                SampleBlueprints.all());
                var log = LogLines.of("dev.artel.access.WorkerRates")) {
            var stranger = new TestClient(second.uri(), "Authorization", "Bearer no-token-of-ours");

            var refused =
                    await("too many tokens were refused")
                            .pollInterval(Duration.ofMillis(1))
                            .pollDelay(Duration.ZERO)
                            .until(
                                    () -> stranger.get("/_worker/workers/w/tasks/next"),
                                    answer -> answer.status() == 429);

            assertThat(refused.detail()).contains("too many tokens from");
            assertThat(refused.header("Retry-After")).isPresent();
            assertThat(log.texts())
                    .hasSizeGreaterThanOrEqualTo(120)
                    .allMatch(line -> line.contains("a message of a worker was refused"))
                    .allMatch(line -> line.contains("from="))
                    .noneMatch(line -> line.contains("no-token-of-ours"));
            assertThat(new TestWorker(second, "honest", "a").poll().status()).isEqualTo(204);
        }
    }

    /// Trap: the server counts tokens that are refused where requests bring them, and not where they are refreshed.
    @Test
    void wrongTokensToRefresh_haveToWaitWhenTheyAreTooMany() {
        try (var second =
                ArtelNode.start(
                        TestNodes.CONFIG.withData(folder.resolve("refreshed")),
                        SampleBlueprints.all())) {
            var stranger = new TestClient(second.uri(), "X-Other", "nothing");

            var refused =
                    await("too many tokens were refused")
                            .pollInterval(Duration.ofMillis(1))
                            .pollDelay(Duration.ZERO)
                            .until(
                                    () ->
                                            stranger.post(
                                                    "/_worker/auth/token/refresh",
                                                    "{\"refresh_token\":\"artel-x1.guess\"}"),
                                    answer -> answer.status() == 429);

            assertThat(refused.detail()).contains("too many tokens from");
        }
    }

    /// Trap: `HEAD` is answered 200 wherever there is a `GET`, without a look at the token or at what it is about.
    @Test
    void theHead_isAnsweredAsTheWholeWouldBe() {
        var client = TestClient.of(node);
        var stranger = new TestClient(node.uri(), "X-Other", "nothing");
        var job = client.submit("{\"blueprint\":\"echo\"}");

        assertThat(head(client, "/healthz")).isEqualTo(200);
        assertThat(head(client, "/api/v1/jobs/" + job)).isEqualTo(200);
        assertThat(head(client, "/api/v1/jobs/none")).isEqualTo(404);
        assertThat(head(client, "/api/v1/jobs?colour=red")).isEqualTo(400);
        assertThat(head(stranger, "/api/v1/jobs/" + job)).isEqualTo(401);
        for (var stream : List.of("/api/v1/events", "/api/v1/jobs/" + job + "/events")) {
            assertThat(head(client, stream)).as(stream).isEqualTo(405);
        }
    }

    /// Trap: a poll without a body is one for the server, which leases a task to it, and is none for the worker.
    @Test
    void theHeadOfAPoll_isRefused_andTakesNoTask() {
        var worker = new TestWorker(node, "headless", "echo");
        TestClient.of(node).submit("{\"blueprint\":\"echo\"}");

        var poll = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());

        assertThat(head(poll, "/_worker/workers/headless/tasks/next")).isEqualTo(405);

        assertThat(worker.next().string("type")).hasValue("echo");
    }

    private static int head(TestClient client, String path) {
        return client.method("HEAD", path).status();
    }

    /// Trap: what a header makes a change of is a `GET` for the audit, and for proxies that let only these pass.
    @Test
    void anotherMethodInAHeader_isRefused() {
        var client = TestClient.of(node);
        for (var header : List.of("X-HTTP-Method-Override", "x-http-method", "X-Method-Override")) {
            var answer = client.with(header, "PUT").get("/api/v1/admin/pauses/blueprints/zzz");

            assertThat(answer.status()).as(header).isEqualTo(400);
            assertThat(answer.detail()).contains("send the request with the method itself");
        }
        assertThat(client.get("/api/v1/admin/pauses").text()).doesNotContain("zzz");
    }

    @Test
    void answers_areNothingForABrowserToGuessOrKeep() {
        var client = TestClient.of(node);
        for (var path : List.of("/api/v1/jobs", "/api/v1/nothing", "/metrics", "/healthz")) {
            var answer = client.get(path);

            assertThat(answer.header("X-Content-Type-Options")).as(path).hasValue("nosniff");
            assertThat(answer.header("Cache-Control")).as(path).hasValue("no-store");
            assertThat(answer.header("Content-Security-Policy"))
                    .as(path)
                    .hasValue("default-src 'none'; sandbox");
            assertThat(answer.header("Strict-Transport-Security")).as(path).isEmpty();
        }
    }

    /// Trap: what belongs to a socket lies where the log looks for the name of a client's token.
    @Test
    void tokens_areNotInTheLogOfRequests() throws Exception {
        var worker = new TestWorker(node, "socketed", "leased");
        TestClient.of(node).submit("{\"blueprint\":\"leased\"}");
        var lease = worker.next().string("task_id").orElseThrow();
        var http = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
        var escaped = lease.replace(".", "%2E");
        for (var token : List.of(lease, escaped)) {
            var path = "/_worker/workers/socketed/tasks/" + token;
            assertThat(http.post(path + "/logs", "{\"lines\":[]}").status()).isEqualTo(200);
            http.post(path + "/question", "{\"question\":7}");
        }
        for (var path : List.of("/_worker/ws", "/_worker/ws/socketed", "/ws/worker")) {
            HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .header("Authorization", "Bearer " + node.workerToken())
                    .buildAsync(
                            URI.create("ws://" + node.uri().getAuthority() + path),
                            new WebSocket.Listener() {})
                    .get()
                    .abort();
        }
        TestClient.of(node).get("/api/v1/jobs");
        var access = folder.resolve("access.jsonl");
        var task = "/tasks/" + new LeaseToken(lease).handOut();
        await("all requests are in the log")
                .untilAsserted(() ->
                        assertThat(Files.readString(access))
                                .contains("\"/ws/worker\"", "\"/api/v1/jobs\"")
                                .contains("\"/_worker/ws\"", "/_worker/ws/socketed")
                                .contains(task + "/logs\"", task + "/question\""));

        assertThat(Files.readString(access))
                .doesNotContain(node.workerToken(), node.clientToken(), lease, escaped);
    }

    /// Trap: a number is short, and what is done with it takes minutes, or gigabytes.
    @Test
    void numbersWithoutMeasure_areRefusedAtOnce() {
        var client = TestClient.of(node);
        for (var number :
                List.of(
                        "1e-640000000",
                        "1e640000000",
                        "\"1e-640000000\"",
                        "\"" + "7".repeat(900_000) + "\"")) {
            for (var limit : List.of("cost_usd", "tokens")) {
                var answer =
                        client.post(
                                "/api/v1/jobs",
                                "{\"blueprint\":\"echo\",\"budget\":{\"%s\":%s}}"
                                        .formatted(limit, number));

                assertThat(answer.status()).isEqualTo(400);
                assertThat(answer.text()).contains(limit + " of ").hasSizeLessThan(1_000);
            }
        }
    }

    /// Trap: the amount is brought to nine decimals in the one thread of all conversations with workers.
    @Test
    void amountsWithoutMeasureInAResult_countAsNotReported() {
        var client = TestClient.of(node);
        var worker = new TestWorker(node, "spender", "echo");
        var job = client.submit("{\"blueprint\":\"echo\"}");
        var task = worker.next();

        var metrics = JsonObject.of("cost_usd", new JsonString("1e-640000000"));
        assertThat(worker.report(task, JsonObject.of("metrics", metrics)).status()).isEqualTo(200);

        await("the job is over")
                .until(() -> client.get("/api/v1/jobs/" + job).text().contains("\"finished\""));
    }
}
