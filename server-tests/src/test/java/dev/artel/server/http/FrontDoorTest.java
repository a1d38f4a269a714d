package dev.artel.server.http;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.AccessSettings;
import dev.artel.config.LogSettings;
import dev.artel.config.ProxySettings;
import dev.artel.config.ServerConfig;
import dev.artel.config.TlsSettings;
import dev.artel.gateway.http.GatewayConfig;
import dev.artel.json.JsonObject;
import dev.artel.kernel.placement.Demand;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.LogLines;
import dev.artel.server.RawHttp;
import dev.artel.server.TestCertificate;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.StartupException;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients, workers, roles and limits over HTTP.
final class FrontDoorTest {
    private static final String CLIENTS =
            """
            [alice]
            token = "token-of-alice-0123456"
            monthly_attempts = 2
            [bob]
            token = "token-of-bob-012345678"
            [watcher]
            token = "token-of-watcher-01234"
            role = "viewer"
            [hasty]
            token = "token-of-hasty-0123456"
            requests_per_minute = 3
            [modest]
            token = "token-of-modest-012345"
            max_priority = 2.5
            [batch]
            token = "token-of-batch-0123456"
            max_priority = -10
            weight = 0.5
            """;

    @TempDir private Path folder;
    private Path data;

    @BeforeEach
    void makeFolder() throws IOException {
        data = Files.createDirectories(folder.resolve("data"));
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

    /// Trap: every client declares its jobs the most urgent ones.
    @Test
    void aPriorityAboveThatOfTheClient_isRefused_inEveryWay() {
        try (var node = start(config())) {
            var modest = client(node, "modest");
            var body = "{\"blueprint\":\"echo\",\"priority\":9}";
            var refusal =
                    "priority must be at most 2.5 for jobs of client modest, was 9; ask for less, or"
                            + " raise max_priority in clients.toml";

            assertThat(modest.post("/api/v1/jobs", body).text()).contains(refusal);
            assertThat(modest.post("/api/v1/jobs/echo?priority=9", "{}").text()).contains(refusal);
            assertThat(modest.post("/api/jobs/echo", "{\"initial_data\":{},\"priority\":9}").text())
                    .contains(refusal);
            assertThat(modest.post("/api/v1/bulk", "{\"jobs\":[" + body + "]}").text())
                    .contains(refusal);
            var taken = modest.submit("{\"blueprint\":\"echo\",\"priority\":2.5}");
            assertThat(modest.patch("/api/v1/jobs/" + taken, "{\"priority\":9}").text())
                    .contains(refusal);
        }
    }

    @Test
    void aJobThatSaysNothing_hasThePriorityThatItsClientMayHave() {
        try (var node = start(config())) {
            var batch = client(node, "batch");

            var id = batch.submit("{\"blueprint\":\"echo\"}");

            assertThat(batch.get("/api/v1/jobs/" + id).text()).contains("\"priority\":-10");
        }
    }

    /// Trap: a client whose answer was lost sends its last job of the month again, and is refused because it has none
    /// left.
    @Test
    void aSubmissionThatIsKnown_isAnsweredAlsoWhenTheQuotaIsUsedUp() {
        try (var node = start(config())) {
            var alice = client(node, "alice");
            var body = "{\"blueprint\":\"echo\",\"idempotency_key\":\"k\"}";
            var first = alice.submit(body);
            alice.submit("{\"blueprint\":\"echo\"}");
            assertThat(alice.post("/api/v1/jobs", "{\"blueprint\":\"echo\"}").status())
                    .isEqualTo(429);

            assertThat(alice.submit(body)).isEqualTo(first);
            assertThat(
                            alice.post(
                                            "/api/v1/jobs",
                                            "{\"blueprint\":\"echo\",\"idempotency_key\":\"new\"}")
                                    .status())
                    .isEqualTo(429);
        }
    }

    /// Trap: a client whose answer was lost repeats the fork that used up its quota, and is refused.
    @Test
    void aForkThatIsKnown_isAnsweredAlsoWhenTheQuotaIsUsedUp() {
        try (var node = start(config())) {
            var alice = client(node, "alice");
            var path = "/api/v1/jobs/" + alice.submit("{\"blueprint\":\"echo\"}") + "/fork";
            var body = "{\"state\":\"send\",\"idempotency_key\":\"k\"}";
            var first = alice.post(path, body);
            assertThat(first.status()).as(first.text()).isEqualTo(202);
            assertThat(alice.post(path, "{\"state\":\"send\"}").status()).isEqualTo(429);

            var repeated = alice.post(path, body);

            assertThat(repeated.status()).as(repeated.text()).isEqualTo(202);
            assertThat(repeated.object().string("job_id"))
                    .isEqualTo(first.object().string("job_id"));
            var other = "{\"state\":\"send\",\"idempotency_key\":\"new\"}";
            assertThat(alice.post(path, other).status()).isEqualTo(429);
        }
    }

    /// Trap: who guesses tokens gets as many tries as the network carries, and fills the log.
    @Test
    void whoGuessesTokens_isSlowedDown_andNobodyElseIs() {
        try (var node = start(config());
                var log = LogLines.of("dev.artel.access.AccessControl")) {
            var guessing = new TestClient(node.uri(), "Authorization", "Bearer guessed-token-0123");
            var statuses = new java.util.TreeMap<Integer, Integer>();
            // The limit is one of a minute.
            for (var i = 0; i < 2_000 && statuses.getOrDefault(429, 0) <= 50; i++) {
                statuses.merge(guessing.get("/api/v1/whoami").status(), 1, Integer::sum);
            }

            assertThat(statuses).containsOnlyKeys(401, 429);
            assertThat(statuses.get(429)).isGreaterThan(50);
            assertThat(log.texts().size()).isEqualTo(statuses.get(401));
            assertThat(log.texts().getFirst()).contains("from=\"127.0.0.1\"");
            assertThat(client(node, "alice").get("/api/v1/whoami").status()).isEqualTo(200);
        }
    }

    @Test
    void aTokenIsTakenFromTheHeadersOfThisProductAndOfTheFirstGeneration() {
        try (var node = start(config())) {
            for (var header : List.of("X-Client-Token", "X-Avtomatika-Token")) {
                var alice = new TestClient(node.uri(), header, "token-of-alice-0123456");
                assertThat(alice.get("/api/v1/whoami").status()).as(header).isEqualTo(200);
            }
            var bearer =
                    new TestClient(node.uri(), "Authorization", "Bearer token-of-alice-0123456");
            assertThat(bearer.get("/api/v1/whoami").status()).isEqualTo(200);
            var nobody = new TestClient(node.uri(), "X-Other", "x").get("/api/v1/whoami");
            assertThat(nobody.error()).isEqualTo("Missing client token");
            assertThat(nobody.detail()).isEqualTo("send it as Authorization: Bearer TOKEN");
        }
    }

    /// RFC 6750, section 3.1.
    @Test
    void aRequestWithTwoTokensThatDiffer_isRefused_andEachRefusalNamesTheScheme() {
        try (var node = start(config())) {
            var token = "token-of-alice-0123456";
            var alice = new TestClient(node.uri(), "Authorization", "Bearer " + token);
            var both = alice.with("X-Client-Token", "token-of-bob-012345678").get("/api/v1/whoami");
            assertThat(both.status()).isEqualTo(400);
            assertThat(both.object().string("code")).contains("tokens_disagree");
            assertThat(both.header("WWW-Authenticate"))
                    .contains("Bearer realm=\"artel\", error=\"invalid_request\"");
            assertThat(alice.with("X-Client-Token", token).get("/api/v1/whoami").status())
                    .isEqualTo(200);

            var two =
                    alice.with("Authorization", "Bearer token-of-bob-012345678")
                            .get("/api/v1/whoami");
            assertThat(two.status()).isEqualTo(400);
            assertThat(two.object().string("code")).contains("tokens_disagree");

            var worker =
                    new TestClient(node.uri(), "Authorization", "Bearer " + node.workerToken());
            var twoOfOld =
                    new TestClient(node.uri(), "X-Client-Token", token)
                            .with("X-Client-Token", "token-of-bob-012345678")
                            .get("/api/v1/whoami");
            assertThat(twoOfOld.object().string("code")).contains("tokens_disagree");
            var twice =
                    worker.with("X-Worker-Token", "another").post("/_worker/tasks/result", "{}");
            assertThat(twice.object().string("code")).contains("tokens_disagree");

            var wrong = new TestClient(node.uri(), "Authorization", "Bearer x").get("/api/v1/jobs");
            assertThat(wrong.header("WWW-Authenticate"))
                    .contains("Bearer realm=\"artel\", error=\"invalid_token\"");
        }
    }

    /// Trap: what a client writes into the header itself stands left of what the proxy adds, and was believed.
    @Test
    void behindAProxy_theClientIsTheHopThatTheProxySaw() throws Exception {
        var ingress =
                config().ingress()
                        .withProxy(
                                ProxySettings.DEFAULTS.withTrusted(
                                        List.of("127.0.0.0/8", "10.0.0.0/8")))
                        .withLogs(config().ingress().logs());
        try (var node = start(config().withIngress(ingress));
                var log = LogLines.of("dev.artel.access.AccessControl")) {
            var stranger = new TestClient(node.uri(), "X-Client-Token", "guessed-token-012345");
            for (var value :
                    List.of(
                            "203.0.113.9",
                            "6.6.6.6, 203.0.113.9",
                            "6.6.6.6, 203.0.113.9, 10.1.2.3")) {
                stranger.post("/api/v1/jobs", "{}", "X-Forwarded-For", value);
            }
            stranger.post("/api/v1/jobs", "{}", "Forwarded", "for=6.6.6.6");

            assertThat(log.texts()).hasSize(4);
            assertThat(log.texts().subList(0, 3))
                    .allMatch(line -> line.contains("from=\"203.0.113.9\""));
            assertThat(log.texts().getLast()).contains("from=\"127.0.0.1\"");
        }
    }

    /// Trap: any client reads and cancels the jobs of any other.
    @Test
    void theJobsOfOthers_areNotFound_inEveryWay() {
        try (var node = start(config())) {
            var alice = client(node, "alice");
            var bob = client(node, "bob");
            var id = alice.submit("{\"blueprint\":\"echo\"}");

            for (var path :
                    List.of(
                            "",
                            "?wait=5",
                            "/history",
                            "/explain",
                            "/approvals",
                            "/logs",
                            "/tasks/0",
                            "/tasks/0/why",
                            "/tasks/0/logs")) {
                var answer = bob.get("/api/v1/jobs/" + id + path);
                assertThat(answer.status()).as(path).isEqualTo(404);
                assertThat(answer.error()).isEqualTo("Job not found");
            }
            Map.of(
                            "/cancel", "",
                            "/pause", "",
                            "/resume", "",
                            "/signals/go", "{\"id\":\"1\"}",
                            "/approvals/0", "{\"decision\":\"yes\"}",
                            "/tasks/0/resolve", "{\"outcome\":\"not_happened\"}",
                            "/quarantine/release", "{}",
                            "/rewind", "{\"state\":\"begin\"}",
                            "/fork", "{\"state\":\"begin\"}")
                    .forEach((path, body) -> {
                        var answer = bob.post("/api/v1/jobs/" + id + path, body);
                        assertThat(answer.status()).as(path + answer.text()).isEqualTo(404);
                        assertThat(answer.error()).as(path).isEqualTo("Job not found");
                    });
            assertThat(bob.patch("/api/v1/jobs/" + id, "{\"priority\":1}").status()).isEqualTo(404);
            assertThat(bob.get("/api/v1/quarantine").text()).doesNotContain(id);
            assertThat(bob.get("/api/v1/jobs").text()).doesNotContain(id);
            assertThat(alice.get("/api/v1/jobs").text()).contains(id);
            assertThat(alice.get("/api/v1/jobs/" + id).status()).isEqualTo(200);
            assertThat(client(node, "watcher").get("/api/v1/jobs/" + id).status()).isEqualTo(200);
            assertThat(TestClient.of(node).get("/api/v1/jobs").text()).contains(id);
        }
    }

    @Test
    void aViewer_changesNothing_andOnlyAnOperatorOperates() {
        try (var node = start(config())) {
            var watcher = client(node, "watcher");
            var submitted = watcher.post("/api/v1/jobs", "{\"blueprint\":\"echo\"}");
            assertThat(submitted.status()).isEqualTo(403);
            assertThat(submitted.error())
                    .isEqualTo(
                            "Forbidden: client 'watcher' with the role viewer cannot change"
                                    + " anything.");

            var reload = client(node, "bob").post("/api/admin/reload-workers", "");
            assertThat(reload.status()).isEqualTo(403);
            assertThat(reload.error())
                    .isEqualTo(
                            "Forbidden: client 'bob' with the role client cannot operate the"
                                    + " orchestrator.");
            assertThat(watcher.get("/api/v1/whoami").text())
                    .startsWith(
                            "{\"client\":\"watcher\",\"role\":\"viewer\",\"plan\":\"unknown\",\"token\":\"");
        }
    }

    @Test
    void withoutAGoodToken_nobodyComesIn() {
        try (var node = start(config())) {
            var nobody = new TestClient(node.uri(), "X-Client-Token", "");
            assertThat(nobody.get("/api/v1/jobs").error()).isEqualTo("Missing client token");
            var stranger = new TestClient(node.uri(), "X-Client-Token", "token-of-alice-012345");
            var refused = stranger.get("/api/v1/jobs");
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.error()).isEqualTo("Unauthorized: Invalid token");
            assertThat(refused.header("WWW-Authenticate"))
                    .contains("Bearer realm=\"artel\", error=\"invalid_token\"");
            var bearer =
                    new TestClient(node.uri(), "Authorization", "bearer token-of-alice-0123456");
            assertThat(bearer.get("/api/v1/whoami").object().string("client")).contains("alice");
        }
    }

