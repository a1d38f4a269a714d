package dev.artel.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.access.WorkerTokens;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.kernel.task.TaskReport;
import dev.artel.protocol.CancelTask;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.waits.Await;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What workers of the first generation send and receive, word for word.
@Timeout(Await.HUNG)
final class FirstGenerationTest {
    private static final String REGISTRATION =
            """
            {"worker_id":"w1","worker_type":"t","supported_tasks":["echo"],"max_concurrent_tasks":10,\
            "installed_models":[],"hostname":"h","ip_address":"10.0.0.5",\
            "resources":{"cpu_cores":4,"gpu_info":null}}\
            """;
    private static final String IDLE =
            """
            {"load":0,"status":"idle","supported_tasks":["echo"],"hot_cache":[]}\
            """;
    private static final String LOADED =
            """
            {"load":1,"status":"idle","supported_tasks":["echo"],"hot_cache":[]}\
            """;
    private static final JsonObject PARAMS = JsonObject.of("x", JsonNumber.of(1));

    private final ManualClock clock = new ManualClock();
    private final ReferenceEngine engine = new ReferenceEngine(clock);
    private final GatewayServer server =
            new GatewayServer(0, clock, WorkerTokens.shared(GatewayServer.TOKEN));
    private final RawHttp http = new RawHttp(server.port);

    FirstGenerationTest() {
        server.connect(engine, engine::connect);
    }

    @AfterEach
    void close() {
        http.close();
        server.close();
    }

    @Test
    void aWholeConversation_isAnsweredAsTheWorkerExpects() throws Exception {
        var registered = http.send("POST", "/_worker/workers/register", REGISTRATION);
        assertThat(registered.status()).isEqualTo(200);
        assertThat(text(registered, "status")).isEqualTo("registered");

        var beat = http.send("PATCH", "/_worker/workers/w1", IDLE);
        assertThat(beat.status()).isEqualTo(200);
        assertThat(text(beat, "worker_id")).isEqualTo("w1");
        assertThat(text(beat, "status")).isEqualTo("idle");
        assertThat(text(beat, "hostname")).isEqualTo("h");

        var idle = http.begin("GET", "/_worker/workers/w1/tasks/next");
        engine.await("the poll asks", () -> engine.asks("w1") == 1);
        clock.advance(Duration.ofSeconds(30));
        var nothing = idle.get(Await.seconds(), TimeUnit.SECONDS);
        assertThat(nothing.status()).isEqualTo(204);
        assertThat(nothing.text()).isEmpty();

        var job = engine.submit("echo", PARAMS);
        var task = http.send("GET", "/_worker/workers/w1/tasks/next", null);
        assertThat(task.status()).isEqualTo(200);
        assertThat(task.contentType())
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
        assertThat(text(task, "job_id")).isEqualTo(job.value());
        assertThat(text(task, "type")).isEqualTo("echo");
        assertThat(object(task).object("params")).hasValue(PARAMS);
        assertThat(object(task).object("tracing_context")).hasValue(JsonObject.EMPTY);

        assertThat(http.send("PATCH", "/_worker/workers/w1", LOADED).status()).isEqualTo(200);
        var next = http.begin("GET", "/_worker/workers/w1/tasks/next");
        engine.await("the next poll asks", () -> engine.asks("w1") == 1);

        var result = http.send("POST", "/_worker/tasks/result", success(task));
        assertThat(result.status()).isEqualTo(200);
        assertThat(result.text()).isEqualTo("{\"status\":\"result_accepted_success\"}");
        assertThat(http.send("PATCH", "/_worker/workers/w1", IDLE).status()).isEqualTo(200);
        assertThat(next).isNotDone();
        assertThat(engine.applied(job))
                .singleElement()
                .isInstanceOfSatisfying(
                        TaskReport.Succeeded.class,
                        report -> assertThat(report.status()).isEqualTo("success"));
    }

    @Test
    void aCancel_reachesASocketThatSaysNotWhoseItIs_andItsResultIsTakenKindly() throws Exception {
        http.send("POST", "/_worker/workers/register", REGISTRATION);
        try (var socket = RawSocket.open(server.port, "/_worker/ws")) {
            var job = engine.submit("echo", PARAMS);
            var task = http.send("GET", "/_worker/workers/w1/tasks/next", null);

            engine.cancel(job);

            var frame = socket.next();
            assertThat(frame.string("type")).hasValue("cancel_task");
            assertThat(frame.string("command")).hasValue("cancel_task");
            assertThat(frame.string("task_id")).hasValue(text(task, "task_id"));
            assertThat(frame.string("job_id")).hasValue(job.value());
            assertThat(CancelTask.readFrame(frame)).isPresent();
            var cancelled =
                    """
                    {"job_id":"%s","task_id":"%s","worker_id":"w1","result":{"status":"cancelled"}}\
                    """
                            .formatted(job, text(task, "task_id"));
            var answer = http.send("POST", "/_worker/tasks/result", cancelled);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(engine.holder(job)).isEmpty();
        }
    }

