package dev.artel.server.webhooks;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.WebhookSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.JobData;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestReceiver;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.port.FreePort;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import dev.artel.waits.Await;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Webhooks about jobs and workers.
final class WebhookTest {
    private static final WebhookSettings SETTINGS =
            WebhookSettings.DEFAULTS
                    .withAllowHttp(true)
                    .withAllowPrivate(List.of("127.0.0.0/8"))
                    .withRetries(
                            new WebhookSettings.Retries(
                                    6,
                                    Duration.ofMillis(50),
                                    Duration.ofSeconds(2),
                                    Duration.ofMinutes(10),
                                    Await.longest()));

    private static final InMemoryPayloadStore PAYLOADS = new InMemoryPayloadStore();

    private static ArtelNode node;
    private static TestClient client;

    @BeforeAll
    static void start() {
        node = node(storage());
        client = TestClient.of(node);
    }

    private static Storage storage() {
        return new Storage(
                new InMemoryEventStore(),
                PAYLOADS,
                new InMemoryFleet(),
                new InMemoryKeyValueStore());
    }

    private static ArtelNode node(Storage storage) {
        return ArtelNode.start(
                TestNodes.CONFIG.withIngress(TestNodes.CONFIG.ingress().withWebhooks(SETTINGS)),
                Blueprints.of(quick(), asking(), broken()),
                storage);
    }

    private static Blueprint quick() {
        return Blueprint.named("quick")
                .start("begin", step -> Action.finish(step.initialData()))
                .build();
    }

    private static Blueprint asking() {
        return Blueprint.named("asking")
                .start("ask", _ -> Action.awaitApproval("ship it?", Outcomes.on("yes", "end")))
                .leadingTo("end")
                .end("end")
                .build();
    }

