package dev.artel.server.dashboard;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.AliceAndBob;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.StreamReader;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The overview and the list of all that waits for people, over HTTP.
final class OverviewTest {
    @TempDir private Path data;
    private ArtelNode node;
    private TestClient operator;

    @BeforeEach
    void start() throws IOException {
        AliceAndBob.writeTo(data);
        node = started();
        operator = TestClient.of(node);
    }

    private ArtelNode started() {
        return ArtelNode.start(
                TestNodes.CONFIG.withData(data), Blueprints.of(paint(), asking(), broken()));
    }

    private static Blueprint paint() {
        return Blueprint.named("paint")
                .start(
                        "begin",
                        step ->
                                Action.dispatch(
                                        TaskSpec.of("paint", step.initialData()),
                                        Outcomes.on("success", "done")))
                .leadingTo("done")
                .end("done")
                .build();
    }

    private static Blueprint asking() {
        return Blueprint.named("asking")
                .start(
                        "begin",
                        _ ->
                                Action.awaitApproval(
                                        "Release it?", Outcomes.on("yes", "end").and("no", "no")))
                .leadingTo("end", "no")
                .end("end")
                .end("no")
                .build();
    }

    private static Blueprint broken() {
        return Blueprint.named("broken")
                .start(
                        "begin",
                        _ -> {
                            throw new IllegalStateException("no paper");
                        })
                .leadingTo("end")
                .end("end")
                .build();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private JsonObject overview() {
        return operator.get("/api/v1/overview").object();
    }

    private static long number(JsonObject object, String... path) {
        var at = object;
        for (var i = 0; i < path.length - 1; i++) {
            at = at.object(path[i]).orElse(JsonObject.EMPTY);
        }
        return at.number(path[path.length - 1]).map(JsonNumber::asLong).orElse(-1L);
    }

    private static JsonObject named(JsonObject document, String list, String key, String name) {
        return document.array(list).orElseThrow().values().stream()
                .map(JsonObject.class::cast)
                .filter(item -> item.string(key).orElse("").equals(name))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    private static long sum(JsonArray values) {
        return values.values().stream().mapToLong(value -> ((JsonNumber) value).asLong()).sum();
    }

    @Test
    void whatWaits_isThere_withItsReason_andAnExample() {
        var job = operator.submit("{\"blueprint\":\"paint\"}");
        // The next one comes behind it, whose handler another thread runs.
        await().until(() -> node.engine().queuedTasks() == 1);
        var _ = operator.submit("{\"blueprint\":\"paint\"}");

        await().untilAsserted(() -> {
            var queue = named(overview(), "queues", "task_type", "paint");
            assertThat(number(queue, "queued")).isEqualTo(2);
            assertThat(number(queue, "leased")).isZero();
            assertThat(number(queue, "oldest_seconds")).isBetween(0L, 60L);
            var reason = (JsonObject) queue.array("reasons").orElseThrow().values().getFirst();
            assertThat(reason.string("reason")).contains("no_workers");
            assertThat(number(reason, "count")).isEqualTo(2);
            assertThat(reason.string("unblock").orElseThrow()).contains("paint");
            assertThat(reason.object("example").orElseThrow().string("job_id")).contains(job);
        });
        // Counted at another time than the tasks.
        await().untilAsserted(() ->
                assertThat(number(overview(), "jobs", "waiting_for_worker")).isEqualTo(2));
    }

    @Test
    void whatWorkersDo_isThere_withItsTimes() {
        var first = operator.submit("{\"blueprint\":\"paint\"}");
        var worker = new TestWorker(node, "w1", "paint");
        var task = worker.next();
        await().untilAsserted(() -> {
            var now = overview();
            assertThat(number(named(now, "queues", "task_type", "paint"), "leased")).isEqualTo(1);
            assertThat(number(now, "slots", "total")).isEqualTo(5);
            assertThat(number(now, "slots", "busy")).isEqualTo(1);
            assertThat(number(now, "slots", "workers")).isEqualTo(1);
            assertThat(number(now, "wires", "http")).isEqualTo(1);
        });

        worker.report(task, JsonObject.EMPTY);
        operator.get("/api/v1/jobs/" + first + "?wait=60");

        await().untilAsserted(() -> {
            var now = overview();
            var times = named(now, "latencies", "task_type", "paint");
            assertThat(number(times, "count")).isEqualTo(1);
            assertThat(number(times, "queue_ms", "p99")).isBetween(0L, 60_000L);
            assertThat(number(times, "execution_ms", "p99")).isBetween(0L, 60_000L);
            assertThat(number(named(now, "job_latencies", "blueprint", "paint"), "count"))
                    .isEqualTo(1);
            assertThat(number(now, "slots", "busy")).isZero();
        });
        await().untilAsserted(() -> {
            var minutes = overview().object("throughput").orElseThrow();
            assertThat(minutes.array("finished").orElseThrow().values()).hasSize(120);
            assertThat(sum(minutes.array("submitted").orElseThrow())).isEqualTo(1);
            assertThat(sum(minutes.array("finished").orElseThrow())).isEqualTo(1);
        });
    }

    @Test
    void readers_getTheOverview_andAgainWhenItHasChanged() throws IOException {
        try (var stream = StreamReader.of(node, "/overview/events")) {
            var first = stream.require();
            assertThat(first.type()).isEqualTo("overview");
            assertThat(number(first.data(), "jobs", "waiting_for_worker")).isEqualTo(-1);

            operator.submit("{\"blueprint\":\"paint\"}");

            var next = stream.require();
            while (number(next.data(), "jobs", "waiting_for_worker") != 1) {
                next = stream.require();
            }
            assertThat(next.id()).isGreaterThan(first.id());
        }
    }

    @Test
    void aClient_seesHowManyItsOwnJobsAre_andNoMore() {
        var alice = AliceAndBob.alice(node);
        alice.submit("{\"blueprint\":\"paint\"}");
        operator.submit("{\"blueprint\":\"paint\"}");

        await().untilAsserted(() -> {
            var own = alice.get("/api/v1/overview").object();
            assertThat(own.names()).containsExactly("at", "jobs");
            assertThat(number(own, "jobs", "waiting_for_worker")).isEqualTo(1);
        });
        assertThat(alice.get("/api/v1/overview/events").status()).isEqualTo(403);
    }

    private static List<String> kinds(Answer needs) {
        return needs.items().values().stream()
                .map(item -> ((JsonObject) item).string("kind").orElse(""))
                .toList();
    }

    private Answer needs(String query) {
        return operator.get("/api/v1/needs" + query);
    }

    private String question() {
        var job = operator.submit("{\"blueprint\":\"paint\"}");
        var task = new TestWorker(node, "curious", "paint").next();
        var workers = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
        var path =
                "/_worker/workers/curious/tasks/"
                        + task.string("task_id").orElseThrow()
                        + "/question";
        var _ =
                CompletableFuture.supplyAsync(() ->
                        workers.post(path, "{\"question\":\"Which?\",\"choices\":[\"a\",\"b\"]}"));
        return job;
    }

    @Test
    void whatWaitsForPeople_isOneList_theOldestFirst() {
        var quarantined = operator.submit("{\"blueprint\":\"broken\"}");
        await().until(() -> kinds(needs("")).equals(List.of("quarantine")));
        var approval = operator.submit("{\"blueprint\":\"asking\"}");
        await().until(() -> kinds(needs("")).equals(List.of("quarantine", "approval")));
        var question = question();
        await().until(() -> kinds(needs("")).equals(List.of("quarantine", "approval", "question")));

        var items = needs("").items().values().stream().map(JsonObject.class::cast).toList();
        assertThat(items.get(0).string("job_id")).contains(quarantined);
        assertThat(items.get(0).string("text").orElseThrow()).contains("no paper");
        assertThat(items.get(1).string("job_id")).contains(approval);
        assertThat(items.get(1).string("text")).contains("Release it?");
        assertThat(items.get(1).array("choices").orElseThrow()).hasToString("[\"yes\",\"no\"]");
        assertThat(items.get(1).get("may_decide")).contains(JsonValue.of(true));
        assertThat(items.get(2).string("job_id")).contains(question);
        assertThat(items.get(2).string("task_type")).contains("paint");
        assertThat(kinds(needs("?kind=approval"))).containsExactly("approval");
        assertThat(needs("?kind=nonsense").status()).isEqualTo(400);
        var page = needs("?limit=2");
        assertThat(kinds(page)).containsExactly("quarantine", "approval");
        assertThat(kinds(needs("?cursor=" + page.next().orElseThrow())))
                .containsExactly("question");
        await().untilAsserted(() -> {
            assertThat(number(overview(), "needs", "quarantine")).isEqualTo(1);
            assertThat(number(overview(), "needs", "approvals")).isEqualTo(1);
            assertThat(number(overview(), "needs", "questions")).isEqualTo(1);
        });

        var number = items.get(1).number("approval").map(JsonNumber::asLong).orElseThrow();
        operator.post(
                "/api/v1/jobs/" + approval + "/approvals/" + number, "{\"decision\":\"yes\"}");
        operator.post("/api/v1/jobs/" + quarantined + "/quarantine/discard", "{}");

        await().until(() -> kinds(needs("")).equals(List.of("question")));
        assertThat(AliceAndBob.alice(node).get("/api/v1/needs").items().values()).isEmpty();
    }

    /// Trap: what waits since before a restart is forgotten, or counts as new.
    @Test
    void afterARestart_theListIsThere_asItWas() {
        operator.submit("{\"blueprint\":\"asking\"}");
        operator.submit("{\"blueprint\":\"broken\"}");
        await().until(() -> kinds(needs("")).size() == 2);
        var before = needs("").items();

        node.close();
        node = started();
        operator = TestClient.of(node);

        await().untilAsserted(() -> assertThat(needs("").items()).isEqualTo(before));
    }
}
