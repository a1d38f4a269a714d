package dev.artel.server.workers;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.AccessSettings;
import dev.artel.config.PayloadSettings;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.VerifiedBytes;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.RawHttp;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.waits.Await;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Workers that fetch and put large values by themselves.
final class WorkerValuesTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final int MAX = 1 << 20;
    private static final String TEXT = "x".repeat(100_000);
    private static final String LARGE = "{\"text\":\"" + TEXT + "\"}";

    @TempDir private Path folder;

    private ArtelNode node;
    private TestClient client;
    private TestClient worker;

    @BeforeEach
    void start() {
        open();
        var _ = new TestWorker(node, "w", "echo");
    }

    private void open() {
        var config =
                TestNodes.CONFIG
                        .withData(folder)
                        .withPayloads(PayloadSettings.DEFAULTS.withMaxBytes(MAX));
        node = ArtelNode.start(config, SampleBlueprints.all());
        client = TestClient.of(node);
        worker = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private JsonObject task(String query) {
        return worker.get("/_worker/workers/w/tasks/next" + query).object();
    }

    private String submit(String data) {
        return client.submit("{\"blueprint\":\"echo\",\"initial_data\":" + data + "}");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HTTP.send(
                request.timeout(Await.longest()).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder to(String url) {
        return HttpRequest.newBuilder(node.uri().resolve(url));
    }

    private HttpResponse<String> put(String url, String body) throws Exception {
        return send(to(url).PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static String putUrl(JsonObject task) {
        return task.object("large_values").flatMap(its -> its.string("put")).orElseThrow();
    }

    @Test
    void aWorkerThatAsks_getsAReference_fetchesIt_andAnybodyElseGetsTheValue() throws Exception {
        submit(LARGE);
        submit(LARGE);

        var task = task("?inline=65536");
        var params = task.object("large_values").flatMap(its -> its.object("params")).orElseThrow();
        var fetched = send(to(params.string("url").orElseThrow()).GET());

        assertThat(task.object("params")).contains(JsonObject.EMPTY);
        assertThat(params.number("bytes").map(JsonNumber::asLong)).contains((long) LARGE.length());
        assertThat(fetched.statusCode()).isEqualTo(200);
        assertThat(fetched.body()).isEqualTo(LARGE);
        assertThat(fetched.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(fetched.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(params.string("sha256").orElseThrow()).isEqualTo(digest(LARGE));
        assertThat(task("").object("params").orElseThrow().string("text")).contains(TEXT);
    }

    @Test
    void parametersThatAreNotLargerThanAskedFor_comeInTheMessage() {
        submit(LARGE);

        var task = task("?max=1&inline=200000").array("tasks").orElseThrow().values().getFirst();

        assertThat(((JsonObject) task).object("params").orElseThrow().string("text"))
                .contains(TEXT);
        assertThat(putUrl((JsonObject) task)).startsWith("/_worker/values?until=");
    }

    @Test
    void aLargeResult_isPut_andReported() throws Exception {
        var id = submit("{}");
        var task = task("?inline=0");

        var put = put(putUrl(task), LARGE);
        assertThat(put.statusCode()).isEqualTo(201);
        assertThat(put.body()).contains(digest(LARGE));
        assertThat(report(task, digest(LARGE)).status()).isEqualTo(200);

        var job = client.get("/api/v1/jobs/" + id + "?wait=60").object();
        assertThat(job.string("status")).contains("finished");
        assertThat(job.object("result").orElseThrow())
                .isEqualTo(JsonObject.of("text", JsonValue.of(TEXT)));
    }

    /// Trap: a result whose value never came would break its job wherever it is read.
    @Test
    void aResultWhoseValueWasNotPut_isAFailure() {
        var id = submit("{}");

        assertThat(report(task("?inline=0"), "0".repeat(64)).text()).contains("failure");

        assertThat(client.get("/api/v1/jobs/" + id + "/history").text())
                .contains("which was not put");
    }

    private Answer report(JsonObject task, String sha256) {
        var data =
                JsonObject.of(
                        "sha256", JsonValue.of(sha256), "bytes", JsonValue.of(LARGE.length()));
        var result = JsonObject.of("status", JsonValue.of("success"), "large_data", data);
        return worker.post(
                "/_worker/tasks/result",
                JsonObject.of("worker_id", JsonValue.of("w"), "result", result)
                        .with("job_id", task.get("job_id").orElseThrow())
                        .with("task_id", task.get("task_id").orElseThrow())
                        .toString());
    }

    @Test
    void whatIsPut_isOneJsonValueOfAllowedSize_andWhatWasSent() throws Exception {
        submit("{}");
        var url = putUrl(task("?inline=0"));

        assertThat(put(url, "{\"a\":1} more").statusCode()).isEqualTo(400);
        assertThat(put(url, "{\"a\":1,\"a\":2}").body()).contains("Duplicate field 'a'");
        assertThat(put(url, "").statusCode()).isEqualTo(400);
        var large = put(url, "\"" + "x".repeat(MAX) + "\"");
        assertThat(large.statusCode()).isEqualTo(413);
        assertThat(large.body()).contains("Value too large").contains("payloads.max-bytes");
        var unannounced =
                send(
                        to(url).PUT(
                                        HttpRequest.BodyPublishers.ofByteArrays(
                                                Collections.nCopies(20, new byte[MAX / 10]))));
        assertThat(unannounced.statusCode()).isEqualTo(413);
        var damaged =
                send(
                        to(url).header("X-Content-SHA256", "0".repeat(64))
                                .PUT(HttpRequest.BodyPublishers.ofString(LARGE)));
        assertThat(damaged.statusCode()).isEqualTo(400);
        assertThat(damaged.body()).contains("Value damaged").contains(digest(LARGE));
    }

    /// Trap: each value that breaks off keeps one of few places, or is reported as a bug of the orchestrator.
    @Test
    void aValueThatBreaksOff_isRefused_howeverOften() throws Exception {
        submit("{}");
        var url = putUrl(task("?inline=0"));

        for (var i = 0; i < 20; i++) {
            try (var raw = new RawHttp(node)) {
                var answer =
                        raw.send(
                                        "PUT "
                                                + url
                                                + " HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{\"a\"")
                                .end()
                                .hear();

                assertThat(answer).startsWith("HTTP/1.1 400").contains("Incomplete body");
            }
        }
        assertThat(put(url, "{}").statusCode()).isEqualTo(201);
    }

    /// Trap: an address that is given to one task opens the values of all others.
    @Test
    void anAddress_isGoodForItselfAlone() throws Exception {
        submit(LARGE);
        var task = task("?inline=0");
        var put = putUrl(task);
        var fetch = paramsUrl(task);
        var other = fetch.replace(digest(LARGE), digest("other"));

        assertThat(send(to(other).GET()).statusCode()).isEqualTo(403);
        assertThat(send(to(fetch.replaceAll("until=\\d+", "until=9999999999")).GET()).statusCode())
                .isEqualTo(403);
        assertThat(put(fetch, LARGE).statusCode()).isEqualTo(405);
        assertThat(send(to("/_worker/values/" + digest(LARGE)).GET()).statusCode()).isEqualTo(401);
        assertThat(
                        send(to("/_worker/values").PUT(HttpRequest.BodyPublishers.ofString("{}")))
                                .statusCode())
                .isEqualTo(401);
        assertThat(worker.get(other).status()).isEqualTo(403);
        assertThat(worker.get(fetch).status()).isEqualTo(200);
        assertThat(worker.get("/_worker/values/..").status()).isBetween(400, 404);
        assertThat(put).doesNotContain(node.workerToken());
    }

    @Test
    void anAddress_isGoodAfterARestart_withATokenInEitherHeader_andWithout() throws Exception {
        submit(LARGE);
        var url = paramsUrl(task("?inline=0"));

        restart();

        var bearer = new TestClient(node.uri(), "Authorization", "Bearer " + node.workerToken());
        assertThat(send(to(url).GET()).body()).isEqualTo(LARGE);
        assertThat(worker.get(url).text()).isEqualTo(LARGE);
        assertThat(bearer.get(url).text()).isEqualTo(LARGE);
        assertThat(new TestClient(node.uri(), "X-Worker-Token", "wrong").get(url).status())
                .isEqualTo(401);
    }

    private static String paramsUrl(JsonObject task) {
        return task.object("large_values")
                .flatMap(its -> its.object("params"))
                .flatMap(its -> its.string("url"))
                .orElseThrow();
    }

    private void restart() {
        node.close();
        open();
    }

    /// Trap: who knows the digest of a value of another client reads it with the token of any worker.
    @Test
    void aTokenWithoutTheAddress_readsNoValue() {
        submit(LARGE);
        var path = "/_worker/values/" + digest(LARGE);

        for (var url : List.of(path, path + "?until=9999999999&signature=" + "0".repeat(64))) {
            assertThat(worker.get(url).status()).isEqualTo(403);
        }
        assertThat(worker.get(path).detail()).contains("large_values.params.url");
    }

    /// Trap: a worker names the value of another client by its digest, and has it in a job of its own.
    @Test
    void aResultThatNamesAValueOfAnother_isAFailure() throws Exception {
        submit(LARGE);
        var first = task("?inline=0");
        var id = submit("{}");
        var second = task("?inline=0");

        assertThat(report(second, digest(LARGE)).text()).contains("failure");
        assertThat(client.get("/api/v1/jobs/" + id + "/history").text())
                .contains("which was not put under the lease of its task");

        assertThat(put(putUrl(first), LARGE).statusCode()).isEqualTo(201);
        assertThat(report(first, digest(LARGE)).text()).contains("success");
    }

    @Test
    void aValueThatWasPutBeforeARestart_isReportedAfterIt() throws Exception {
        var id = submit("{}");
        var task = task("?inline=0");
        assertThat(put(putUrl(task), LARGE).statusCode()).isEqualTo(201);

        restart();

        assertThat(report(task, digest(LARGE)).text()).contains("success");
        var job = client.get("/api/v1/jobs/" + id + "?wait=60").object();
        assertThat(job.string("status")).contains("finished");
    }

    /// Trap: an address is good for an hour, whatever became of the task.
    @Test
    void anAddressToPut_isGoodAsLongAsTheLease() throws Exception {
        submit("{}");
        var task = task("?inline=0");
        var url = putUrl(task);
        assertThat(put(url, LARGE).statusCode()).isEqualTo(201);
        assertThat(report(task, digest(LARGE)).status()).isEqualTo(200);

        // The result is durable, and the lease ends behind it.
        var late =
                await("the lease has ended")
                        .until(() -> put(url, "{}"), answer -> answer.statusCode() == 403);

        assertThat(late.body()).contains("Lease is over");
        assertThat(worker.send("PUT", url, "{}").status()).isEqualTo(403);
        assertThat(worker.send("PUT", "/_worker/values", "{}").detail())
                .contains("large_values.put");
        submit("{}");
        var other = putUrl(task("?inline=0"));
        var forged = other.replaceFirst("lease=[^&]+", url.replaceFirst(".*(lease=[^&]+).*", "$1"));
        assertThat(put(forged, "{}").body()).contains("was not given out");
        assertThat(put(other, "{}").statusCode()).isEqualTo(201);
    }

    /// Trap: a worker fills the disk with values that no job ever names.
    @Test
    void underOneLease_fourTimesTheLargestValueIsTaken() throws Exception {
        submit("{}");
        var url = putUrl(task("?inline=0"));
        var largest = "\"" + "x".repeat(MAX - 2) + "\"";
        for (var i = 0; i < 4; i++) {
            assertThat(put(url, largest).statusCode()).isEqualTo(201);
        }

        var more = put(url, "{}");

        assertThat(more.statusCode()).isEqualTo(413);
        assertThat(more.body()).contains("Too many values");
    }

    @Test
    void aWorker_sendsAsManyBytesAMinuteAsItsRate(@TempDir Path other) throws Exception {
        node.close();
        var rates = AccessSettings.Rates.DEFAULTS.withBytes(1 << 20);
        node =
                ArtelNode.start(
                        TestNodes.CONFIG
                                .withData(other)
                                .withAccess(AccessSettings.DEFAULTS.withRates(rates)),
                        SampleBlueprints.all());
        client = TestClient.of(node);
        worker = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
        var _ = new TestWorker(node, "w", "echo");
        submit("{}");
        var url = putUrl(task("?inline=0"));
        var most = "\"" + "x".repeat(1_000_000) + "\"";
        assertThat(put(url, most).statusCode()).isEqualTo(201);

        var refused = put(url, most);

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(1L, 60L);
        assertThat(refused.body()).contains("access.rates.bytes");
    }

    @ParameterizedTest
    @CsvSource({"-1", "many", "''"})
    void aLimitThatIsNone_isRefused(String inline) {
        var answer = worker.get("/_worker/workers/w/tasks/next?inline=" + inline);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("inline must be a whole number from 0 on");
    }

    private static String digest(String text) {
        return VerifiedBytes.digestOf(text.getBytes(StandardCharsets.UTF_8));
    }
}
