package dev.artel.server.tasks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Clients learn over HTTP why a task waits, what would unblock it, and why it went where it went.
final class ExplainTest {
    private ArtelNode node;
    private TestClient client;
    private TestClient workers;

    @BeforeEach
    void start() {
        var paint =
                TaskSpec.of("paint", JsonObject.EMPTY)
                        .withDispatchDeadline(Duration.ofHours(1))
                        .demanding(it ->
                                it.amount("ram_gb", 24)
                                        .model("llama")
                                        .label("zone", "eu")
                                        .atMost(0.5));
        var blueprint =
                Blueprint.named("demanding")
                        .start("one", _ -> Action.dispatch(paint, Outcomes.on("success", "end")))
                        .leadingTo("end")
                        .state("end", _ -> Action.finish(JsonObject.EMPTY))
                        .build();
        node =
                ArtelNode.start(
                        TestNodes.CONFIG,
                        Blueprints.of(blueprint, SampleBlueprints.fanout()),
                        new Storage(
                                new InMemoryEventStore(),
                                new InMemoryPayloadStore(),
                                new InMemoryFleet()));
        client = TestClient.of(node);
        workers = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void aTaskSaysWhatItWaitsFor_stepByStep_untilItIsPlaced() {
        var job = client.submit("{\"blueprint\":\"demanding\"}");

        awaitReason(job, "no_workers", "no worker is connected; start one that offers paint");
        register("w1", "\"ram_gb\":16", "", "us", "");
        awaitReason(job, "label", "w1 has label zone us, needed is eu");
        register("w1", "\"ram_gb\":16", "", "eu", "");
        var why = awaitReason(job, "resource", "w1 has ram_gb 16, needed is 24");
        register("w1", "\"ram_gb\":32", "", "eu", "");
        awaitReason(job, "model", "w1 does not have model llama");
        register("w1", "\"ram_gb\":32", "\"llama\"", "eu", "");
        awaitReason(job, "too_expensive", "w1 does not declare what it costs");
        register("w1", "\"ram_gb\":32", "\"llama\"", "eu", ",\"cost_per_skill\":{\"paint\":0.5}");
        awaitReason(job, "not_asking", "w1 is free and does not ask for work now");

        var miss = first(why.object("waits_because").orElseThrow().array("nearest"));
        assertThat(miss.get("has")).contains(JsonValue.of(16));
        assertThat(miss.get("needs")).contains(JsonValue.of(24));
        assertThat(why.string("dispatch_deadline")).isPresent();
        var eligibility = first(why.array("eligibility"));
        assertThat(eligibility.string("worker")).contains("w1");
        assertThat(eligibility.string("wire")).contains("http");
        assertThat(miss.string("wire")).contains("http");
        assertThat(eligibility.get("takes_it")).contains(JsonValue.of(false));
        assertThat(why.object("demand").orElseThrow().get("max_cost")).contains(JsonValue.of(0.5));

        assertThat(workers.get("/_worker/workers/w1/tasks/next").status()).isEqualTo(200);
        var placed = client.get("/api/v1/jobs/" + job + "/tasks/0/why").object();
        assertThat(placed.string("text").orElseThrow()).startsWith("w1 has attempt 1 until");
        var placement = placed.object("last_placement").orElseThrow();
        assertThat(placement.string("wire")).contains("http");
        var best = first(placement.array("best"));
        assertThat(best.string("wire")).contains("http");
        assertThat(best.object("score").orElseThrow())
                .hasToString("{\"cold\":1,\"cost\":0.5,\"load\":0}");
    }

    @Test
    void aJobSaysWhatItWaitsFor() {
        var job = client.submit("{\"blueprint\":\"demanding\"}");
        awaitReason(job, "no_workers", "start one");

        var explained = client.get("/api/v1/jobs/" + job + "/explain").object();

        assertThat(explained.string("text").orElseThrow())
                .isEqualTo(
                        "a task of type paint: no worker is connected; start one that offers paint");
        var wait = first(explained.array("waits"));
        assertThat(wait.string("for")).contains("worker");
        assertThat(wait.get("count")).contains(JsonValue.of(1));
        assertThat(wait.string("dispatch_deadline")).isPresent();
    }

    /// Trap: each task of a job waits for another reason, since others of the same job go first.
    @Test
    void manyTasksThatWaitForTheSame_areOneReason() {
        var job = client.submit("{\"blueprint\":\"fanout\",\"initial_data\":{\"count\":30}}");

        await().untilAsserted(() -> {
            var explained = client.get("/api/v1/jobs/" + job + "/explain").object();
            assertThat(explained.string("text"))
                    .contains(
                            "a task of type noop: no worker is connected; start one that offers noop");
            assertThat(explained.array("waits").orElseThrow().size()).isEqualTo(1);
            var wait = first(explained.array("waits"));
            assertThat(wait.get("count")).contains(JsonValue.of(30));
            assertThat(wait.array("tasks").orElseThrow().size()).isEqualTo(20);
            assertThat(wait.object("waits_because").orElseThrow().get("turn")).isEmpty();
        });
        var last = client.get("/api/v1/jobs/" + job + "/tasks/29/why").object();
        var turn = last.object("waits_because").flatMap(it -> it.object("turn"));
        assertThat(turn.orElseThrow().get("tasks_before")).contains(JsonValue.of(29));
        assertThat(last.string("text").orElseThrow())
                .as("nobody's turn comes without a worker")
                .endsWith("start one that offers noop");
        var page = client.get("/api/v1/jobs/" + job + "/tasks?limit=10&status=queued").object();
        assertThat(page.array("items").orElseThrow())
                .hasSize(10)
                .allSatisfy(task ->
                        assertThat(((JsonObject) task).object("waits_because")).isPresent());
    }

    @Test
    void whatIsNotThere_isNotExplained() {
        var job = client.submit("{\"blueprint\":\"demanding\"}");

        assertThat(client.get("/api/v1/jobs/" + job + "/tasks/7/why").status()).isEqualTo(404);
        assertThat(client.get("/api/v1/jobs/none/explain").status()).isEqualTo(404);
        awaitReason(job, "no_workers", "start one");
        assertThat(client.get("/api/v1/jobs/" + job + "/tasks/0/why?worker=%0A").status())
                .isEqualTo(400);
    }

    private JsonObject awaitReason(String job, String reason, String part) {
        await().untilAsserted(() -> {
            var answer = client.get("/api/v1/jobs/" + job + "/tasks/0/why");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.object().object("waits_because").flatMap(it -> it.string("reason")))
                    .contains(reason);
            assertThat(answer.object().string("text").orElseThrow()).contains(part);
        });
        return client.get("/api/v1/jobs/" + job + "/tasks/0/why").object();
    }

    private void register(String name, String resources, String models, String zone, String costs) {
        var body =
                "{\"worker_id\":\""
                        + name
                        + "\",\"supported_tasks\":[\"paint\"],\"resources\":{"
                        + resources
                        + "},\"installed_models\":["
                        + models
                        + "],\"labels\":{\"zone\":\""
                        + zone
                        + "\"}"
                        + costs
                        + "}";
        assertThat(workers.post("/_worker/workers/register", body).status()).isEqualTo(200);
    }

    private static JsonObject first(Optional<JsonArray> array) {
        return (JsonObject) array.orElseThrow().get(0);
    }
}
