package dev.artel.server.access;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ProxySettings;
import dev.artel.config.Secret;
import dev.artel.config.SubscriptionSettings;
import dev.artel.config.WebhookSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.job.Outcomes;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestReceiver;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Approvals that name who may decide about them.
final class ApproversTest {
    private static final Outcomes CHOICES = Outcomes.on("approve", "end").and("reject", "no");
    private static final String OUTSIDE = "https://artel.example.org";

    @TempDir private static Path folder;
    private static TestReceiver mails;
    private static ArtelNode node;

    @BeforeAll
    static void start() throws Exception {
        mails = TestReceiver.good();
        var data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(
                data.resolve("clients.toml"),
                """
                [clerk]
                token = "token-of-clerk-0123456789"
                groups = ["managers"]
                [other]
                token = "token-of-other-0123456789"
                [manager]
                token = "token-of-manager-0123456789"
                groups = ["staff", "managers"]
                [watcher]
                token = "token-of-watcher-0123456789"
                role = "viewer"
                groups = ["managers"]
                [boss]
                token = "token-of-boss-0123456789"
                role = "operator"
                [root]
                token = "token-of-root-0123456789"
                role = "operator"
                """);
        var subscription =
                new SubscriptionSettings(
                        "mails",
                        mails.url(),
                        List.of("job_waiting"),
                        List.of(),
                        new Secret("whsec_" + "c2VjcmV0".repeat(6)));
        var ingress =
                TestNodes.CONFIG
                        .ingress()
                        .withProxy(ProxySettings.DEFAULTS.withPublicUrl(OUTSIDE))
                        .withWebhooks(
                                WebhookSettings.DEFAULTS
                                        .withAllowHttp(true)
                                        .withAllowPrivate(List.of("127.0.0.0/8"))
                                        .withRetries(TestReceiver.PATIENT)
                                        .withSubscriptions(List.of(subscription)));
        node =
                ArtelNode.start(
                        TestNodes.CONFIG.withData(data).withIngress(ingress),
                        Blueprints.of(
                                asking("anybody", Approvers.ANYBODY),
                                asking("four-eyes", Approvers.notTheSubmitter()),
                                parent(),
                                paying("payment", _ -> Action.awaitSignal("go", "end")),
                                paying(
                                        "broken",
                                        _ -> {
                                            throw new IllegalStateException("the bank is closed");
                                        }),
                                asking(
                                        "managers",
                                        Approvers.groups("managers").exceptTheSubmitter())));
    }

    private static Blueprint asking(String name, Approvers approvers) {
        return Blueprint.named(name)
                .start("ask", _ -> Action.awaitApproval("pay it?", CHOICES).by(approvers))
                .leadingTo("end", "no")
                .state("end", step -> Action.finish(step.data()))
                .failedEnd("no")
                .build();
    }

    private static Blueprint parent() {
        return Blueprint.named("parent")
                .start("begin", _ -> Action.startBlueprint("four-eyes", JsonObject.EMPTY, "ask"))
                .leadingTo("ask")
                .state(
                        "ask",
                        _ ->
                                Action.awaitApproval("pay it?", CHOICES)
                                        .by(Approvers.notTheSubmitter()))
                .leadingTo("end", "no")
                .state("end", step -> Action.finish(step.data()))
                .failedEnd("no")
                .build();
    }

    private static Blueprint paying(String name, StepHandler pay) {
        return Blueprint.named(name)
                .start("prepare", _ -> Action.transitionTo("ask"))
                .leadingTo("ask")
                .state(
                        "ask",
                        _ ->
                                Action.awaitApproval(
                                                "pay it?",
                                                Outcomes.on("approve", "pay").and("reject", "no"))
                                        .by(Approvers.notTheSubmitter()))
                .leadingTo("pay", "no")
                .state("pay", pay)
                .leadingTo("end")
                .state("end", step -> Action.finish(step.data()))
                .failedEnd("no")
                .build();
    }

    private static void awaitState(String job, String state) {
        await().until(() ->
                client("clerk")
                        .get("/api/v1/jobs/" + job)
                        .object()
                        .string("current_state")
                        .filter(state::equals)
                        .isPresent());
    }

