package dev.artel.server.jobs;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What clients do with jobs that live, beside ending them.
final class ControlTest {
    private final Storage storage = TestNodes.storage();
    private ArtelNode node;
    private TestClient client;

    @BeforeEach
    void start() {
        var paint = TaskSpec.of("paint", JsonObject.EMPTY);
        var blueprint =
                Blueprint.named("picture")
                        .start("one", _ -> Action.dispatch(paint, Outcomes.on("success", "end")))
                        .leadingTo("end")
                        .state("end", _ -> Action.finish(JsonObject.EMPTY))
                        .build();
        node = ArtelNode.start(TestNodes.CONFIG, Blueprints.of(blueprint), storage);
        client = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    /// A job whose task waits for a worker.
    private String queued() {
        var job = client.submit("{\"blueprint\":\"picture\",\"labels\":{\"stage\":\"one\"}}");
        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs/" + job).text())
                        .contains("\"status\":\"waiting_for_worker\""));
        return job;
    }

    /// Whether the dispatcher has no other task of the priority of this job.
    private boolean isAloneInItsPriority(String job) {
        return !client.get("/api/v1/jobs/" + job + "/tasks/0/why")
                .object()
                .object("waits_because")
                .orElseThrow()
                .has("turn");
    }

    @Test
    void aQueuedTask_overtakesOthers_whenItsJobGetsAHigherPriority() {
        var first = queued();
        var second = queued();
        await("the dispatcher has both").until(() -> !isAloneInItsPriority(second));

        var answer = client.patch("/api/v1/jobs/" + second, "{\"priority\":5}");

        assertThat(answer.text())
                .isEqualTo(
                        "{\"status\":\"changed\",\"priority\":5.0,\"labels\":{\"stage\":\"one\"}}");
        await("the dispatcher knows it, too").until(() -> isAloneInItsPriority(second));
        var worker = new TestWorker(node, "w1", "paint");
        assertThat(worker.next().string("job_id")).contains(second);
        assertThat(worker.next().string("job_id")).contains(first);
    }

    @Test
    void changedLabels_areFound_andTheHistorySaysByWhom() {
        var job = queued();

        client.patch("/api/v1/jobs/" + job, "{\"labels\":{\"stage\":null,\"team\":\"red\"}}");

        assertThat(client.get("/api/v1/jobs?label.team=red").text()).contains(job);
        assertThat(client.get("/api/v1/jobs?label.stage=one").text()).doesNotContain(job);
        assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                .contains(
                        "\"type\":\"job.changed\",\"priority\":0.0,\"labels\":{\"team\":\"red\"},\"by\":\"client"
                                + " default\"");
        assertThat(
                        client.patch("/api/v1/jobs/" + job, "{\"labels\":{\"team\":\"red\"}}")
                                .object()
                                .string("status"))
                .contains("unchanged");
    }

    @Test
    void noTaskOfAPausedJob_isHandedOut_untilItIsResumed_andItsExplanationSaysWhy() {
        var job = queued();
        var path = "/api/v1/jobs/" + job;

        assertThat(client.post(path + "/pause", "{\"reason\":\"a repair\"}").text())
                .isEqualTo("{\"status\":\"paused\"}");
        assertThat(client.post(path + "/pause", "").text())
                .isEqualTo("{\"status\":\"already_paused\"}");

        var paused = client.get(path).object().object("paused").orElseThrow();
        assertThat(paused.string("by")).contains("client default");
        assertThat(paused.string("reason")).contains("a repair");
        var since = paused.string("at").orElseThrow();
        assertThat(client.get(path + "/explain").object().string("text").orElseThrow())
                .startsWith("the job is paused since " + since + " by client default: a repair");
        assertThat(client.get(path + "/explain").text()).contains("POST " + path + "/resume");
        assertThat(client.get(path + "/tasks/0/why").object().string("text"))
                .contains(
                        "attempt 1 is not handed out to any worker, since the job is paused since "
                                + since
                                + " by client default: a repair; let it go on: POST "
                                + path
                                + "/resume");

        var other = queued();
        var worker = new TestWorker(node, "w1", "paint");
        assertThat(worker.next().string("job_id")).contains(other);

        assertThat(client.post(path + "/resume", "").text()).isEqualTo("{\"status\":\"resumed\"}");
        assertThat(worker.next().string("job_id")).contains(job);
        assertThat(client.get(path).object().has("paused")).isFalse();
        assertThat(client.get(path + "/history").text())
                .contains(
                        "\"type\":\"job.paused\",\"by\":\"client default\",\"reason\":\"a repair\"")
                .contains("\"type\":\"job.resumed\",\"by\":\"client default\"");
        assertThat(client.post(path + "/resume", "{}").text())
                .isEqualTo("{\"status\":\"not_paused\"}");
    }

    @Test
    void whatRunsAtAWorkerInAPause_isRecorded_andTheJobGoesOnAfterTheResume() {
        var job = queued();
        var path = "/api/v1/jobs/" + job;
        var worker = new TestWorker(node, "w1", "paint");
        var task = worker.next();

        client.post(path + "/pause", "");
        assertThat(worker.report(task, JsonObject.EMPTY).status()).isEqualTo(200);

        var seen = client.get(path);
        assertThat(seen.text()).contains("\"current_state\":\"end\"").contains("\"succeeded\":1");
        assertThat(client.get(path + "/explain").text())
                .contains("the handler of state end of branch 0 runs when the job is resumed");
        client.post(path + "/resume", "");
        assertThat(client.get(path + "?wait=60").text()).contains("\"status\":\"finished\"");
    }

    @Test
    void aPause_outlivesARestart() {
        var job = queued();
        client.post("/api/v1/jobs/" + job + "/pause", "");
        node.close();
        start();
        var worker = new TestWorker(node, "w1", "paint");
        var other = queued();

        assertThat(worker.next().string("job_id")).contains(other);

        client.post("/api/v1/jobs/" + job + "/resume", "");
        assertThat(worker.next().string("job_id")).contains(job);
    }

    @Test
    void aPausedJob_isCancelled() {
        var job = queued();
        var path = "/api/v1/jobs/" + job;
        client.post(path + "/pause", "");

        client.post(path + "/cancel", "");

        assertThat(client.get(path + "?wait=60").text()).contains("\"status\":\"cancelled\"");
        assertThat(client.post(path + "/pause", "").status()).isEqualTo(409);
        assertThat(client.post(path + "/resume", "").status()).isEqualTo(409);
    }

    @Test
    void whatNoJobCanHave_isRefused_andSoIsAJobThatIsOver() {
        var job = queued();
        var path = "/api/v1/jobs/" + job;

        assertThat(client.patch(path, "{\"priority\":\"high\",\"labels\":{\"a\":1}}").text())
                .contains("priority must be a number, was string")
                .contains("labels.a must be a string, was number");
        assertThat(client.patch(path, "{\"deadline\":1}").status()).isEqualTo(400);

        client.post(path + "/cancel", "");
        await().untilAsserted(() ->
                assertThat(client.get(path).text()).contains("\"status\":\"cancelled\""));
        var late = client.patch(path, "{\"priority\":5}");
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.text()).contains("cannot be changed: it is already cancelled");
    }
}