    private static Blueprint broken() {
        return Blueprint.named("broken")
                .start("begin", _ -> Action.transitionTo("nowhere"))
                .leadingTo("end")
                .end("end")
                .build();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static String submit(String blueprint, TestReceiver receiver) {
        return submit(client, blueprint, receiver);
    }

    private static String submit(TestClient client, String blueprint, TestReceiver receiver) {
        return client.submit(
                "{\"blueprint\":\""
                        + blueprint
                        + "\",\"initial_data\":{\"x\":1},\"labels\":{\"team\":\"red\"},\"webhook_url\":\""
                        + receiver.url()
                        + "\"}");
    }

    /// Trap: viewers see the calls of all jobs, and operators all subscriptions; a query may have a token of the receiver.
    @Test
    void theQueryOfAnAddress_isCalled_andNotShown() {
        try (var receiver = TestReceiver.good()) {
            var url = receiver.url() + "?token=hidden-1";
            var job = client.submit("{\"blueprint\":\"quick\",\"webhook_url\":\"" + url + "\"}");
            var subscribed = client.post("/api/v1/webhooks", "{\"url\":\"" + url + "\"}");

            await("the call").until(() -> !receiver.heard().isEmpty());
            var calls = client.get("/api/v1/jobs/" + job + "/webhooks");
            assertThat(calls.text()).contains("?***").doesNotContain("hidden-1");
            assertThat(subscribed.text() + client.get("/api/v1/webhooks").text())
                    .contains("?***")
                    .doesNotContain("hidden-1");
            client.method(
                    "DELETE", "/api/v1/webhooks/" + subscribed.object().string("id").orElseThrow());
        }
    }

    private static JsonObject call(String job) {
        return call(client, job);
    }

    private static JsonObject call(TestClient client, String job) {
        var calls = client.get("/api/v1/jobs/" + job + "/webhooks").items();
        assertThat(calls).isNotEmpty();
        return (JsonObject) calls.get(0);
    }

    private static void hears(TestReceiver receiver, int calls) {
        await().untilAsserted(
                        () -> assertThat(receiver.heard()).hasSizeGreaterThanOrEqualTo(calls));
    }

    /// The first call with `value` in `member`, once it is there: jobs of other tests may end at any time.
    private static JsonObject heard(TestReceiver receiver, String member, String value) {
        return await().until(
                        () ->
                                receiver.heard().stream()
                                        .map(TestReceiver.Heard::json)
                                        .filter(body ->
                                                body.string(member)
                                                        .filter(value::equals)
                                                        .isPresent())
                                        .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static void settled(String job, String state) {
        await().untilAsserted(() -> assertThat(call(job).string("state")).contains(state));
    }

    @Test
    void theEndOfAJob_isSent_inTheNamesOfTheFirstGeneration_andSigned() throws Exception {
        try (var receiver = TestReceiver.good()) {
            var job = submit("quick", receiver);

            hears(receiver, 1);
            var heard = receiver.heard().getFirst();
            var body = heard.json();
            assertThat(body.string("event")).contains("job_finished");
            assertThat(body.string("job_id")).contains(job);
            assertThat(body.string("status")).contains("finished");
            assertThat(body.object("result")).contains(JsonObject.of("x", JsonValue.of(1)));
            assertThat(body.get("error")).contains(JsonNull.NULL);
            assertThat(body.string("event_id")).contains(heard.id());
            assertThat(body.object("labels")).contains(JsonObject.of("team", JsonValue.of("red")));
            var secret =
                    client.get("/api/v1/webhook-secret").object().string("secret").orElseThrow();
            assertThat(heard.signature()).isEqualTo("v1," + hmac(secret, heard));
            settled(job, "delivered");
            assertThat(call(job).array("attempts").orElseThrow().get(0).toString())
                    .contains("\"status\":204");
            assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                    .contains("webhook.delivered");
            assertThat(client.get("/metrics").text())
                    .contains("artel_webhooks_total{outcome=\"delivered\"}");
        }
    }

    private static long readsOf(String body) {
        var before = PAYLOADS.reads();
        var job = client.submit(body);
        assertThat(client.get("/api/v1/jobs/" + job + "?wait=60&fields=status").text())
                .contains("finished");
        return PAYLOADS.reads() - before;
    }

    /// Trap: a result of sixty megabytes is read into memory for each attempt of a call, and is left out then.
    @Test
    void aResultThatIsLargerThanABody_isLeftOut_andNotRead() {
        var data =
                "{\"blueprint\":\"quick\",\"initial_data\":{\"x\":\"" + "y".repeat(600_000) + "\"}";
        var reads = readsOf(data + "}");
        try (var receiver = TestReceiver.good()) {
            var before = PAYLOADS.reads();
            var job = client.submit(data + ",\"webhook_url\":\"" + receiver.url() + "\"}");

            hears(receiver, 1);
            var body = receiver.heard().getFirst().json();
            assertThat(body.get("result")).contains(JsonNull.NULL);
            assertThat(body.get("result_omitted")).contains(JsonValue.of(true));
            settled(job, "delivered");
            assertThat(PAYLOADS.reads() - before).isEqualTo(reads);
        }
    }

    private static String hmac(String secret, TestReceiver.Heard heard) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        var key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((heard.id() + "." + heard.timestamp() + ".").getBytes(UTF_8));
        return Base64.getEncoder().encodeToString(mac.doFinal(heard.body().getBytes(UTF_8)));
    }

    @Test
    void aReceiverThatFails_isCalledAgain_underTheSameId() {
        try (var receiver = new TestReceiver((call, _) -> call < 3 ? 500 : 200)) {
            var job = submit("quick", receiver);

            settled(job, "delivered");
            assertThat(receiver.heard()).hasSize(3);
            assertThat(receiver.heard())
                    .extracting(TestReceiver.Heard::id)
                    .containsOnly(receiver.heard().getFirst().id());
            assertThat(call(job).number("attempt_count").map(JsonNumber::asLong)).contains(3L);
        }
    }

    /// A final job does not wait for those who want to know of it.
    @Test
    void aReceiverThatNeverHears_isGivenUp_andItsJobIsFinalAllTheTime() {
        try (var receiver = new TestReceiver((_, _) -> 503)) {
            var job = submit("quick", receiver);

            var found = client.get("/api/v1/jobs/" + job + "?wait=60").object();
            assertThat(found.string("status")).contains("finished");
            settled(job, "given_up");
            assertThat(call(job).string("problem"))
                    .hasValueSatisfying(
                            why -> assertThat(why).contains("tried 6 times", "it answered 503"));
            assertThat(client.get("/metrics").text())
                    .contains("artel_webhooks_total{outcome=\"given_up\"}");
        }
    }

    @Test
    void aReceiverThatIsGone_isGivenUpAtOnce() {
        try (var receiver = new TestReceiver((_, _) -> 410)) {
            var job = submit("quick", receiver);

            settled(job, "given_up");
            assertThat(receiver.heard()).hasSize(1);
        }
    }

    @Test
    void aReceiverThatAsksForTime_getsIt_withinTheLongestPause() {
        try (var receiver =
                new TestReceiver((call, exchange) -> {
                    exchange.getResponseHeaders().add("Retry-After", call == 1 ? "1" : "0");
                    return call == 1 ? 429 : 200;
                })) {
            var job = submit("quick", receiver);

            settled(job, "delivered");
            var heard = receiver.heard();
            assertThat(heard.get(1).nanos() - heard.get(0).nanos()).isGreaterThan(950_000_000L);
        }
    }

    /// Trap: a receiver that redirects to an address inside.
    @Test
    void aRedirect_isNotFollowed() {
        try (var inside = TestReceiver.good();
                var receiver =
                        new TestReceiver((_, exchange) -> {
                            exchange.getResponseHeaders().add("Location", inside.url());
                            return 307;
                        })) {
            var job = submit("quick", receiver);

            settled(job, "given_up");
            assertThat(inside.heard()).isEmpty();
        }
    }

    /// Trap: one receiver that answers nobody keeps all others waiting.
    @Test
    void aReceiverThatIsSlow_delaysNoOther() {
        var waiting = new TestReceiver[1];
        try (var slow = new TestReceiver((_, _) -> waiting[0].never());
                var quick = TestReceiver.good()) {
            waiting[0] = slow;
            for (var i = 0; i < 50; i++) {
                submit("quick", slow);
            }

            var job = submit("quick", quick);

            hears(quick, 1);
            settled(job, "delivered");
        }
    }

    @Test
    void aJobThatWaitsForAPerson_orIsQuarantined_callsItsWebhook() {
        try (var receiver = TestReceiver.good()) {
            submit("asking", receiver);
            hears(receiver, 1);
            var waiting = receiver.heard().getFirst().json();
            assertThat(waiting.string("event")).contains("job_waiting");
            assertThat(waiting.object("waiting").orElseThrow().string("message"))
                    .contains("ship it?");

            submit("broken", receiver);
            hears(receiver, 2);
            var quarantined = receiver.heard().get(1).json();
            assertThat(quarantined.string("event")).contains("job_quarantined");
            assertThat(quarantined.string("error"))
                    .hasValueSatisfying(error -> assertThat(error).contains("nowhere"));
        }
    }

    /// Trap: pending calls are forgotten with the process.
    @Test
    void whatWasNotAccepted_isSentAfterARestart_underTheSameId() {
        var storage = storage();
        String job;
        String id;
        var port = FreePort.next();
        try (var deaf = new TestReceiver((_, _) -> 500, port);
                var first = node(storage)) {
            job = submit(TestClient.of(first), "quick", deaf);
            hears(deaf, 1);
            id = deaf.heard().getFirst().id();
        }

        try (var receiver = new TestReceiver((_, _) -> 200, port);
                var second = node(storage)) {
            var again = TestClient.of(second);

            hears(receiver, 1);
            assertThat(receiver.heard().getFirst().id()).isEqualTo(id);
            await().untilAsserted(() ->
                    assertThat(call(again, job).string("state")).contains("delivered"));
        }
    }

    /// Trap: an operator whose answer was lost subscribes a second time, and each event is sent twice.
    @Test
    void aSubscriptionThatIsMadeAgainWithItsKey_isTheSame_alsoAfterARestart() {
        var storage = storage();
        var body = "{\"url\":\"https://example.com/a\",\"idempotency_key\":\"k-1\"}";
        Answer made;
        try (var first = node(storage)) {
            made = TestClient.of(first).post("/api/v1/webhooks", body);
        }

        try (var second = node(storage)) {
            var client = TestClient.of(second);
            var again = client.post("/api/v1/webhooks", body);
            var other = client.post("/api/v1/webhooks", body.replace("/a", "/b"));
            var none = client.post("/api/v1/webhooks", body.replace("k-1", " "));

            assertThat(made.status()).isEqualTo(201);
            assertThat(again.status()).isEqualTo(201);
            assertThat(again.text()).isEqualTo(made.text());
            assertThat(other.status()).isEqualTo(409);
            assertThat(other.object().string("code")).contains("idempotency_key_reused");
            assertThat(other.detail()).contains(made.object().string("id").orElseThrow());
            assertThat(none.status()).isEqualTo(400);
            assertThat(client.get("/api/v1/webhooks").items()).hasSize(1);
        }
    }

    /// Trap: a child that was about to be started at the crash is started before anybody asks who wants to know of it.
    @Test
    void aChildThatIsStartedAfterARestart_callsSubscriptions() {
        var storage = storage();
        try (var receiver = TestReceiver.good()) {
            try (var first = node(storage)) {
                TestClient.of(first)
                        .post("/api/v1/webhooks", "{\"url\":\"" + receiver.url() + "\"}");
            }
            storage.events().append(List.of(aboutToStartAChild()));

            try (var second = node(storage)) {
                hears(receiver, 1);
                assertThat(receiver.heard().getFirst().json().string("blueprint"))
                        .contains("quick");
                assertThat(TestClient.of(second).get("/api/v1/jobs").items().size()).isEqualTo(2);
            }
        }
    }

    private static Append aboutToStartAChild() {
        var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        var run = Action.runBlueprint("quick", JsonObject.EMPTY, Outcomes.on("finished", "end"));
        var parent =
                Blueprint.named("parent")
                        .start("run", _ -> run)
                        .leadingTo("end")
                        .end("end")
                        .build();
        var spec =
                new JobSpec(
                        parent.ref(),
                        "run",
                        "somebody",
                        JobData.EMPTY,
                        JobOptions.DEFAULTS,
                        JobSpec.CURRENT_RULES,
                        ClientPlan.UNKNOWN);
        var id = new JobId("01900000-0000-7000-8000-000000000001");
        var submitted = accepted(new JobState.Unsubmitted(id), new JobCommand.Submit(spec, now));
        var step = submitted.asked().getFirst().id();
        var stepped =
                accepted(submitted.after(), new JobCommand.CompleteStep(step, run, List.of(), now));
        var events = new ArrayList<>(submitted.events());
        events.addAll(stepped.events());
        return new Append(StreamId.of(id), 0, events, JobRow.of((Job) stepped.after(), now));
    }

    private static Decision.Accepted accepted(JobState state, JobCommand command) {
        return (Decision.Accepted) Jobs.decide(state, command);
    }

    @Test
    void theEventsOfAWebhook_canBeChosen_andNothingIsNoUrl() {
        try (var receiver = TestReceiver.good()) {
            client.submit(
                    "{\"blueprint\":\"quick\",\"webhook_events\":[\"job_failed\"],\"webhook_url\":\""
                            + receiver.url()
                            + "\"}");
            client.submit("{\"blueprint\":\"quick\",\"webhook_url\":\"\"}");
            var last = submit("quick", receiver);

            settled(last, "delivered");
            assertThat(receiver.heard()).hasSize(1);
        }
    }

    @Test
    void theWayOfTheFirstGeneration_isUnderstood() {
        try (var receiver = TestReceiver.good()) {
            var answer =
                    client.post("/api/jobs/quick", "{\"webhook_url\":\"" + receiver.url() + "\"}");

            assertThat(answer.status()).isEqualTo(202);
            hears(receiver, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no url",
                "ftp://example.com/",
                "https://",
                "https://user:pw@example.com/",
                "https://example.com/#x",
                "https://10.0.0.1/",
                "https://169.254.169.254/latest/meta-data",
                "https://[::1]/",
                "https://[::ffff:10.0.0.1]/",
                "https://0x7f000001.example/#",
                "https://2130706434:99999/"
            })
    void aBadUrl_isRefusedAtOnce(String url) {
        var answer =
                client.post(
                        "/api/v1/jobs",
                        "{\"blueprint\":\"quick\",\"webhook_url\":\"" + url + "\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).startsWith("webhook_url: ");
    }

    @Test
    void badEvents_areRefused() {
        var answer =
                client.post(
                        "/api/v1/jobs",
                        "{\"blueprint\":\"quick\",\"webhook_events\":[\"job_done\"]}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).contains("webhook_events", "job_finished", "which is missing");
    }

    @Test
    void whatWasDelivered_canBeSentAgain() {
        try (var receiver = TestReceiver.good()) {
            var job = submit("quick", receiver);
            settled(job, "delivered");
            var path =
                    "/api/v1/jobs/"
                            + job
                            + "/webhooks/"
                            + call(job).string("call").orElseThrow()
                            + "/redeliver";

            assertThat(client.post(path, "").status()).isEqualTo(202);

            hears(receiver, 2);
            assertThat(receiver.heard().get(1).id()).isEqualTo(receiver.heard().get(0).id());
            assertThat(
                            client.post(path.replaceFirst("[0-9.]+/redeliver", "7.7/redeliver"), "")
                                    .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void aSubscription_receivesItsBlueprints_andWorkers() {
        try (var receiver = TestReceiver.good()) {
            var made =
                    client.post(
                            "/api/v1/webhooks",
                            "{\"url\":\""
                                    + receiver.url()
                                    + "\",\"events\":[\"job_finished\",\"worker_registered\"],"
                                    + "\"blueprints\":[\"quick\"]}");
            assertThat(made.status()).isEqualTo(201);
            var id = made.object().string("id").orElseThrow();
            client.submit("{\"blueprint\":\"broken\"}");
            var job = client.submit("{\"blueprint\":\"quick\"}");
            assertThat(heard(receiver, "job_id", job).string("event")).contains("job_finished");

            new TestWorker(node, "w-hook", "echo");

            assertThat(heard(receiver, "worker_id", "w-hook").string("event"))
                    .contains("worker_registered");
            settled(job, "delivered");
            assertThat(client.get("/api/v1/webhooks/" + id + "/deliveries").text())
                    .contains(job, "worker_registered", "\"state\":\"delivered\"");
            assertThat(client.get("/api/v1/webhooks").text()).contains(id).doesNotContain("whsec_");
            assertThat(client.method("DELETE", "/api/v1/webhooks/" + id).status()).isEqualTo(200);
            assertThat(client.get("/api/v1/webhooks/" + id).status()).isEqualTo(404);
        }
    }

    @Test
    void aBadSubscription_isRefused() {
        for (var body :
                List.of(
                        "{}",
                        "{\"url\":\"https://10.0.0.1/\"}",
                        "{\"url\":\"https://example.com/\",\"events\":[\"job_done\"]}",
                        "{\"url\":\"https://example.com/\",\"secret\":\"short\"}",
                        "{\"url\":\"https://example.com/\",\"events\":\"all\"}")) {
            assertThat(client.post("/api/v1/webhooks", body).status()).as(body).isEqualTo(400);
        }
        for (var i = 0; i < 19; i++) {
            client.post("/api/v1/webhooks", "{\"url\":\"https://example.com/\"}");
        }
        assertThat(client.post("/api/v1/webhooks", "{\"url\":\"https://example.com/\"}").status())
                .isEqualTo(409);
        for (var one : client.get("/api/v1/webhooks").items()) {
            var id = ((JsonObject) one).string("id").orElseThrow();
            assertThat(client.method("DELETE", "/api/v1/webhooks/" + id).status()).isEqualTo(200);
        }
    }

    /// The dispatcher of calls is one for all: many are made, each once.
    @Test
    void manyCalls_areAllMade() {
        try (var receiver = TestReceiver.good()) {
            Set<String> jobs = ConcurrentHashMap.newKeySet();
            for (var i = 0; i < 40; i++) {
                jobs.add(submit("quick", receiver));
            }

            hears(receiver, 40);
            assertThat(receiver.heard())
                    .extracting(heard -> heard.json().string("job_id").orElseThrow())
                    .containsExactlyInAnyOrderElementsOf(jobs);
        }
    }
}