    @Test
    void aQuota_endsWithItsLastJob_andReadingIsFree() {
        try (var node = start(config())) {
            var alice = client(node, "alice");
            var first = "{\"blueprint\":\"echo\",\"idempotency_key\":\"k\"}";
            alice.submit(first);
            alice.submit(first);
            assertThat(alice.post("/api/v1/jobs", "{\"blueprint\":\"no\"}").status())
                    .isEqualTo(404);
            alice.submit("{\"blueprint\":\"echo\"}");

            var third = alice.post("/api/v1/jobs", "{\"blueprint\":\"echo\"}");
            assertThat(third.status()).isEqualTo(429);
            assertThat(third.error()).isEqualTo("Quota exceeded or not configured");
            assertThat(third.header("Retry-After")).isPresent();
            assertThat(alice.get("/api/v1/jobs").items().size()).isEqualTo(2);
            assertThat(alice.get("/api/v1/whoami").object().number("jobs_left_this_month"))
                    .hasToString("Optional[0]");
        }
    }

    /// The next refusal for a rate: on a busy machine one more request may have its place meanwhile.
    private static Answer oneTooMany(Callable<Answer> request) {
        return await("too many requests")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(request, answer -> answer.status() == 429);
    }

    @Test
    void aClientThatAsksTooOften_isAnsweredWithWhenToComeAgain() {
        try (var node = start(config())) {
            var hasty = client(node, "hasty");
            for (var i = 0; i < 3; i++) {
                assertThat(hasty.get("/api/v1/jobs").status()).isEqualTo(200);
            }
            var refused = oneTooMany(() -> hasty.get("/api/v1/jobs"));
            assertThat(refused.error()).isEqualTo("Too Many Requests");
            assertThat(refused.header("Retry-After").map(Integer::parseInt).orElseThrow())
                    .isBetween(1, 20);
            assertThat(node.clientToken()).isNotEmpty();
            assertThat(client(node, "bob").get("/metrics").text())
                    .contains("orchestrator_ratelimit_blocked_total 1.0");
        }
    }

