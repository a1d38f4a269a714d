package dev.artel.server.http;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.server.ArtelNode;
import dev.artel.server.RawHttp;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BadRequestsTest {
    private static final String TOKEN = "X-Client-Token: client-token-of-the-tests\r\n";

    private static ArtelNode node;
    private static TestClient client;

    /// One that waits for no request longer than a second.
    private static ArtelNode hasty;

    @BeforeAll
    static void start() {
        node = TestNodes.inMemory();
        client = TestClient.of(node);
        hasty =
                TestNodes.inMemory(
                        TestNodes.CONFIG
                                .http()
                                .withTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(1)));
    }

    @AfterAll
    static void stop() {
        hasty.close();
        node.close();
    }

    /// Trap: anybody who reaches the address empties the database, or pushes a job along.
    @ParameterizedTest
    @CsvSource({
        "/_public/debug/flush_db, 404",
        "/_public/webhooks/approval/00000000-0000-7000-8000-000000000000, 401",
        "/_public/jobs/x/cancel, 404"
    })
    void nothingIsChangedWithoutAToken(String path, int status) {
        var nobody = new TestClient(node.uri(), "X-Other", "x");

        assertThat(nobody.post(path, "{\"decision\":\"yes\"}").status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /nope, 404, Not found: /nope",
        "GET, /api/v2/jobs, 404, Not found: /api/v2/jobs",
        "PUT, /api/v1/jobs, 405, Method not allowed: PUT /api/v1/jobs",
        "PUT, /api/v1/jobs/x, 405, Method not allowed: PUT /api/v1/jobs/x",
        "POST, /healthz, 405, Method not allowed: POST /healthz"
    })
    void whatIsNotServed_isAnsweredInJson(String method, String path, int status, String error) {
        var answer = client.method(method, path);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.error()).isEqualTo(error);
    }

    @ParameterizedTest
    @CsvSource({
        "'GARBAGE', 400",
        "'GET / HTTP/9.9\r\nHost: x', 505",
        "'GET /a%00b HTTP/1.1\r\nHost: x', 400",
        "'GET / HTTP/1.1', 400",
        "'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1', 400",
        "'PATCH / HTTP/1.1\r\nHost : x', 400",
        "'PRI * HTTP/2.0\r\n\r\nSM', 426",
        "'GET /_worker/ws HTTP/1.1\r\nHost: x\r\nX-Worker-Token: worker-token-of-the-tests', 400",
        "'GET /ws/worker HTTP/1.1\r\nHost: x', 400",
        "'POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked', 400"
    })
    void whatIsNoHttp_isRefusedInJson(String request, int status) throws Exception {
        try (var raw = new RawHttp(node)) {
            var answer = raw.send(request + "\r\n\r\n").end().hear();

            assertThat(answer).startsWith("HTTP/1.1 " + status);
            assertThat(answer)
                    .contains("{\"error\":", "\"code\":")
                    .doesNotContain("<html", "\tat ");
        }
    }

    @Test
    void aHeadOverTheLimit_isRefusedInJson() throws Exception {
        try (var raw = new RawHttp(node)) {
            var answer =
                    raw.send(
                                    "GET /healthz HTTP/1.1\r\nHost: x\r\nA: "
                                            + "a".repeat(9000)
                                            + "\r\n\r\n")
                            .hear();

            assertThat(answer).startsWith("HTTP/1.1 431");
            assertThat(answer).contains("{\"error\":\"Request Header Fields Too Large\"");
        }
    }

    /// Trap: a head of eight kilobytes has fifteen hundred fields, each of which takes a hundred bytes for as long as it arrives.
    @Test
    void aHeadWithManyFields_isRefusedBeforeItsEnd() throws Exception {
        try (var raw = new RawHttp(node)) {
            var answer =
                    raw.send("GET /healthz HTTP/1.1\r\nHost: x\r\n" + "a:\r\n".repeat(101)).hear();

            assertThat(answer).startsWith("HTTP/1.1 431");
            assertThat(answer).contains("{\"error\":\"Request Header Fields Too Large\"");
        }
        try (var raw = new RawHttp(node)) {
            raw.send("GET /healthz HTTP/1.1\r\nHost: x\r\n" + "a:\r\n".repeat(98));
            assertThat(raw.send("Connection: close\r\n\r\n").hear()).startsWith("HTTP/1.1 200");
        }
    }

    /// Trap: an address of eight kilobytes has two thousand parameters, which are kept for as long as its request waits.
    @Test
    void anAddressWithManyParameters_isRefused() throws Exception {
        try (var raw = new RawHttp(node)) {
            var answer =
                    raw.send(
                                    "GET /_worker/workers/w/tasks/next?a"
                                            + "&a".repeat(100)
                                            + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            .hear();

            assertThat(answer).startsWith("HTTP/1.1 400");
            assertThat(answer).contains("an address has at most 100 parameters");
        }
    }

    /// Trap: what comes behind a body has no bound of its own.
    @Test
    void manyFieldsBehindABody_endTheConnection() throws Exception {
        try (var raw = new RawHttp(node)) {
            raw.send(
                    "POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                            + TOKEN
                            + "\r\n2\r\n{}\r\n0\r\n"
                            + "a:\r\n".repeat(102));

            assertThat(raw.hear()).startsWith("HTTP/1.1 4");
        }
    }

    @Test
    void aChunkedBodyOverTheLimit_isRefused() throws Exception {
        try (var raw = new RawHttp(node)) {
            raw.send(
                    "POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                            + TOKEN
                            + "\r\n");
            var chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
            for (var i = 0; i < 17; i++) {
                raw.send(chunk);
            }

            var answer = raw.send("0\r\n\r\n").end().hear();

            assertThat(answer).startsWith("HTTP/1.1 413").contains("Body too large");
        }
    }

    @Test
    void aBodyThatEndsEarly_isRefused() throws Exception {
        try (var raw = new RawHttp(node)) {
            var answer =
                    raw.send(
                                    "POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
                                            + TOKEN
                                            + "\r\n{\"blue")
                            .end()
                            .hear();

            assertThat(answer).startsWith("HTTP/1.1 400");
            assertThat(answer).contains("{\"error\":\"Incomplete body\"");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /healthz HTTP/1.1\r\nHost: x\r\nA: ",
                "POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n"
                        + TOKEN
                        + "\r\n",
                "POST /_worker/tasks/result HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\nX-Worker-Token: x\r\n\r\n"
            })
    void aRequestThatTrickles_isEnded(String begin) throws Exception {
        try (var raw = new RawHttp(hasty)) {
            raw.send(begin);

            await().pollInterval(Duration.ofMillis(100)).until(() -> !raw.isOpenFor("x"));
        }
        assertThat(TestClient.of(hasty).get("/healthz").status()).isEqualTo(200);
    }

    @Test
    void aPollThatWaitsLongerThanARequestMayTake_staysOpen() {
        var client = TestClient.of(hasty);
        var worker = new TestWorker(hasty, "patient", "noop");
        var thread =
                Thread.ofVirtual()
                        .unstarted(() ->
                                await().pollDelay(Duration.ofSeconds(3))
                                        .until(() ->
                                                !client.submit("{\"blueprint\":\"chain3\"}")
                                                        .isEmpty()));
        thread.start();

        assertThat(worker.next().string("type")).contains("noop");
    }

    @Test
    void aTokenIsRequired_andMustBeOurs() {
        for (var path : new String[] {"/api/v1/jobs", "/api/v1/jobs/x", "/api/v1/jobs/x/history"}) {
            var missing = new TestClient(node.uri(), "", "").get(path);
            var wrong = new TestClient(node.uri(), "X-Client-Token", "wrong").get(path);
            var workers =
                    new TestClient(node.uri(), "X-Client-Token", node.workerToken()).get(path);

            assertThat(missing.status()).isEqualTo(401);
            assertThat(missing.error()).isEqualTo("Missing client token");
            assertThat(missing.header("WWW-Authenticate")).contains("Bearer realm=\"artel\"");
            assertThat(wrong.status()).isEqualTo(401);
            assertThat(wrong.error()).isEqualTo("Unauthorized: Invalid token");
            assertThat(workers.status()).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @CsvSource({"X-Avtomatika-Token, ''", "X-Client-Token, ''", "Authorization, 'Bearer '"})
    void aTokenMayComeInAnyOfThreeHeaders(String header, String scheme) {
        var known = new TestClient(node.uri(), header, scheme + node.clientToken());

        assertThat(known.get("/api/v1/jobs").status()).isEqualTo(200);
    }

    @Test
    void anybodyMayAskHowItIs() {
        var anybody = new TestClient(node.uri(), "", "");

        assertThat(anybody.get("/_public/status").text()).isEqualTo("{\"status\":\"ok\"}");
        assertThat(anybody.get("/healthz").text()).isEqualTo("{\"status\":\"ok\"}");
        assertThat(anybody.get("/readyz").text()).isEqualTo("{\"status\":\"ready\"}");
        client.submit("{\"blueprint\":\"echo\"}");
        await().untilAsserted(() ->
                assertThat(anybody.get("/metrics").text())
                        .contains("orchestrator_jobs_total{blueprint=\"echo\"} 1.0")
                        .contains("artel_appends_total", "artel_commits_total")
                        .contains("orchestrator_task_queue_length")
                        .contains("orchestrator_active_workers", "jvm_memory_used_bytes")
                        .contains("artel_jobs{status=", "artel_http_answers_total{status=\"2xx\"}")
                        .contains(
                                "artel_streams 0.0",
                                "artel_log_lines_total{outcome=\"kept\"} 0.0"));
        assertThat(anybody.get("/_public/metrics").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=x", "limit=0", "limit=1001", "limit=99999999999", "limit="})
    void aPageThatNobodyCanRead_isRefused(String query) {
        var answer = client.get("/api/v1/jobs?" + query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo("Invalid limit/offset parameter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"61", "-1", "soon", "NaN", ""})
    void aWaitThatIsNone_isRefused(String wait) {
        var answer = client.get("/api/v1/jobs/x?wait=" + wait);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo("Invalid wait parameter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/history", "/tasks/0", "?wait=1"})
    void anUnknownJob_isNotFound(String rest) {
        for (var id : new String[] {"00000000-0000-7000-8000-000000000000", "no%20id"}) {
            var answer = client.get("/api/v1/jobs/" + id + rest);

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.error()).isEqualTo("Job not found");
        }
        assertThat(client.post("/api/v1/jobs/nobody/cancel", "").error())
                .isEqualTo("Job not found");
    }
}
