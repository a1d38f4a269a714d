package dev.artel.server.http;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Signals and approvals over HTTP; what is asked of the orchestrator by people, and with which words it refuses.
final class OutsideTest {
    private static final Outcomes CHOICES = Outcomes.on("approve", "end").and("reject", "no");

    private static final Storage STORAGE =
            new Storage(
                    new InMemoryEventStore(),
                    new InMemoryPayloadStore(),
                    new InMemoryFleet(),
                    new InMemoryKeyValueStore());
    private static ArtelNode node;
    private static TestClient client;
    private static TestClient anybody;

    @BeforeAll
    static void start() {
        var paying =
                Blueprint.named("paying")
                        .start(
                                "wait",
                                _ ->
                                        Action.awaitSignal("paid", "end")
                                                .within(Duration.ofDays(30), "end"))
                        .leadingTo("end")
                        .state("end", step -> Action.finish(step.data()))
                        .build();
        var asking =
                Blueprint.named("asking")
                        .start("ask", _ -> Action.awaitApproval("ship it?", CHOICES))
                        .leadingTo("end", "no")
                        .state("end", step -> Action.finish(step.data()))
                        .failedEnd("no")
                        .build();
        var hurried =
                Blueprint.named("hurried")
                        .start(
                                "ask",
                                _ ->
                                        Action.awaitApproval("now?", CHOICES)
                                                .within(Duration.ofMillis(300), "late"))
                        .leadingTo("end", "no", "late")
                        .state("late", _ -> Action.waitFor(Duration.ofDays(365 * 90), "end"))
                        .leadingTo("end")
                        .end("end")
                        .failedEnd("no")
                        .build();
        var transferring =
                Blueprint.named("transferring")
                        .start(
                                "pay",
                                _ ->
                                        Action.dispatch(
                                                TaskSpec.of("transfer", JsonObject.EMPTY)
                                                        .notIdempotent()
                                                        .withExecutionTimeout(
                                                                Duration.ofMillis(200)),
                                                Outcomes.on("success", "end")))
                        .leadingTo("end")
                        .state("end", step -> Action.finish(step.data()))
                        .build();
        node =
                ArtelNode.start(
                        TestNodes.CONFIG,
                        Blueprints.of(paying, asking, hurried, transferring),
                        STORAGE);
        client = TestClient.of(node);
        anybody = new TestClient(node.uri(), "", "");
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private String begin(String blueprint, String status) {
        var job = client.submit("{\"blueprint\":\"" + blueprint + "\"}");
        await().untilAsserted(() -> assertThat(look(job).string("status")).contains(status));
        return job;
    }

    private JsonObject look(String job) {
        return client.get("/api/v1/jobs/" + job).object();
    }

    private Answer signal(String job, String body) {
        return client.post("/api/v1/jobs/" + job + "/signals/paid", body);
    }

    private static void assertRefused(Answer answer, int status, String error, String detail) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.error()).isEqualTo(error);
        assertThat(answer.object().string("detail")).contains(detail);
    }

    @Test
    void aSignal_bringsAJobOn_once() {
        var job = begin("paying", "waiting_for_signal");

        var first = signal(job, "{\"id\":\"p-1\",\"payload\":{\"amount\":7}}");
        var again = signal(job, "{\"id\":\"p-1\",\"payload\":{\"amount\":7}}");

        assertThat(first.status()).isEqualTo(202);
        assertThat(first.text()).isEqualTo("{\"status\":\"signal_accepted\"}");
        assertThat(again.text()).isEqualTo("{\"status\":\"signal_known\"}");
        var done = client.get("/api/v1/jobs/" + job + "?wait=60").object();
        assertThat(done.get("result")).hasToString("Optional[{\"paid\":{\"amount\":7}}]");
    }

    @Test
    void theIdOfASignal_mayBeTheIdempotencyKey() {
        var job = begin("paying", "waiting_for_signal");

        var answer =
                client.post(
                        "/api/v1/jobs/" + job + "/signals/other", "{}", "Idempotency-Key", "k-1");

        assertThat(answer.status()).isEqualTo(202);
        assertThat(look(job).get("signals")).hasToString("Optional[{\"other\":1}]");
    }

    @Test
    void aSignalThatMakesNoSense_isRefused() {
        var job = begin("paying", "waiting_for_signal");

        assertRefused(
                signal(job, "{}"),
                400,
                "Invalid signal id",
                "it is missing; give one in the body or as Idempotency-Key, so that the same"
                        + " signal sent again changes nothing");
        assertRefused(
                signal(job, "{\"id\":7}"),
                400,
                "Invalid signal id",
                "it must be a text of 1 to 200 characters");
        assertRefused(
                signal(job, "{\"id\":\"a\",\"data\":1}"),
                400,
                "Unknown field",
                "there is no field 'data'; there are [id, payload]");
        assertRefused(
                client.post("/api/v1/jobs/" + job + "/signals/a%20b", "{\"id\":\"a\"}"),
                400,
                "Invalid signal name",
                "a signal's name has 1 to 100 letters, digits, '-', '_' or '.'");
        assertThat(signal("none", "{\"id\":\"a\"}").error()).isEqualTo("Job not found");
    }

    @Test
    void aFinalJob_takesNoSignal() {
        var job = begin("paying", "waiting_for_signal");
        client.post("/api/v1/jobs/" + job + "/cancel", "");

        var late = signal(job, "{\"id\":\"p-9\"}");

        assertThat(late.status()).isEqualTo(409);
        assertThat(late.error()).isEqualTo("Job is over");
        assertThat(late.object().string("detail").orElseThrow())
                .matches(
                        "job "
                                + job
                                + ": signal 'paid' is refused: the job is already cancelled since"
                                + " [0-9T:.Z-]+; the job does not wait for it");
    }

    @Test
    void aJobSaysForWhichSignalItWaits_andUntilWhen() {
        var job = begin("paying", "waiting_for_signal");

        var branch = (JsonObject) look(job).array("branches").orElseThrow().get(0);
        var explained = client.get("/api/v1/jobs/" + job + "/explain").object();

        assertThat(branch.string("signal")).contains("paid");
        assertThat(branch.string("until")).isPresent();
        assertThat(explained.string("text").orElseThrow())
                .startsWith("it waits for signal 'paid' to go on in state end, until ")
                .endsWith(", or else in state end");
        var wait = (JsonObject) explained.array("waits").orElseThrow().get(0);
        assertThat(wait.string("for")).contains("signal");
        assertThat(wait.string("unblock"))
                .contains("send the signal: POST /api/v1/jobs/" + job + "/signals/paid");
    }

    private JsonObject approval(String job) {
        return (JsonObject) client.get("/api/v1/jobs/" + job + "/approvals").items().get(0);
    }

    private Answer decide(String job, String decision, String token) {
        return anybody.post(
                "/_public/webhooks/approval/" + job,
                "{\"decision\":\"" + decision + "\",\"token\":\"" + token + "\"}");
    }

    @Test
    void whoHasTheToken_decides_withoutBeingAClient() {
        var job = begin("asking", "waiting_for_human");
        var token = approval(job).string("token").orElseThrow();

        var answer = decide(job, "approve", token);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text())
                .isEqualTo("{\"status\":\"approval_received\",\"job_id\":\"" + job + "\"}");
        var done = client.get("/api/v1/jobs/" + job + "?wait=60").object();
        var decision = done.object("result").flatMap(it -> it.object("approval")).orElseThrow();
        assertThat(decision.string("decision")).contains("approve");
        assertThat(decision.string("by")).contains("token");
        assertThat(approval(job).string("by")).contains("token");
    }

    @Test
    void aClientDecides_underItsOwnName_andSaysWhy() {
        var job = begin("asking", "waiting_for_human");
        var number = approval(job).number("approval").map(JsonNumber::asLong).orElseThrow();

        var answer =
                client.post(
                        "/api/v1/jobs/" + job + "/approvals/" + number,
                        "{\"decision\":\"reject\",\"comment\":\"too dear\"}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(client.get("/api/v1/jobs/" + job + "?wait=60").object().string("status"))
                .contains("failed");
        assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                .contains("\"by\":\"client default\"")
                .contains("\"comment\":\"too dear\"");
    }

    /// The token of a mail must not be found in the job's history.
    @Test
    void aTokenIsShownWhereOneDecides_andNowhereElse() {
        var job = begin("asking", "waiting_for_human");
        var token = approval(job).string("token").orElseThrow();

        assertThat(look(job).with("approvals", JsonNull.NULL).toString()).doesNotContain(token);
        assertThat(client.get("/api/v1/jobs/" + job + "/history").text()).doesNotContain(token);
        assertThat(client.get("/api/v1/jobs/" + job + "/explain").text()).doesNotContain(token);
        assertThat(client.get("/api/v1/jobs").text()).doesNotContain(token);
    }

    /// Anybody could push along any job that waits, by knowing its id alone.
    @Test
    void withoutAToken_nothingIsDecided() {
        var job = begin("asking", "waiting_for_human");

        var answer =
                anybody.post("/_public/webhooks/approval/" + job, "{\"decision\":\"approve\"}");

        assertRefused(
                answer,
                401,
                "Missing approval token",
                "a decision needs the token of its approval, in the body as token or in the header"
                        + " X-Approval-Token");
        assertRefused(
                decide(job, "approve", "guessed"),
                403,
                "Invalid approval token",
                "job " + job + ": the token belongs to no approval of it");
        assertThat(look(job).string("status")).contains("waiting_for_human");
    }

    @Test
    void theTokenOfOneJob_isWorthNothingForAnother() {
        var one = begin("asking", "waiting_for_human");
        var other = begin("asking", "waiting_for_human");
        var token = approval(one).string("token").orElseThrow();

        assertThat(decide(other, "approve", token).status()).isEqualTo(403);
        assertThat(client.get("/api/v1/jobs").status())
                .isNotEqualTo(
                        new TestClient(node.uri(), "X-Client-Token", token)
                                .get("/api/v1/jobs")
                                .status());
    }

    @Test
    void aWrongChoice_isRefused_andTheTokenStaysGood() {
        var job = begin("asking", "waiting_for_human");
        var found = approval(job);
        var token = found.string("token").orElseThrow();
        var number = found.number("approval").map(JsonNumber::asLong).orElseThrow();

        assertRefused(
                decide(job, "maybe", token),
                400,
                "Invalid decision 'maybe' for this job",
                "job "
                        + job
                        + ": approval "
                        + number
                        + " has no choice 'maybe'; choose one of [approve, reject]");
        assertThat(decide(job, "approve", token).status()).isEqualTo(200);
    }

    @Test
    void aTokenWorksOnce() {
        var job = begin("asking", "waiting_for_human");
        var found = approval(job);
        var token = found.string("token").orElseThrow();
        decide(job, "approve", token);

        var again = decide(job, "reject", token);

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.error()).isEqualTo("Approval token already used");
        assertThat(again.object().string("detail").orElseThrow())
                .matches(
                        "job "
                                + job
                                + ": approval "
                                + found.number("approval").map(JsonNumber::asLong).orElseThrow()
                                + " was decided at [0-9T:.Z-]+ by token: 'approve'; it is decided"
                                + " once");
    }

    @Test
    void anExpiredToken_isRefused() {
        var job = client.submit("{\"blueprint\":\"hurried\"}");
        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs/" + job + "/approvals").items()).isNotEmpty());
        var found = approval(job);
        await().untilAsserted(() -> assertThat(look(job).string("current_state")).contains("late"));

        // It may have expired before it could be looked at.
        found.string("token")
                .ifPresent(token -> {
                    var late = decide(job, "approve", token);
                    assertThat(late.status()).isEqualTo(410);
                    assertThat(late.error()).isEqualTo("Approval expired");
                    assertThat(late.object().string("detail").orElseThrow())
                            .contains(" has expired at ")
                            .endsWith("; it can be decided no more");
                });
        assertThat(approval(job).string("status")).contains("expired");
    }

    @Test
    void aFinalJob_hasNothingToDecide() {
        var job = begin("asking", "waiting_for_human");
        var token = approval(job).string("token").orElseThrow();
        client.post("/api/v1/jobs/" + job + "/cancel", "");

        var late = decide(job, "approve", token);

        assertThat(late.status()).isEqualTo(409);
        assertThat(late.error()).isEqualTo("Job is not in a state that can be approved");
        assertThat(late.object().string("detail").orElseThrow())
                .matches(
                        "job "
                                + job
                                + ": it is already cancelled since [0-9T:.Z-]+; there is nothing to"
                                + " decide");
    }

    @Test
    void whatIsAskedWrongly_isRefused_inTheOrderOfOldClients() {
        var job = begin("asking", "waiting_for_human");
        var path = "/_public/webhooks/approval/";

        assertThat(anybody.post(path + job, "").error()).isEqualTo("Invalid JSON body");
        assertThat(anybody.post(path + job, "{}").error())
                .isEqualTo("decision is required in body");
        assertThat(decide("none", "approve", "x").error()).isEqualTo("Job not found");
        assertThat(decide("none", "approve", "x").status()).isEqualTo(404);
        assertRefused(
                anybody.post(path + job, "{\"decision\":\"approve\",\"comment\":7}"),
                400,
                "Invalid comment",
                "comment must be a text of at most 2000 characters");
        assertRefused(
                client.post("/api/v1/jobs/" + job + "/approvals/99", "{\"decision\":\"approve\"}"),
                409,
                "Job is not in a state that can be approved",
                "job " + job + ": it has no approval 99; list those that it waits for");
    }

    @Test
    void aJobThatAsksNobody_hasNothingToDecide() {
        var job = begin("paying", "waiting_for_signal");

        assertRefused(
                client.post("/api/v1/jobs/" + job + "/approvals/1", "{\"decision\":\"approve\"}"),
                409,
                "Job is not in a state that can be approved",
                "job " + job + ": it has no approval 1; list those that it waits for");
        assertRefused(
                decide(job, "approve", "guessed"),
                403,
                "Invalid approval token",
                "job " + job + ": the token belongs to no approval of it");
        assertThat(look(job).string("status")).contains("waiting_for_signal");
    }

    @Test
    void aSignalWithoutABodyThatCanBeRead_isRefused_andNotKept() {
        var job = begin("paying", "waiting_for_signal");

        var torn = signal(job, "{\"id\":\"a\",\"payload\":");
        var large = signal(job, "{\"id\":\"a\",\"payload\":\"" + "x".repeat(1 << 20) + "\"}");

        assertThat(torn.status()).isEqualTo(400);
        assertThat(torn.error()).isEqualTo("Invalid JSON body");
        assertRefused(large, 413, "Body too large", "at most 1048576 bytes are taken");
        assertThat(look(job).string("status")).contains("waiting_for_signal");
    }

    @Test
    void aTokenOutlivesTheOrchestrator() {
        var job = begin("asking", "waiting_for_human");
        var token = approval(job).string("token").orElseThrow();

        stop();
        start();

        assertThat(approval(job).string("token")).contains(token);
        assertThat(decide(job, "approve", token).status()).isEqualTo(200);
    }

    /// A payment whose worker takes too long was paid twice, or given up though it was paid.
    @Test
    void aTaskThatMayHaveBeenDone_waitsForSomebodyWhoKnows() {
        var job = client.submit("{\"blueprint\":\"transferring\"}");
        new TestWorker(node, "payer", "transfer").next();
        await().untilAsserted(
                        () -> assertThat(look(job).string("status")).contains("waiting_for_human"));

        var path = "/api/v1/jobs/" + job + "/tasks/0";
        assertThat(client.get(path).object().string("status")).contains("in_doubt");
        assertThat(client.get("/api/v1/jobs/" + job + "/explain").object().string("text"))
                .contains(
                        "task 0 (transfer) may have had its effect, and must not be done twice:"
                                + " worker payer took longer than PT0.2S");
        assertRefused(
                client.post(path + "/resolve", "{\"outcome\":\"perhaps\"}"),
                400,
                "Invalid resolution",
                "outcome must be happened, did_not_happen or failed");
        assertRefused(
                client.post(path + "/resolve", "{\"outcome\":\"failed\",\"result\":1}"),
                400,
                "Invalid resolution",
                "result has no meaning where the outcome is failed");
        assertRefused(
                client.post(
                        "/api/v1/jobs/" + job + "/tasks/9/resolve",
                        "{\"outcome\":\"did_not_happen\"}"),
                404,
                "Task not found",
                "job " + job + " has no task 9; it has 1");

        var answer =
                client.post(path + "/resolve", "{\"outcome\":\"happened\",\"result\":{\"n\":7}}");

        assertThat(answer.text()).isEqualTo("{\"status\":\"task_resolved\"}");
        assertThat(client.get("/api/v1/jobs/" + job + "?wait=60").object().get("result"))
                .hasToString("Optional[{\"n\":7}]");
        assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                .contains("\"by\":\"client default\"");
        assertThat(client.post(path + "/resolve", "{\"outcome\":\"did_not_happen\"}").error())
                .isEqualTo("Job is over");
    }

    @Test
    void aWorkerThatReportsAfterAll_isBelieved() {
        var job = client.submit("{\"blueprint\":\"transferring\"}");
        var worker = new TestWorker(node, "slow-payer", "transfer");
        var task = worker.next();
        await().untilAsserted(
                        () -> assertThat(look(job).string("status")).contains("waiting_for_human"));

        worker.report(task, JsonObject.of("n", JsonValue.of(8)));

        assertThat(client.get("/api/v1/jobs/" + job + "?wait=60").object().get("result"))
                .hasToString("Optional[{\"n\":8}]");
    }

    /// Trap: an id that a client chose by its key is guessed, and the answer reveals whether there is such a job.
    @Test
    void aJobThatIsNotThere_isAnsweredLikeOneWithAnotherToken() {
        var there = begin("asking", "waiting_for_human");
        var guessing = new TestClient(node.uri(), "X-Approval-Token", "guessed");
        for (var job : java.util.List.of(there, "0192f0c0-0000-7000-8000-000000000000")) {
            var path = "/_public/webhooks/approval/" + job;
            for (var answer :
                    java.util.List.of(
                            guessing.get(path),
                            guessing.post(path, "{\"decision\":\"approve\"}"))) {
                assertRefused(
                        answer,
                        403,
                        "Invalid approval token",
                        "job " + job + ": the token belongs to no approval of it");
            }
        }
    }

    /// Programs that scan mails open every link in them.
    @Test
    void aLink_asksAndDecidesNothing() {
        var job = begin("asking", "waiting_for_human");
        var path = "/_public/webhooks/approval/" + job;
        var holder =
                new TestClient(
                        node.uri(),
                        "X-Approval-Token",
                        approval(job).string("token").orElseThrow());

        var page = anybody.get("/_public/approve");
        var question = holder.get(path).object();

        assertThat(page.header("Content-Type").orElse("")).startsWith("text/html");
        assertThat(page.text()).contains("webhooks/approval/").doesNotContain("http:", "https:");
        assertThat(page.header("Content-Security-Policy").orElse(""))
                .contains("frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'");
        assertThat(page.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(page.header("Cache-Control")).contains("no-store");
        assertThat(question.string("message")).contains("ship it?");
        assertThat(question.get("choices")).hasToString("Optional[[\"approve\",\"reject\"]]");
        assertThat(look(job).string("status")).contains("waiting_for_human");
        assertThat(holder.post(path, "{\"decision\":\"approve\"}").status()).isEqualTo(200);
        assertThat(holder.get(path).object().string("status")).contains("decided");
        assertThat(anybody.get(path).error()).isEqualTo("Missing approval token");
        assertThat(new TestClient(node.uri(), "X-Approval-Token", "guessed").get(path).error())
                .isEqualTo("Invalid approval token");
    }

    @Test
    void aJobSaysWhatAPersonIsToDecide() {
        var job = begin("asking", "waiting_for_human");

        assertThat(client.get("/api/v1/jobs/" + job + "/explain").object().string("text"))
                .contains("it waits for a person to decide: ship it? [approve, reject]");
        assertThat(look(job).get("current_task_transitions"))
                .hasToString("Optional[{\"approve\":\"end\",\"reject\":\"no\"}]");
    }
}