    /// Trap: a busy worker sends a heartbeat with each change, is answered 429, and what it sent last is never processed.
    @Test
    void heartbeatsThatComeTooOften_areAllTaken_andTheLastOneHolds() {
        var rates = AccessSettings.Rates.DEFAULTS.withHeartbeats(60);
        try (var node = start(config().withAccess(AccessSettings.DEFAULTS.withRates(rates)))) {
            var http = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
            assertThat(new TestWorker(node, "w1", "echo")).isNotNull();

            for (var load = 0; load <= 150; load++) {
                var answer = http.patch("/_worker/workers/w1", "{\"load\":" + load + "}");
                assertThat(answer.status()).isEqualTo(200);
            }

            var client = TestClient.of(node);
            await().until(() ->
                    client.get("/api/v1/workers/w1").object().toString().contains("\"load\":150"));
        }
    }

    @Test
    void theFigures_sayHowLongRoutesTake_andWhoAsks() {
        try (var node = start(config())) {
            var bob = client(node, "bob");
            bob.get("/api/v1/jobs/there-is-none");
            bob.get("/api/v1/nothing-here");

            assertThat(bob.get("/metrics").text())
                    .contains(
                            "artel_http_request_seconds_count{method=\"GET\",route=\"/api/v1/jobs/{id}\"} 1\n",
                            "artel_http_client_requests_total{client=\"bob\",method=\"GET\",route=\"/api/v1/jobs/{id}\"}"
                                    + " 1\n")
                    .doesNotContain("there-is-none", "nothing-here");
        }
    }

