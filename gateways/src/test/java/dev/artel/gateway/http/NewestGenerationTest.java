package dev.artel.gateway.http;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.access.WorkerTokens;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.TaskLog;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.RealWorkersContract;
import dev.artel.testkit.transport.ReferenceEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What of a worker that describes its skills is a matter of HTTP and its sockets alone; the rest is in
/// [dev.artel.testkit.transport.RealWorkersContract], on every wire.
final class NewestGenerationTest {
    private static final String NEXT = "/_worker/workers/w1/tasks/next";

    private final ManualClock clock = new ManualClock();
    private final ReferenceEngine engine = new ReferenceEngine(clock);
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final GatewayServer server =
            new GatewayServer(
                    0,
                    clock,
                    WorkerTokens.shared(GatewayServer.TOKEN),
                    WorkerLimits.NONE,
                    listener(),
                    GatewayServer.Way.SHORT_CUT);
    private final RawHttp http = new RawHttp(server.port);

    NewestGenerationTest() {
        server.connect(engine, engine::connect);
        assertThat(
                        http.send("POST", "/_worker/workers/register", RealWorkersContract.NEWEST)
                                .status())
                .isEqualTo(200);
    }

    private SessionShell.ProgressListener listener() {
        return new SessionShell.ProgressListener() {
            @Override
            public void progressed(
                    WorkerId worker, LeaseToken token, double fraction, String message) {
                heard.add(worker + " " + fraction + " " + message);
            }

            @Override
            public void logged(WorkerId worker, LeaseToken token, List<TaskLog.Line> lines) {
                lines.forEach(
                        line -> heard.add(worker + " " + line.level() + " " + line.message()));
            }
        };
    }

    @AfterEach
    void close() {
        http.close();
        server.close();
    }

    @Test
    void aPollWhoseTimeoutIsNoNumber_isRefused() {
        assertThat(http.send("GET", NEXT + "?timeout=soon", null).status()).isEqualTo(400);
    }

    @Test
    void aPollWhoseSkillsAreAnArray_orComeOneByOne_isRead() {
        for (var query :
                List.of(
                        "?available_skills=%5B%22draw%22%5D",
                        "?available_skills=draw&available_skills=echo")) {
            engine.submit("draw");
            assertThat(text(http.send("GET", NEXT + query, null), "type")).isEqualTo("draw");
        }
    }

    @Test
    void progressAndEvents_overTheSocket_areReadLikeThoseOverHttp() throws Exception {
        engine.submit("echo");
        var task = http.send("GET", NEXT + "?available_skills=echo", null);
        var progress = event("progress", task, "{\"progress\":0.5,\"message\":\"half\"}");
        var other = event("page_found", task, "{\"page\":7}");

        assertThat(http.send("POST", "/_worker/events", progress).text())
                .isEqualTo("{\"status\":\"accepted\"}");
        assertThat(http.send("POST", "/_worker/events", other).text())
                .isEqualTo("{\"status\":\"accepted\"}");
        assertThat(heard).containsExactly("w1 0.5 half", "w1 event page_found {\"page\":7}");
        heard.clear();
        try (var socket = RawSocket.open(server.port, "/_worker/ws/w1")) {
            socket.send(progress);
            socket.send(other);
            await().untilAsserted(() ->
                    assertThat(heard)
                            .containsExactly("w1 0.5 half", "w1 event page_found {\"page\":7}"));
        }
        var unknown = progress.replace(text(task, "task_id"), "no-such-task");
        assertThat(http.send("POST", "/_worker/events", unknown).text())
                .isEqualTo("{\"status\":\"ignored\",\"reason\":\"not_found\"}");
    }

    @Test
    void aToken_isExchangedForOneThatIsGoodForAWhile_forThatWorkerAlone() {
        var pair = exchange("token", GatewayServer.TOKEN, "{\"worker_id\":\"w1\"}");
        var access = pair.string("access_token").orElseThrow();

        assertThat(pair.number("expires_in").orElseThrow().asLong()).isPositive();
        assertThat(pair.string("worker_id")).hasValue("w1");
        assertThat(access).doesNotContain(GatewayServer.TOKEN);
        assertThat(http.send("PATCH", "/_worker/workers/w1", access, "{\"load\":0}").status())
                .isEqualTo(200);
        assertThat(http.send("PATCH", "/_worker/workers/w2", access, "{\"load\":0}").status())
                .isEqualTo(403);

        var refresh = pair.string("refresh_token").orElseThrow();
        assertThat(http.send("PATCH", "/_worker/workers/w1", refresh, "{}").status())
                .isEqualTo(401);
        var next = exchange("refresh", refresh, "{}").string("access_token").orElseThrow();
        assertThat(http.send("PATCH", "/_worker/workers/w1", next, "{}").status()).isEqualTo(200);
        assertThat(http.send("POST", "/_worker/auth/refresh", access, "{}").status())
                .as("a token for access is not extended")
                .isEqualTo(401);
        var again = exchange("token", access, "{}").string("access_token").orElseThrow();
        assertThat(http.send("PATCH", "/_worker/workers/w1", again, "{}").status()).isEqualTo(200);
        assertThat(http.send("PATCH", "/_worker/workers/w2", again, "{}").status()).isEqualTo(403);
        var underTheOtherName = exchange("token/refresh", refresh, "{}");
        assertThat(underTheOtherName.string("worker_id")).hasValue("w1");
    }

