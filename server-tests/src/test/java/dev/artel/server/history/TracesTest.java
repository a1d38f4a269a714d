package dev.artel.server.history;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
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
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The trace of the client goes with its job, down to the workers of its children.
final class TracesTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String CONTEXT =
            "{\"traceparent\":\"" + PARENT + "\",\"tracestate\":\"congo=t61,rojo=1\"}";

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static ArtelNode node;
    private static TestClient client;

    private static Blueprints blueprints() {
        var painter =
                Blueprint.named("painter")
                        .start(
                                "paint",
                                step ->
                                        Action.dispatch(
                                                TaskSpec.of("paint", step.initialData()),
                                                Outcomes.on("success", "end")))
                        .leadingTo("end")
                        .state("end", step -> Action.finish(step.data()))
                        .build();
        var patron =
                Blueprint.named("patron")
                        .start(
                                "ask",
                                step ->
                                        Action.runBlueprint(
                                                "painter",
                                                step.initialData(),
                                                Outcomes.on(Outcomes.FINISHED, "end")))
                        .leadingTo("end")
                        .end("end")
                        .build();
        var quick =
                Blueprint.named("quick").start("one", step -> Action.finish(step.data())).build();
        return Blueprints.of(painter, patron, quick);
    }

    @BeforeAll
    static void start() {
        node =
                ArtelNode.start(
                        TestNodes.CONFIG,
                        blueprints(),
                        new Storage(
                                new InMemoryEventStore(),
                                new InMemoryPayloadStore(),
                                new InMemoryFleet()));
        client = TestClient.of(node);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private Answer submit(String blueprint, String key, String... headers) throws Exception {
        return post(
                "/api/v1/jobs",
                "{\"blueprint\":\"%s\",\"idempotency_key\":\"%s\"}".formatted(blueprint, key),
                headers);
    }

    private Answer post(String path, String body, String... headers) throws Exception {
        var request =
                HttpRequest.newBuilder(node.uri().resolve(URI.create(path)))
                        .header("X-Client-Token", node.clientToken())
                        .POST(BodyPublishers.ofString(body));
        for (var i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        var response = HTTP.send(request.build(), BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.headers(), response.body());
    }

    private static String job(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        return answer.object().string("job_id").orElseThrow();
    }

    private String contextOf(String job) {
        return context(client.get("/api/v1/jobs/" + job).object());
    }

    private static String context(JsonObject of) {
        return of.object("tracing_context").orElseThrow().toString();
    }

    /// Trap: a trace breaks where a job starts another, and where a worker takes over.
    @Test
    void aTrace_isHandedToChildrenAndForks_andToAllTheirWorkers() throws Exception {
        var worker = new TestWorker(node, "w", "paint");
        var parent =
                job(
                        submit(
                                "patron",
                                "k",
                                "traceparent",
                                PARENT,
                                "tracestate",
                                "congo=t61",
                                "tracestate",
                                "rojo=1",
                                "baggage",
                                "user=alice"));

        var task = worker.next();

        var child = task.string("job_id").orElseThrow();
        assertThat(child).isNotEqualTo(parent);
        assertThat(context(task)).isEqualTo(CONTEXT);
        assertThat(contextOf(parent)).isEqualTo(CONTEXT);
        assertThat(contextOf(child)).isEqualTo(CONTEXT);

        worker.report(task, JsonObject.EMPTY);
        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs/" + parent).object().string("status"))
                        .contains("finished"));
        var fork = job(client.post("/api/v1/jobs/" + child + "/fork", "{\"state\":\"paint\"}"));
        assertThat(contextOf(fork)).isEqualTo(CONTEXT);
    }

    /// Trap: whatever a worker sends along is taken for the job's own.
    @Test
    void whatAResultSaysOfTraces_isNotKept() throws Exception {
        var worker = new TestWorker(node, "w", "paint");
        var job = job(submit("painter", "result", "traceparent", PARENT));
        var task = worker.next();

        var report =
                "{\"job_id\":\""
                        + job
                        + "\",\"task_id\":\""
                        + task.string("task_id").orElseThrow()
                        + "\",\"worker_id\":\"w\",\"tracing_context\":{\"traceparent\":\"of-the-worker\"},"
                        + "\"result\":{\"status\":\"success\",\"data\":{\"n\":1},"
                        + "\"tracing_context\":{\"traceparent\":\"of-the-worker\"}}}";
        var answer =
                new TestClient(node.uri(), "X-Worker-Token", node.workerToken())
                        .post("/_worker/tasks/result", report, "traceparent", "00-of-the-worker");

        assertThat(answer.status()).isEqualTo(200);
        var done = client.get("/api/v1/jobs/" + job + "?wait=60");
        assertThat(done.object().string("status")).contains("finished");
        assertThat(done.text()).doesNotContain("of-the-worker").contains(PARENT);
        assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                .doesNotContain("of-the-worker");
    }

    @Test
    void whatIsNoTrace_isIgnored_andNeverAnError() throws Exception {
        assertThat(contextOf(job(submit("quick", "none")))).isEqualTo("{}");
        assertThat(contextOf(job(submit("quick", "bad", "traceparent", "00-secret-token-01"))))
                .isEqualTo("{}");
        assertThat(contextOf(job(submit("quick", "state", "tracestate", "rojo=1"))))
                .isEqualTo("{}");
        assertThat(
                        contextOf(
                                job(
                                        submit(
                                                "quick",
                                                "two",
                                                "traceparent",
                                                PARENT,
                                                "traceparent",
                                                PARENT))))
                .isEqualTo("{}");
        var withBadState = job(submit("quick", "s", "traceparent", PARENT, "tracestate", "?"));
        assertThat(contextOf(withBadState)).isEqualTo("{\"traceparent\":\"" + PARENT + "\"}");
    }

    /// Trap: a client that asks again after a lost answer does so in another span, and is refused because its key was
    /// used for something else.
    @Test
    void aRequestThatIsSentAgainInAnotherSpan_isTheSame() throws Exception {
        var first = job(submit("quick", "again", "traceparent", PARENT));
        var again = submit("quick", "again", "traceparent", PARENT.replace("b7ad", "b7ae"));

        assertThat(job(again)).isEqualTo(first);
        assertThat(contextOf(first)).contains(PARENT);
    }

    @Test
    void theJobsOfOneRequest_areOfOneTrace() throws Exception {
        var answer =
                post(
                        "/api/v1/bulk",
                        "{\"jobs\":[{\"blueprint\":\"quick\"},{\"blueprint\":\"quick\"}]}",
                        "traceparent",
                        PARENT);

        var results = answer.object().array("results").orElseThrow();
        assertThat(results.size()).isEqualTo(2);
        for (JsonValue result : results) {
            var job = ((JsonObject) result).string("job_id").orElseThrow();
            assertThat(contextOf(job)).isEqualTo("{\"traceparent\":\"" + PARENT + "\"}");
        }
        var bare = job(post("/api/v1/jobs/quick", "{}", "traceparent", PARENT));
        assertThat(contextOf(bare)).contains(PARENT);
    }
}