    /// Trap: the default limit makes every worker disappear, and its window begins anew with each refused request.
    @Test
    void workersAreLimitedEachOnItsOwn_andDeliveringNeverCounts() {
        var rates = new AccessSettings.Rates(5, 4, 3, 0, 0, 100);
        try (var node = start(config().withAccess(AccessSettings.DEFAULTS.withRates(rates)))) {
            var client = TestClient.of(node);
            var http = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
            var worker = new TestWorker(node, "w1", "echo");
            for (var i = 0; i < 10; i++) {
                client.submit("{\"blueprint\":\"echo\"}");
                var task = worker.next();
                assertThat(worker.report(task, JsonObject.EMPTY).status()).isEqualTo(200);
            }
            for (var i = 0; i < 5; i++) {
                assertThat(http.method("PATCH", "/_worker/workers/w1").status()).isEqualTo(200);
            }
            assertThat(http.method("PATCH", "/_worker/workers/w1").status())
                    .as("heartbeats that come too often are put together")
                    .isEqualTo(200);

            var unknown = "{\"job_id\":\"j\",\"task_id\":\"t\",\"worker_id\":\"w1\",\"result\":{}}";
            for (var i = 0; i < 2; i++) {
                assertThat(http.post("/_worker/tasks/result", unknown).status()).isEqualTo(200);
            }
            var result = oneTooMany(() -> http.post("/_worker/tasks/result", unknown));
            assertThat(result.error()).isEqualTo("Too Many Requests");
            assertThat(new TestWorker(node, "w2", "echo")).isNotNull();
        }
    }