    @Test
    void anAccessTokenThatHasEnded_isExchangedOnceMore() {
        var ended = accessToken(Duration.ofHours(2));

        assertThat(http.send("PATCH", "/_worker/workers/w1", ended, "{}").status()).isEqualTo(401);
        var again = exchange("token", ended, "{}");
        assertThat(again.string("worker_id")).hasValue("w1");
        var access = again.string("access_token").orElseThrow();
        assertThat(http.send("PATCH", "/_worker/workers/w1", access, "{}").status()).isEqualTo(200);
        assertThat(
                        http.send(
                                        "POST",
                                        "/_worker/auth/token",
                                        accessToken(Duration.ofHours(25)),
                                        "{}")
                                .status())
                .isEqualTo(401);
    }

    /// One of this orchestrator that was got so long ago.
    private static String accessToken(Duration ago) {
        return new ExchangedTokens(
                        WorkerTokens.shared(GatewayServer.TOKEN),
                        () -> Instant.now().minus(ago),
                        () -> new byte[32])
                .exchange(GatewayServer.TOKEN, new WorkerId("w1"))
                .string("access_token")
                .orElseThrow();
    }

    @Test
    void aTokenThatIsGoodForNothing_isNotExchanged_andTheAnswerSaysWhatToSend() {
        assertThat(http.send("POST", "/_worker/auth/token", "wrong", "{}").status()).isEqualTo(401);
        assertThat(http.send("POST", "/_worker/auth/token", null, "{}").text())
                .contains("Authorization: Bearer", "X-Worker-Token");
        var made = "artel-x1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        assertThat(http.send("PATCH", "/_worker/workers/w1", made, "{}").text())
                .contains("exchange anew");
        assertThat(http.send("POST", "/_worker/auth/refresh", made, "{}").text())
                .contains("/_worker/auth/token");
    }

    @Test
    void skillsOfOtherWorkers_areNotCalled_andTheAnswerSaysWhatToDoInstead() {
        var call = "{\"skill_name\":\"draw\",\"params\":{}}";
        for (var path : List.of("/_worker/skills/call", "/skills/call")) {
            var answer = http.send("POST", path, call);

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).contains("/api/v1/jobs");
            assertThat(http.send("POST", path, "wrong", call).status()).isEqualTo(401);
        }
    }

    /// Trap: workers with flat results log a warning for each word that they do not know.
    @Test
    void aFlatResultThatIsIgnored_hasTheReasonInTheWordsOfItsWorker_andOursBeside() {
        var unknown = "\"job_id\":\"j\",\"task_id\":\"no-such-task\",\"worker_id\":\"w1\"";
        assertThat(
                        http.send(
                                        "POST",
                                        "/_worker/tasks/result",
                                        "{" + unknown + ",\"status\":\"success\",\"data\":{}}")
                                .text())
                .isEqualTo(
                        "{\"status\":\"ignored\",\"reason\":\"job_not_found\",\"code\":\"not_found\"}");
        assertThat(
                        http.send(
                                        "POST",
                                        "/_worker/tasks/result",
                                        "{" + unknown + ",\"result\":{\"status\":\"success\"}}")
                                .text())
                .isEqualTo("{\"status\":\"ignored\",\"reason\":\"not_found\"}");
    }

    @Test
    void aNumberThatIsSentAsAText_isReadAsTheNumber_andTheAnswerWarns() {
        var registration =
                RealWorkersContract.NEWEST
                        .replace("{\"echo\":0.5}", "{\"echo\":\"0.5\"}")
                        .replace("\"memory_gb\":80", "\"memory_gb\":\"80\"");

        var answer = http.send("POST", "/_worker/workers/register", registration);

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(text(answer, "warning"))
                .isEqualTo(
                        "read as numbers, although they are texts: capabilities.cost_per_skill.echo,"
                                + " resources.devices[0].properties.memory_gb; send numbers without quotes");
    }

    private JsonObject exchange(String what, String token, String body) {
        var answer = http.send("POST", "/_worker/auth/" + what, token, body);
        assertThat(answer.status()).isEqualTo(200);
        return (JsonObject) answer.json();
    }

    private static String event(String type, RawHttp.Answer task, String payload) {
        return """
        {"event_id":"e1","event_type":"%s","target_task_id":"%s","target_job_id":"%s","origin_task_id":"%s",\
        "origin_worker_id":"w1","bubbling_chain":[],"payload":%s}\
        """
                .formatted(
                        type,
                        text(task, "task_id"),
                        text(task, "job_id"),
                        text(task, "task_id"),
                        payload);
    }

    private static String text(RawHttp.Answer answer, String member) {
        return ((JsonObject) answer.json()).string(member).orElse("");
    }
}