    /// Trap: who submitted a payment has it approved, and then goes back behind the approval with another amount.
    @Test
    void whatWasApproved_isDoneWithNoOtherData() {
        var job = begin("payment", ",\"initial_data\":{\"amount\":10}");
        assertThat(decide("root", job).status()).isEqualTo(200);
        awaitState(job, "pay");
        var other = ",\"data\":{\"amount\":1000000}}";

        for (var who : List.of("clerk", "root")) {
            var rewound =
                    client(who)
                            .post("/api/v1/jobs/" + job + "/rewind", "{\"state\":\"pay\"" + other);
            assertThat(rewound.status()).as(rewound.text()).isEqualTo(409);
            assertThat(rewound.detail()).contains("state 'ask'", "asked again");
            for (var data : List.of(other, "}")) {
                var forked =
                        client(who)
                                .post("/api/v1/jobs/" + job + "/fork", "{\"state\":\"pay\"" + data);
                assertThat(forked.status()).as(forked.text()).isEqualTo(409);
                assertThat(forked.detail()).contains("state 'ask'");
            }
        }

        assertThat(
                        client("clerk")
                                .post("/api/v1/jobs/" + job + "/rewind", "{\"state\":\"pay\"}")
                                .status())
                .isEqualTo(200);
        assertThat(
                        client("clerk")
                                .post(
                                        "/api/v1/jobs/" + job + "/rewind",
                                        "{\"state\":\"prepare\"" + other)
                                .status())
                .isEqualTo(200);
        awaitState(job, "ask");
        assertThat(
                        client("clerk")
                                .post("/api/v1/jobs/" + job + "/fork", "{\"state\":\"ask\"" + other)
                                .status())
                .isEqualTo(202);
    }