    @Test
    void aTokenForSomeTypes_getsNoOthers_whateverItsWorkerSays() throws IOException {
        Files.writeString(
                data.resolve("workers.toml"),
                "[w1]\ntoken = \"token-of-w1-0123456789\"\ntasks = [\"other\"]\n");
        try (var node = start(config())) {
            var own = new TestClient(node.uri(), "X-Worker-Token", "token-of-w1-0123456789");
            var register =
                    "{\"worker_id\":\"w1\",\"supported_tasks\":[\"echo\",\"other\"],"
                            + "\"max_concurrent_tasks\":5}";
            assertThat(own.post("/_worker/workers/register", register).status()).isEqualTo(200);
            var shared = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
            var refused = shared.post("/_worker/workers/register", register);
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.error()).isEqualTo("Unauthorized: Invalid individual worker token");
            var foreign = own.method("PATCH", "/_worker/workers/w2");
            assertThat(foreign.status()).isEqualTo(403);
            assertThat(foreign.error())
                    .isEqualTo(
                            "Forbidden: Authenticated worker 'w1' cannot act for another worker"
                                    + " 'w2'.");

            TestClient.of(node).submit("{\"blueprint\":\"echo\"}");
            await().pollDelay(Duration.ofMillis(300))
                    .untilAsserted(() -> assertThat(node.engine().queuedTasks()).isEqualTo(1));
            var worker = new TestWorker(node, "w2", "echo");
            assertThat(worker.next().string("type")).contains("echo");
        }
    }

    @Test
    void messagesOfWorkers_mayBeAsLargeAsTheSettingsSay() {
        var limits = GatewayConfig.DEFAULTS.withMaxBodyBytes(1024);
        try (var node = start(config().withGateway(limits))) {
            var workers = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
            var fields = "{\"worker_id\":\"w1\",\"supported_tasks\":[\"echo\"],\"hostname\":\"";
            assertThat(workers.post("/_worker/workers/register", fields + "h\"}").status())
                    .isEqualTo(200);
            var large = fields + "h".repeat(1024) + "\"}";
            assertThat(workers.post("/_worker/workers/register", large).status()).isEqualTo(413);
        }
    }

    @Test
    void anOperator_letsFilesBeReadAgain_andGetsAllProblems() throws IOException {
        try (var node = start(config())) {
            var operator = TestClient.of(node);
            var carol = new TestClient(node.uri(), "X-Client-Token", "token-of-carol-0123456");
            assertThat(carol.get("/api/v1/whoami").status()).isEqualTo(401);

            Files.writeString(
                    data.resolve("clients.toml"), "[carol]\ntoken = \"token-of-carol-0123456\"\n");
            var done = operator.post("/api/admin/reload-workers", "");
            assertThat(done.text()).isEqualTo("{\"status\":\"worker_configs_reloaded\"}");
            assertThat(carol.get("/api/v1/whoami").status()).isEqualTo(200);
            assertThat(client(node, "alice").get("/api/v1/whoami").status()).isEqualTo(401);

            Files.writeString(data.resolve("clients.toml"), "[carol]\ntoken = 5\n");
            var refused = operator.post("/api/v1/admin/reload", "");
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.detail())
                    .isEqualTo("clients.toml:2: carol.token must be a string, was number");
            assertThat(carol.get("/api/v1/whoami").status()).isEqualTo(200);
        }
    }

    @Test
    void eachRequest_hasAName_andIsWrittenDown_withoutItsSecrets() throws IOException {
        var access = folder.resolve("access.jsonl");
        var logs = LogSettings.DEFAULTS.withAccess(access);
        String id;
        try (var node = start(config().withIngress(config().ingress().withLogs(logs)))) {
            var alice = client(node, "alice");
            id = alice.submit("{\"blueprint\":\"echo\"}");
            assertThat(alice.get("/api/v1/jobs?x=secret").header("X-Request-Id"))
                    .hasValueSatisfying(name -> assertThat(name).matches("[0-9a-f]{16}"));
            var own = alice.post("/api/v1/jobs/" + id + "/cancel", "", "X-Request-Id", "mine-1");
            assertThat(own.header("X-Request-Id")).contains("mine-1");
            var bad = alice.post("/api/v1/jobs/x/cancel", "", "X-Request-Id", "<script>");
            assertThat(bad.header("X-Request-Id").orElseThrow()).matches("[0-9a-f]{16}");
        }
        var lines = Files.readAllLines(access);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(2))
                .contains("\"request\":\"mine-1\"")
                .contains("\"from\":\"127.0.0.1\"")
                .contains("\"caller\":\"alice\"")
                .contains("\"method\":\"POST\"")
                .contains("\"status\":200");
        assertThat(String.join("\n", lines)).doesNotContain("secret").doesNotContain("token-of");
        var audit = Files.readAllLines(data.resolve("audit.jsonl"));
        assertThat(audit).hasSize(2);
        assertThat(audit.get(0)).contains("\"act\":\"started\"");
        assertThat(audit.get(1))
                .contains("\"caller\":\"alice\"")
                .contains("\"path\":\"/api/v1/jobs/" + id + "/cancel\"");
        assertThat(Files.readAllLines(data.resolve("refused.jsonl")))
                .singleElement()
                .asString()
                .contains("\"path\":\"/api/v1/jobs/x/cancel\"", "\"status\":404");
    }

    /// Trap: who is refused often enough pushes out the lines that record who has changed what.
    @Test
    void refusedChanges_areNoLinesOfTheAudit_andTheirPathsAreShort() throws IOException {
        try (var node = start(config())) {
            var alice = client(node, "alice");
            var _ = alice.post("/api/v1/jobs/" + "x".repeat(4000) + "/cancel", "");
            var _ = alice.post("/api/v1/admin/reload", "");
        }
        assertThat(Files.readAllLines(data.resolve("audit.jsonl")))
                .singleElement()
                .asString()
                .contains("\"act\":\"started\"");
        assertThat(Files.readAllLines(data.resolve("refused.jsonl")))
                .hasSize(2)
                .allMatch(line -> line.length() < 600);
    }

    /// Trap: a client resumes a job that is not paused, again and again, and so pushes out the lines that record who has changed what.
    @Test
    void requestsThatChangeNothing_areNoLinesOfTheAudit() throws IOException {
        try (var node = start(config())) {
            var alice = client(node, "alice");
            var job = "/api/v1/jobs/" + alice.submit("{\"blueprint\":\"echo\"}");
            for (var act : List.of("/resume", "/pause", "/pause", "/resume", "/resume")) {
                assertThat(alice.post(job + act, "").status()).isEqualTo(200);
            }
            for (var i = 0; i < 2; i++) {
                assertThat(alice.post(job + "/signals/go", "{\"id\":\"once\"}").status())
                        .isEqualTo(202);
                assertThat(
                                alice.post("/api/v1/bulk/pause?blueprint=echo&dry_run=true", "")
                                        .status())
                        .isEqualTo(200);
                assertThat(alice.post("/api/v1/bulk/resume?blueprint=echo", "").status())
                        .isEqualTo(200);
                assertThat(
                                alice.post("/api/v1/bulk", "{\"jobs\":[{\"blueprint\":\"echo\"}]}")
                                        .status())
                        .isEqualTo(200);
            }
        }
        assertThat(Files.readAllLines(data.resolve("audit.jsonl")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"act\":\"started\""),
                        line -> assertThat(line).contains("/pause\""),
                        line -> assertThat(line).contains("/resume\""),
                        line -> assertThat(line).contains("/signals/go\""));
    }

    @Test
    void aTrustedProxy_isBelieved_underABasePath_andOthersAreNot() throws Exception {
        var access = folder.resolve("access.jsonl");
        var logs = LogSettings.DEFAULTS.withAccess(access);
        var ingress = config().ingress().withLogs(logs);
        var trusted =
                ProxySettings.DEFAULTS.withTrusted(List.of("127.0.0.0/8")).withBasePath("/artel");
        try (var node = start(config().withIngress(ingress.withProxy(trusted)))) {
            assertThat(node.uri()).hasPath("/artel");
            var alice = client(node, "alice");
            assertThat(alice.get("/readyz").status()).isEqualTo(404);
            assertThat(alice.get("/artel/readyz").status()).isEqualTo(200);
            assertThat(
                            alice.post(
                                            "/artel/api/v1/jobs",
                                            "{\"blueprint\":\"echo\"}",
                                            "X-Forwarded-For",
                                            "203.0.113.9")
                                    .status())
                    .isEqualTo(202);
            assertThat(
                            alice.post("/artel/api/v1/jobs", "{}", "X-Forwarded-For", "%%%,,;;")
                                    .status())
                    .isEqualTo(400);
        }
        assertThat(Files.readString(access)).contains("\"from\":\"203.0.113.9\"");

        Files.delete(access);
        try (var node = start(config().withIngress(ingress))) {
            client(node, "bob").post("/api/v1/jobs", "{}", "X-Forwarded-For", "203.0.113.9");
        }
        assertThat(Files.readString(access)).doesNotContain("203.0.113.9");
    }

    @Test
    void hostileHeaders_areRefusedOrHarmless_andTheServerLives() throws Exception {
        try (var node = start(config())) {
            for (var header :
                    List.of(
                            "X-Client-Token: \u0000\u0001",
                            "X-Client-Token: " + "a".repeat(7000),
                            "X-Client-Token: t\u00fcrk\u00e7e-\u00ff\u00fe",
                            "X-Client-Token: a\r\nX-Client-Token: token-of-alice-0123456",
                            "Authorization: Bearer",
                            "Authorization: Basic YTpi",
                            "X-Request-Id: " + "x".repeat(5000),
                            "X-Forwarded-For: " + "1.2.3.4,".repeat(500),
                            "X-Forwarded-Host: \"; DROP TABLE job",
                            "Idempotency-Key: " + "k".repeat(4000))) {
                try (var raw = new RawHttp(node)) {
                    var answer =
                            raw.send(
                                            "GET /api/v1/jobs HTTP/1.1\r\nHost: a\r\n"
                                                    + "Connection: close\r\n"
                                                    + header
                                                    + "\r\n\r\n")
                                    .hear();
                    assertThat(answer).as(header).matches("(?s)HTTP/1.1 4(00|01|31) .*");
                }
            }
            assertThat(client(node, "alice").get("/readyz").status()).isEqualTo(200);
        }
    }

    @Test
    void withTls_itSpeaksTlsOnly_andTakesANewCertificateWithoutARestart() throws Exception {
        var old = TestCertificate.make(folder, "old", "-1d", 30);
        var renewed = TestCertificate.make(folder, "renewed", "-1d", 60);
        var settings = new TlsSettings(old.certificate(), old.key());
        try (var node = start(config().withIngress(config().ingress().withTls(settings)))) {
            assertThat(node.uri().getScheme()).isEqualTo("https");
            assertThat(get(old, node.uri(), "/readyz")).contains("ready");
            assertThat(get(old, node.uri(), "/_worker/workers/w/tasks/next")).contains("Missing");
            try (var raw = new RawHttp(node)) {
                raw.send("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(raw.end().hear()).doesNotContain("200");
            }

            Files.copy(
                    renewed.certificate(), old.certificate(), StandardCopyOption.REPLACE_EXISTING);
            assertThat(node.reload("a test"))
                    .singleElement()
                    .asString()
                    .contains("does not belong");
            Files.copy(renewed.key(), old.key(), StandardCopyOption.REPLACE_EXISTING);
            assertThat(node.reload("a test")).isEmpty();
            assertThat(get(renewed, node.uri(), "/readyz")).contains("ready");
        }
    }

    /// Trap: a browser that was here once over TLS is led to the plain address the next time, where its cookie is read on the way.
    @Test
    void withTls_browsersAreToComeBackOverTlsAlone() throws Exception {
        var certificate = TestCertificate.make(folder, "strict", "-1d", 30);
        var settings = new TlsSettings(certificate.certificate(), certificate.key());
        try (var node = start(config().withIngress(config().ingress().withTls(settings)));
                var http = HttpClient.newBuilder().sslContext(certificate.trusting()).build()) {
            for (var path : List.of("/api/v1/jobs", "/ui/", "/healthz")) {
                var answer =
                        http.send(
                                HttpRequest.newBuilder(node.uri().resolve(path)).build(),
                                BodyHandlers.ofString());

                assertThat(answer.headers().firstValue("Strict-Transport-Security"))
                        .as(path)
                        .hasValue("max-age=31536000");
            }
        }
    }

    private static String get(TestCertificate certificate, URI root, String path) throws Exception {
        try (var http = HttpClient.newBuilder().sslContext(certificate.trusting()).build()) {
            return http.send(
                            HttpRequest.newBuilder(root.resolve(path)).build(),
                            BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void aCertificateThatIsOfNoUse_preventsTheStart_andSaysWhy() throws Exception {
        var good = TestCertificate.make(folder, "good", "-1d", 30);
        var expired = TestCertificate.make(folder, "expired", "-10d", 5);
        var early = TestCertificate.make(folder, "early", "+10d", 5);
        var nothing = Files.writeString(folder.resolve("nothing.pem"), "nothing");

        assertThat(failure(expired.certificate(), expired.key()))
                .startsWith("the certificate in " + expired.certificate() + " expired at ")
                .endsWith("; put a new one there");
        assertThat(failure(early.certificate(), early.key())).contains(" is valid from ");
        assertThat(failure(good.certificate(), expired.key()))
                .isEqualTo(
                        "the key in "
                                + expired.key()
                                + " does not belong to the certificate in "
                                + good.certificate());
        assertThat(failure(good.certificate(), nothing)).contains("there is no plain PKCS#8 key");
        assertThat(failure(nothing, good.key())).contains(nothing.toString());
        assertThat(failure(folder.resolve("none.pem"), good.key()))
                .startsWith("cannot read the TLS files ");
    }

    private String failure(Path certificate, Path key) {
        var settings = new TlsSettings(certificate, key);
        try (var node = start(config().withIngress(config().ingress().withTls(settings)))) {
            throw new AssertionError("started at " + node.uri());
        } catch (StartupException cannot) {
            return String.valueOf(cannot.getMessage());
        }
    }

    @Test
    void aWaitingPoll_overTls_getsItsTask_andOneThatHangsUpLosesNone() throws Exception {
        var certificate = TestCertificate.make(folder, "poll", "-1d", 30);
        var settings = new TlsSettings(certificate.certificate(), certificate.key());
        try (var node = start(config().withIngress(config().ingress().withTls(settings)))) {
            var token = node.workerToken();
            var poll = "GET /_worker/workers/w1/tasks/next HTTP/1.1\r\nHost: a\r\nX-Worker-Token: ";
            var register = "{\"worker_id\":\"w1\",\"supported_tasks\":[\"echo\"]}";
            var sockets = certificate.trusting().getSocketFactory();
            try (var stays = sockets.createSocket("127.0.0.1", node.port());
                    var http = HttpClient.newBuilder().sslContext(certificate.trusting()).build()) {
                http.send(
                        HttpRequest.newBuilder(node.uri().resolve("/_worker/workers/register"))
                                .header("X-Worker-Token", token)
                                .POST(HttpRequest.BodyPublishers.ofString(register))
                                .build(),
                        BodyHandlers.ofString());
                try (var gone = sockets.createSocket("127.0.0.1", node.port())) {
                    gone.getOutputStream().write((poll + token + "\r\n\r\n").getBytes(US_ASCII));
                    gone.getOutputStream().flush();
                    await("the poll waits").until(() -> isAsking(node));
                }
                await("it is known that it hung up").until(() -> !isAsking(node));
                stays.setSoTimeout((int) Await.longest().toMillis());
                stays.getOutputStream().write((poll + token + "\r\n\r\n").getBytes(US_ASCII));
                stays.getOutputStream().flush();
                var submit =
                        http.send(
                                HttpRequest.newBuilder(node.uri().resolve("/api/v1/jobs"))
                                        .header("X-Client-Token", node.clientToken())
                                        .POST(
                                                HttpRequest.BodyPublishers.ofString(
                                                        "{\"blueprint\":\"echo\"}"))
                                        .build(),
                                BodyHandlers.ofString());
                assertThat(submit.statusCode()).isEqualTo(202);

                var answer = new String(stays.getInputStream().readNBytes(15), US_ASCII);
                assertThat(answer).startsWith("HTTP/1.1 200");
            }
        }
    }

    /// Whether a worker would get a task of `echo` at once.
    private static boolean isAsking(ArtelNode node) {
        return node.engine()
                .forecast("echo", Demand.NONE, "echo", "default", 1)
                .orElseThrow()
                .obstacle()
                .isEmpty();
    }

    /// Trap: a stranger sends records that change the keys and bring no data, and each keeps a carrier of virtual threads for a while.
    @Test
    void aPeerThatChangesItsKeysOverAndOver_isHungUpOn() throws Exception {
        var certificate = TestCertificate.make(folder, "keys", "-1d", 30);
        var settings = new TlsSettings(certificate.certificate(), certificate.key());
        try (var node = start(config().withIngress(config().ingress().withTls(settings)))) {
            for (var protocol : List.of("TLSv1.3", "TLSv1.2")) {
                try (var socket =
                        (SSLSocket)
                                certificate
                                        .trusting()
                                        .getSocketFactory()
                                        .createSocket("127.0.0.1", node.port())) {
                    socket.setEnabledProtocols(new String[] {protocol});
                    socket.setSoTimeout((int) Await.longest().toMillis());

                    assertThat(isAnsweredAfterHandshakes(socket)).as(protocol).isFalse();
                }
                assertThat(get(certificate, node.uri(), "/readyz")).contains("ready");
            }
        }
    }

    /// In TLS 1.3 each handshake but the first is a change of keys.
    private static boolean isAnsweredAfterHandshakes(SSLSocket socket) {
        try {
            for (var count = 0; count < 3_000; count++) {
                socket.startHandshake();
            }
            socket.getOutputStream()
                    .write("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
            return socket.getInputStream().read() >= 0;
        } catch (IOException hungUp) {
            return false;
        }
    }

    /// Trap: a stranger begins handshakes and ends none; what has come of them stays in memory for as long as it likes.
    @Test
    void aHandshakeThatDoesNotArrive_isEnded() throws Exception {
        var certificate = TestCertificate.make(folder, "half", "-1d", 30);
        var settings = new TlsSettings(certificate.certificate(), certificate.key());
        var http = config().http().withTimeouts(Duration.ofHours(1), Duration.ofMillis(500));
        var config = config().withHttp(http);
        try (var node = start(config.withIngress(config.ingress().withTls(settings)));
                var silent = new RawHttp(node);
                var half = new RawHttp(node)) {
            // The head of a record of 16,384 bytes, and of a message that goes on in it.
            half.send("\026\003\001@\000\001\000p\000");

            assertThat(half.isHungUpOn()).isTrue();
            assertThat(silent.isHungUpOn()).isTrue();
        }
    }

    /// Trap: a handshake that its peer leaves keeps its turn, so that there is none for others in the end.
    @Test
    void handshakesThatPeersBeginAndLeave_giveTheirTurnsBack() throws Exception {
        var certificate = TestCertificate.make(folder, "left", "-1d", 30);
        var settings = new TlsSettings(certificate.certificate(), certificate.key());
        var hello = hello(certificate);
        try (var node = start(config().withIngress(config().ingress().withTls(settings)))) {
            for (var count = 0; count < 4 * Runtime.getRuntime().availableProcessors(); count++) {
                try (var leaves = new RawHttp(node);
                        var ends = new RawHttp(node);
                        var fails = new RawHttp(node)) {
                    leaves.send(hello);
                    ends.send(hello).end();
                    fails.send(hello + "nonsense in place of a record").end();

                    assertThat(fails.hear()).isNotEmpty();
                }
            }

            assertThat(get(certificate, node.uri(), "/readyz")).contains("ready");
        }
    }

    /// What a client sends first.
    private static String hello(TestCertificate certificate) throws Exception {
        var engine = certificate.trusting().createSSLEngine();
        engine.setUseClientMode(true);
        var bytes = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), bytes);
        return new String(bytes.array(), 0, bytes.position(), ISO_8859_1);
    }
}
