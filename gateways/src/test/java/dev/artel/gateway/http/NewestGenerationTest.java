package dev.artel.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.protocol.TaskLog;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.ReferenceEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A worker that describes its skills and says with each poll what it has room for, to the letter.
final class NewestGenerationTest {
    private static final String REGISTRATION =
            """
            {"worker_id":"w1","worker_type":"gpu","supported_skills":[{"name":"echo","type":"echo","version":"1.0",\
            "input_schema":{},"output_statuses":["success"]},{"name":"draw","type":"draw","version":"1.0"}],\
            "capabilities":{"hostname":"h","ip_address":"10.0.0.5","cost_per_skill":{"echo":0.5},"extra":{},\
            "websockets":true},"resources":{"properties":{"cpu_cores":8,"ram_gb":32},\
            "devices":[{"type":"gpu","model":"A100","properties":{"memory_gb":80}}]},\
            "installed_artifacts":[],"skills_hash":"1a2b"}\
            """;
    private static final String NEXT = "/_worker/workers/w1/tasks/next";

    private final ManualClock clock = new ManualClock();
    private final ReferenceEngine engine = new ReferenceEngine(clock);
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final GatewayServer server =
            new GatewayServer(
                    0,
                    clock,
                    WorkerTokens.shared(GatewayServer.TOKEN),
                    listener(),
                    GatewayServer.Way.SHORT_CUT);
    private final RawHttp http = new RawHttp(server.port);

    NewestGenerationTest() {
        server.connect(engine, engine::connect);
        assertThat(http.send("POST", "/_worker/workers/register", REGISTRATION).status())
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
    void itsRegistration_saysItsMemory_andThatThePollsAreTheLimit() {
        var profile = engine.worker("w1").orElseThrow();

        assertThat(profile.tasks()).containsExactly("echo", "draw");
        assertThat(profile.capacity()).isGreaterThanOrEqualTo(1000);
        assertThat(profile.equipment().devices())
                .singleElement()
                .satisfies(device -> assertThat(device.amounts()).containsEntry("vram_gb", 80.0));
    }

    @Test
    void aNumberOfTasksAmongTheResources_isItsNumberOfSlots() {
        http.send(
                "POST",
                "/_worker/workers/register",
                "{\"worker_id\":\"w2\",\"supported_tasks\":[\"echo\"],"
                        + "\"resources\":{\"max_concurrent_tasks\":30}}");

        assertThat(engine.worker("w2").orElseThrow().capacity()).isEqualTo(30);
    }

    /// Trap: each hand-out waits for a heartbeat that counts the one before it.
    @Test
    void aWorkerThatPollsAgainAndAgain_getsItsTasksWithoutAHeartbeatInBetween() {
        var jobs = new ArrayList<String>();
        for (var i = 0; i < 40; i++) {
            engine.submit("echo");
        }

        for (var i = 0; i < 40; i++) {
            var path = NEXT + "?timeout=30.0&available_skills=echo,draw&hot_skills=echo";
            jobs.add(text(http.send("GET", path, null), "job_id"));
        }

        assertThat(jobs).doesNotHaveDuplicates().hasSize(40);
    }

    @Test
    void aPoll_getsOnlyWhatItHasRoomFor_andSaysWhatIsHot() throws Exception {
        var poll = http.begin("GET", NEXT + "?available_skills=draw&hot_skills=draw&timeout=30");
        engine.await("the poll asks", () -> engine.asks("w1") == 1);
        var profile = engine.worker("w1").orElseThrow();
        assertThat(profile.tasks()).containsExactly("draw");
        assertThat(profile.skills().hot()).containsExactly("draw");

        engine.submit("echo");
        assertThat(poll).isNotDone();
        engine.submit("draw");

        assertThat(text(poll.get(10, TimeUnit.SECONDS), "type")).isEqualTo("draw");
        var cold = http.begin("GET", NEXT + "?available_skills=draw&timeout=30");
        engine.await("the next poll asks", () -> engine.asks("w1") == 1);
        assertThat(engine.worker("w1").orElseThrow().skills().hot()).isEmpty();
        cold.cancel(true);
    }

    @Test
    void aHeartbeatThatLeavesItsHotSkillsOut_hasNone() {
        var path = "/_worker/workers/w1";
        var hot = "{\"status\":\"idle\",\"available_skills\":[\"echo\"],\"hot_skills\":[\"echo\"]}";
        http.send("PATCH", path, hot);
        assertThat(engine.worker("w1").orElseThrow().skills().hot()).containsExactly("echo");

        http.send("PATCH", path, "{\"status\":\"idle\",\"available_skills\":[\"echo\"]}");

        assertThat(engine.worker("w1").orElseThrow().skills().hot()).isEmpty();
    }

    @Test
    void aPollIsAnsweredBeforeItsWorkerGivesUp() throws Exception {
        var poll = http.begin("GET", NEXT + "?timeout=5.0");
        engine.await("the poll asks", () -> engine.asks("w1") == 1);
        clock.advance(Duration.ofSeconds(4));
        server.shell.tick();
        assertThat(poll).isNotDone();

        clock.advance(Duration.ofMillis(500));
        server.shell.tick();

        assertThat(poll.get(10, TimeUnit.SECONDS).status()).isEqualTo(204);
        assertThat(http.send("GET", NEXT + "?timeout=soon", null).status()).isEqualTo(400);
    }

    @Test
    void progressAndEvents_areHeard_overHttpAndOverTheSocket() throws Exception {
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

    /// Trap: whoever is told to give up goes on telling, and what it tells is kept for a job that is over.
    @Test
    void progressOfAnAttemptThatIsRevoked_isNotHeard() {
        var job = engine.submit("echo");
        var task = http.send("GET", NEXT + "?available_skills=echo", null);
        engine.cancel(job);
        engine.await(
                "the worker is told",
                () ->
                        ((JsonObject)
                                        http.send(
                                                        "PATCH",
                                                        "/_worker/workers/w1",
                                                        "{\"load\":1,\"available_skills\":[]}")
                                                .json())
                                .array("cancel_task_ids")
                                .orElse(JsonArray.EMPTY)
                                .toString()
                                .contains(text(task, "task_id")));

        http.send("POST", "/_worker/events", event("progress", task, "{\"progress\":0.9}"));

        assertThat(heard).isEmpty();
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
        assertThat(http.send("POST", "/_worker/auth/token", access, "{}").status()).isEqualTo(401);
    }

    @Test
    void aTokenThatIsGoodForNothing_isNotExchanged_andTheAnswerSaysWhatToSend() {
        assertThat(http.send("POST", "/_worker/auth/token", "wrong", "{}").status()).isEqualTo(401);
        assertThat(http.send("POST", "/_worker/auth/token", null, "{}").text())
                .contains("X-Worker-Token");
        var made = "artel-x1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        assertThat(http.send("PATCH", "/_worker/workers/w1", made, "{}").text())
                .contains("exchange anew");
        assertThat(http.send("POST", "/_worker/auth/refresh", made, "{}").text())
                .contains("/_worker/auth/token");
    }

    @Test
    void skillsOfOtherWorkers_areNotCalled_andTheAnswerSaysWhatToDoInstead() {
        var call = "{\"worker_id\":\"w1\",\"skill\":\"draw\",\"params\":{}}";
        var answer = http.send("POST", "/_worker/skills/call", call);

        assertThat(answer.status()).isEqualTo(501);
        assertThat(answer.text()).contains("/api/v1/jobs");
        assertThat(http.send("POST", "/_worker/skills/call", "wrong", call).status())
                .isEqualTo(401);
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