    @Test
    void whatWasApprovedAndFailed_isRetriedWithNoOtherData() {
        var job = begin("broken", "");
        decide("root", job);
        await().until(() ->
                client("clerk")
                        .get("/api/v1/jobs/" + job)
                        .object()
                        .string("status")
                        .filter("quarantined"::equals)
                        .isPresent());
        var quarantine = "/api/v1/jobs/" + job + "/quarantine/";

        var retried = client("clerk").post(quarantine + "retry", "{\"data\":{\"amount\":1000000}}");
        var skipped =
                client("clerk").post(quarantine + "skip", "{\"result\":{\"amount\":1000000}}");

        assertThat(retried.status()).as(retried.text()).isEqualTo(409);
        assertThat(skipped.status()).as(skipped.text()).isEqualTo(409);
        assertThat(retried.detail()).contains("state 'ask'");
        assertThat(client("clerk").post(quarantine + "retry", "{}").status()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        node.close();
        mails.close();
    }

    private static TestClient client(String name) {
        return new TestClient(node.uri(), "X-Client-Token", "token-of-" + name + "-0123456789");
    }

    private static String begin(String blueprint, String more) {
        var job = client("clerk").submit("{\"blueprint\":\"" + blueprint + "\"" + more + "}");
        await().until(() -> isAsking(job));
        return job;
    }

    private static JsonObject approval(String client, String job) {
        return (JsonObject) client(client).get("/api/v1/jobs/" + job + "/approvals").items().get(0);
    }

    private static Answer decide(String client, String job) {
        var number = approval("root", job).number("approval").orElseThrow().asLong();
        return client(client)
                .post("/api/v1/jobs/" + job + "/approvals/" + number, "{\"decision\":\"approve\"}");
    }

    /// Trap: who submits a payment lets it through, with its token or with the link that the API shows it.
    @Test
    void whoSubmittedTheJob_neitherDecidesNorSeesTheLink() {
        for (var blueprint : List.of("four-eyes", "managers")) {
            var job = begin(blueprint, "");

            var refused = decide("clerk", job);

            assertThat(refused.status()).as(refused.text()).isEqualTo(403);
            assertThat(refused.error()).isEqualTo("Not an approver");
            assertThat(refused.detail()).endsWith("client clerk is none of them");
            assertThat(approval("clerk", job).has("token")).isFalse();
            assertThat(approval("clerk", job).has("link")).isFalse();
            assertThat(client("clerk").get("/api/v1/jobs/" + job).object().has("approvals"))
                    .isFalse();
            assertThat(client("clerk").get("/api/v1/jobs/" + job + "/history").text())
                    .contains("except the client that submitted the job")
                    .doesNotContain("token");
        }
    }

    private static void schedule(String client, String name, String more) {
        var written =
                client(client)
                        .put(
                                "/api/v1/schedules/" + name,
                                ("{\"client\":\"clerk\",\"timing\":{\"at\":\"2999-01-01T00:00:00Z\"},"
                                                + more
                                                + "}")
                                        .getBytes(StandardCharsets.UTF_8),
                                "application/json");
        assertThat(written.status()).as(written.text()).isIn(200, 201);
    }

    /// The job of a run that `client` asks for, once its approval waits.
    private static String run(String client, String schedule) {
        var path = "/api/v1/schedules/" + schedule;
        assertThat(client(client).post(path + "/run", "{}").status()).isEqualTo(202);
        return await().until(
                        () ->
                                ((JsonObject) client("root").get(path + "/runs").items().get(0))
                                        .string("job_id")
                                        .filter(ApproversTest::isAsking)
                                        .orElse(""),
                        job -> !job.isEmpty());
    }

    /// Whether an approval waits: those that were withdrawn with a rewind stay in the list.
    private static boolean isAsking(String job) {
        return client("root").get("/api/v1/jobs/" + job + "/approvals").items().stream()
                .anyMatch(each -> ((JsonObject) each).string("status").orElse("").equals("open"));
    }

    private static void assertRefused(String client, String job) {
        assertThat(approval(client, job).has("token")).as(client).isFalse();
        var refused = decide(client, job);
        assertThat(refused.status()).as(client + ": " + refused.text()).isEqualTo(403);
        assertThat(refused.detail())
                .endsWith(
                        "client "
                                + client
                                + " is none of them"
                                + (client.equals("clerk")
                                        ? ""
                                        : ", since it had a part in the submission"));
    }

    /// Trap: an operator has a schedule submit a payment in the name of another client, and lets it through.
    @Test
    void whoWroteASchedule_decidesAboutNoneOfItsJobs() {
        schedule("root", "written", "\"blueprint\":\"four-eyes\"");
        var job = run("clerk", "written");

        assertRefused("root", job);
        assertRefused("clerk", job);
        assertThat(decide("boss", job).status()).isEqualTo(200);
    }

    @Test
    void whoChangedASchedule_decidesAboutNoneOfItsJobs() {
        schedule("clerk", "changed", "\"blueprint\":\"four-eyes\"");
        schedule("boss", "changed", "\"blueprint\":\"four-eyes\",\"input\":{\"amount\":1000000}");
        assertThat(client("clerk").get("/api/v1/schedules/changed").object().string("changed_by"))
                .contains("client boss");
        var job = run("clerk", "changed");

        assertRefused("boss", job);
        assertThat(decide("root", job).status()).isEqualTo(200);
    }

    @Test
    void whoHasAScheduleRun_doesNotDecideAboutThisJob() {
        schedule("clerk", "run", "\"blueprint\":\"four-eyes\"");
        var job = run("root", "run");

        assertRefused("root", job);
        assertThat(decide("boss", job).status()).isEqualTo(200);
        assertThat(decide("root", run("clerk", "run")).status()).isEqualTo(200);
    }

    @Test
    void whoWroteASchedule_decidesNeitherAboutChildrenNorForksOfItsJobs() {
        schedule("root", "family", "\"blueprint\":\"parent\"");
        var job = run("clerk", "family");
        var child =
                await().until(
                                () ->
                                        client("clerk")
                                                .get("/api/v1/jobs?parent=" + job)
                                                .items()
                                                .stream()
                                                .map(each -> ((JsonObject) each).string("id"))
                                                .flatMap(Optional::stream)
                                                .filter(ApproversTest::isAsking)
                                                .findFirst()
                                                .orElse(""),
                                found -> !found.isEmpty());
        assertRefused("root", child);

        var fork = fork("clerk", job);
        assertRefused("root", fork);
        assertThat(decide("boss", fork).status()).isEqualTo(200);
    }

    private static String fork(String client, String job) {
        var forked = client(client).post("/api/v1/jobs/" + job + "/fork", "{\"state\":\"ask\"}");
        assertThat(forked.status()).as(forked.text()).isEqualTo(202);
        var fork = forked.object().string("job_id").orElseThrow();
        await().until(() -> isAsking(fork));
        return fork;
    }

    /// Trap: who submitted a payment has an operator fork it, and lets the fork through.
    @Test
    void whoSubmittedAJob_doesNotDecideAboutItsForks() {
        var fork = fork("root", begin("managers", ""));

        // It is that of another client, and of no approver of it: there is no such job for it.
        assertThat(decide("clerk", fork).status()).isEqualTo(404);
        assertThat(decide("manager", fork).status()).isEqualTo(200);
    }

    /// Trap: an operator takes the job of another client back to its beginning with another amount, and lets it through.
    @Test
    void whoTookAJobBack_doesNotDecideAboutIt() {
        var job = begin("payment", ",\"initial_data\":{\"amount\":10}");
        assertThat(
                        client("root")
                                .post(
                                        "/api/v1/jobs/" + job + "/rewind",
                                        "{\"state\":\"prepare\",\"data\":{\"amount\":1000000}}")
                                .status())
                .isEqualTo(200);
        await().until(() -> isAsking(job));

        assertRefused("root", job);
        assertThat(decide("boss", job).status()).isEqualTo(200);
    }

    @Test
    void anOperator_decidesUnlessOthersAreNamed() {
        assertThat(decide("root", begin("four-eyes", "")).status()).isEqualTo(200);
        assertThat(decide("root", begin("managers", "")).status()).isEqualTo(403);
    }

    @Test
    void whoIsNamed_decidesAboutJobsOfOthers_andSeesNothingElseOfThem() {
        var job = begin("managers", "");

        var seen = approval("manager", job);
        assertThat(seen.string("message")).contains("pay it?");
        assertThat(seen.string("link").orElseThrow())
                .startsWith(OUTSIDE + "/_public/approve#job=" + job + "&token=");
        for (var path : List.of("", "/history", "/explain", "/webhooks")) {
            assertThat(client("manager").get("/api/v1/jobs/" + job + path).status()).isEqualTo(404);
        }
        for (var stranger : List.of("other", "watcher")) {
            assertThat(decide(stranger, job).status())
                    .isEqualTo(stranger.equals("other") ? 404 : 403);
        }
        assertThat(client("other").get("/api/v1/jobs/" + job + "/approvals").status())
                .isEqualTo(404);
        assertThat(approval("watcher", job).has("link")).isFalse();

        assertThat(decide("manager", job).status()).isEqualTo(200);

        var result =
                client("clerk").get("/api/v1/jobs/" + job + "?wait=60").object().object("result");
        assertThat(result.flatMap(it -> it.object("approval")).flatMap(it -> it.string("by")))
                .contains("client manager");
        assertThat(client("manager").get("/api/v1/jobs/" + job + "/approvals").status())
                .isEqualTo(404);
    }

    @Test
    void theLink_isInTheWebhook_butNotInThatOfWhoMayNotDecide() {
        try (var own = TestReceiver.good()) {
            var webhook = ",\"webhook_url\":\"" + own.url() + "\"";
            for (var blueprint : List.of("anybody", "four-eyes")) {
                var job = begin(blueprint, webhook);
                await().untilAsserted(() -> {
                    assertThat(link(mails, job)).startsWith(OUTSIDE + "/_public/approve#job=");
                    assertThat(link(own, job))
                            .isEqualTo(blueprint.equals("anybody") ? link(mails, job) : "no link");
                });
            }
        }
    }

    private static String link(TestReceiver receiver, String job) {
        return receiver.heard().stream()
                .map(heard -> heard.json())
                .filter(json -> json.string("job_id").orElseThrow().equals(job))
                .findFirst()
                .map(json -> json.object("waiting").orElseThrow().string("link").orElse("no link"))
                .orElse("nothing heard");
    }

    @Test
    void whoDecidesByLink_givesAName_whichIsKeptAndAudited() throws Exception {
        var job = begin("managers", "");
        var link = URI.create(approval("manager", job).string("link").orElseThrow());
        var token =
                URLDecoder.decode(
                        link.getRawFragment().replaceAll(".*token=", ""), StandardCharsets.UTF_8);
        var anybody = new TestClient(node.uri(), "X-Approval-Token", token);
        var path = "/_public/webhooks/approval/" + job;

        for (var name : List.of("\"\"", "7", "\"a\\nb\"", "\"" + "x".repeat(101) + "\"")) {
            assertThat(
                            anybody.post(path, "{\"decision\":\"approve\",\"name\":" + name + "}")
                                    .error())
                    .isEqualTo("Invalid name");
        }
        assertThat(
                        anybody.post(
                                        path,
                                        "{\"decision\":\"approve\",\"name\":\"Ada\",\"comment\":\"fine\"}")
                                .status())
                .isEqualTo(200);

        assertThat(client("clerk").get("/api/v1/jobs/" + job + "/history").text())
                .contains("\"by\":\"token (Ada)\"", "\"comment\":\"fine\"");
        await().untilAsserted(() ->
                assertThat(Files.readString(folder.resolve("data/audit.jsonl")))
                        .contains("\"caller\":\"token (Ada)\""));
    }

    @Test
    void aJob_saysToThoseWhoMayDecide_whereTheyDecide() {
        var job = begin("anybody", "");

        var asked =
                (JsonArray)
                        client("clerk")
                                .get("/api/v1/jobs/" + job)
                                .object()
                                .get("approvals")
                                .orElseThrow();

        assertThat(((JsonObject) asked.get(0)).string("link"))
                .isEqualTo(approval("clerk", job).string("link"))
                .isPresent();
        assertThat(client("watcher").get("/api/v1/jobs/" + job).object().has("approvals"))
                .isFalse();
    }
}