    @Test
    void aResultWithoutAnObject_isASuccess() {
        http.send("POST", "/_worker/workers/register", REGISTRATION);
        var job = engine.submit("echo", PARAMS);
        var task = http.send("GET", "/_worker/workers/w1/tasks/next", null);
        var nothing =
                """
                {"job_id":"%s","task_id":"%s","worker_id":"w1","result":null}\
                """
                        .formatted(job, text(task, "task_id"));

        assertThat(http.send("POST", "/_worker/tasks/result", nothing).text())
                .isEqualTo("{\"status\":\"result_accepted_success\"}");
    }

    @Test
    void tokens_areRefusedInTheWordsThatWorkersKnow() {
        var path = "/_worker/workers/w1";
        assertThat(http.send("PATCH", path, null, IDLE).error()).isEqualTo("Missing worker token");
        assertThat(http.send("PATCH", path, null, IDLE).text())
                .contains("send it as Authorization: Bearer TOKEN; X-Worker-Token: TOKEN");
        assertThat(http.send("PATCH", path, null, IDLE).status()).isEqualTo(401);
        assertThat(http.send("PATCH", path, "guess", IDLE).error())
                .isEqualTo("Unauthorized: No valid token found");
        assertThat(http.send("POST", "/_worker/workers/register", "guess", "{").error())
                .isEqualTo("Unauthorized: Invalid token or missing worker_id");
        assertThat(http.send("GET", path + "/tasks/next", null, null).status()).isEqualTo(401);
        assertThat(http.send("POST", "/_worker/tasks/result", "guess", "{}").status())
                .isEqualTo(401);
        assertThat(engine.worker("w1")).isEmpty();
    }

    @Test
    void mistakes_areAnsweredInTheWordsThatWorkersKnow() {
        var register = "/_worker/workers/register";
        var result = "/_worker/tasks/result";

        assertThat(http.send("POST", register, "not json").error()).isEqualTo("Invalid JSON body");
        assertThat(http.send("POST", register, "{\"load\":1}").error())
                .isEqualTo("Missing required field: worker_id");
        assertThat(http.send("POST", register, "{}").error())
                .isEqualTo("Worker data not found in request");
        assertThat(http.send("PATCH", "/_worker/workers/w9", null).error())
                .isEqualTo("Worker not found");
        assertThat(http.send("PATCH", "/_worker/workers/w9", null).status()).isEqualTo(404);
        assertThat(http.send("POST", result, "{\"worker_id\":\"w1\",\"result\":{}}").error())
                .isEqualTo("job_id and task_id are required");
        assertThat(http.send("POST", result, "{").status()).isEqualTo(400);
        assertThat(http.send("GET", "/_worker/ws", null).status()).isEqualTo(400);
    }

    @Test
    void anEmptyHeartbeat_refreshesAKnownWorker() {
        http.send("POST", "/_worker/workers/register", REGISTRATION);

        for (var body : new String[] {null, "", "{}", "not json"}) {
            assertThat(http.send("PATCH", "/_worker/workers/w1", body).text())
                    .isEqualTo("{\"status\":\"ttl_refreshed\"}");
        }
    }

    @Test
    void aNumberOfTasks_isAListOfThem() {
        http.send("POST", "/_worker/workers/register", REGISTRATION);
        engine.submit("echo", PARAMS);
        engine.submit("echo", PARAMS);

        var answer = http.send("GET", "/_worker/workers/w1/tasks/next?max=5", null);

        assertThat(object(answer).array("tasks").orElse(JsonArray.EMPTY).size()).isEqualTo(2);
        assertThat(http.send("GET", "/_worker/workers/w1/tasks/next?max=no", null).status())
                .isEqualTo(400);
    }

    private static JsonObject object(RawHttp.Answer answer) {
        return (JsonObject) answer.json();
    }

    private static String text(RawHttp.Answer answer, String name) {
        return object(answer).string(name).orElse("");
    }

    private static String success(RawHttp.Answer task) {
        return """
        {"job_id":"%s","task_id":"%s","worker_id":"w1",\
        "result":{"status":"success","data":{"echoed":{"x":1}}}}\
        """
                .formatted(text(task, "job_id"), text(task, "task_id"));
    }
}
