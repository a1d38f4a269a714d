package dev.artel.server.jobs;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class JobViewTest {
    @AutoClose private final ArtelNode node = TestNodes.inMemory();
    private final TestClient client = TestClient.of(node);

    @Test
    void aJobGoesToAWorkerAndComesBackWithItsResult() {
        var id = client.submit("{\"blueprint\":\"echo\",\"initial_data\":{\"x\":1}}");
        var worker = new TestWorker(node, "w1", "echo");
        var task = worker.next();

        var leased = client.get("/api/v1/jobs/" + id).object();
        assertThat(leased.string("status")).contains("waiting_for_worker");
        assertThat(leased.string("current_state")).contains("send");
        assertThat(leased.string("task_worker_id")).contains("w1");
        var hand = task.string("task_id").orElseThrow();
        assertThat(leased.string("current_task_id"))
                .contains(hand.substring(0, hand.lastIndexOf('.')));
        assertThat(leased.object("current_task_info").orElseThrow().string("type"))
                .contains("echo");
        assertThat(leased.object("current_task_transitions").orElseThrow())
                .hasToString("{\"success\":\"end\"}");
        var line = (JsonObject) leased.array("tasks").orElseThrow().get(0);
        assertThat(line.string("status")).contains("leased");
        assertThat(line.string("placed_because")).isPresent();

        assertThat(worker.report(task, JsonObject.of("y", JsonValue.of(2))).status())
                .isEqualTo(200);

        var done = client.get("/api/v1/jobs/" + id + "?wait=60").object();
        assertThat(done.string("status")).contains("finished");
        assertThat(done.get("result")).hasToString("Optional[{\"y\":2}]");
        assertThat(done.get("state_history")).hasToString("Optional[{\"y\":2}]");
        assertThat(done.get("client_config"))
                .hasToString("Optional[{\"name\":\"default\",\"plan\":\"unknown\",\"params\":{}}]");
        assertThat(done.get("task_counts")).hasToString("Optional[{\"total\":1,\"succeeded\":1}]");
        assertThat(done.toString()).doesNotContain(node.clientToken(), node.workerToken());
    }

    @Test
    void aQueuedTask_saysWhatItWaitsFor() {
        var id = client.submit("{\"blueprint\":\"echo\"}");
        new TestWorker(node, "other", "something-else");

        await().untilAsserted(() -> {
            var job = client.get("/api/v1/jobs/" + id).object();
            var line = (JsonObject) job.array("tasks").orElseThrow().get(0);
            assertThat(line.string("status")).contains("queued");
            var why = line.object("waits_because").orElseThrow();
            assertThat(why.string("text").orElseThrow()).isNotBlank();
            assertThat(why.get("workers")).hasToString("Optional[1]");
            assertThat(why.get("refused")).hasToString("Optional[{\"type\":1}]");
        });
    }

    @Test
    void waiting_endsWithTheJob_orWithTheTime() {
        var id = client.submit("{\"blueprint\":\"echo\"}");

        var notYet = client.get("/api/v1/jobs/" + id + "?wait=0.2");

        assertThat(notYet.status()).isEqualTo(200);
        assertThat(notYet.object().string("status")).isNotEqualTo("finished");
        assertThat(client.post("/api/v1/jobs/" + id + "/cancel", "").status()).isEqualTo(200);
        assertThat(client.get("/api/v1/jobs/" + id + "?wait=60").object().string("status"))
                .contains("cancelled");
    }

    @Test
    void aJobIsCancelledOnce() {
        var id = client.submit("{\"blueprint\":\"echo\"}");

        var first = client.post("/api/v1/jobs/" + id + "/cancel", "");
        client.get("/api/v1/jobs/" + id + "?wait=60");
        var again = client.post("/api/v1/jobs/" + id + "/cancel", "");

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.text()).isEqualTo("{\"status\":\"cancellation_request_accepted\"}");
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.error()).isEqualTo("Job is over");
        assertThat(again.detail()).contains(id).contains("cancelled");
    }

    /// Trap: events of the same second have no order, so that lists show quick jobs as they never were last.
    @Test
    void quickJobs_areListedAndCountedAsTheyEnded() {
        var ids = new ArrayList<String>();
        var worker = new TestWorker(node, "quick", "echo");
        for (var i = 0; i < 20; i++) {
            ids.add(client.submit("{\"blueprint\":\"echo\",\"labels\":{\"quick\":\"yes\"}}"));
            worker.report(worker.next(), JsonObject.EMPTY);
        }
        client.get("/api/v1/jobs/" + ids.getLast() + "?wait=60");

        await().untilAsserted(() -> {
            var listed = client.get("/api/v1/jobs?label.quick=yes&status=finished").items();
            assertThat(listed.size()).isEqualTo(20);
            assertThat(((JsonObject) listed.get(0)).string("id")).contains(ids.getLast());
        });
        var times =
                client.get("/api/v1/jobs/" + ids.getLast() + "/history").items().stream()
                        .map(event -> ((JsonObject) event).string("at").orElseThrow())
                        .map(Instant::parse)
                        .toList();
        assertThat(times).isSorted();
    }

    @Test
    void theHistory_hasEverythingInOrder() {
        var id = client.submit("{\"blueprint\":\"echo\",\"initial_data\":{\"x\":1}}");
        var worker = new TestWorker(node, "w1", "echo");
        worker.report(worker.next(), JsonObject.EMPTY);
        client.get("/api/v1/jobs/" + id + "?wait=60");

        var history = client.get("/api/v1/jobs/" + id + "/history").items();

        assertThat(history.stream().map(event -> ((JsonObject) event).string("type").orElseThrow()))
                .containsExactly(
                        "job.submitted",
                        "state.entered",
                        "step.done",
                        "task.opened",
                        "lease.granted",
                        "task.succeeded",
                        "state.entered",
                        "step.done",
                        "job.ended");
        assertThat(
                        history.stream()
                                .map(event -> ((JsonObject) event).number("version").orElseThrow()))
                .extracting(number -> number.asLong())
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(client.get("/api/v1/jobs/" + id + "/history?after=7&limit=1").items().size())
                .isEqualTo(1);
    }

    @Test
    void aTask_isShownWithItsAttempts() {
        var id = client.submit("{\"blueprint\":\"echo\",\"initial_data\":{\"x\":1}}");
        var worker = new TestWorker(node, "w1", "echo");
        worker.report(worker.next(), JsonObject.EMPTY);
        client.get("/api/v1/jobs/" + id + "?wait=60");

        var task = client.get("/api/v1/jobs/" + id + "/tasks/0").object();

        assertThat(task.string("status")).contains("succeeded");
        assertThat(task.get("params")).hasToString("Optional[{\"x\":1}]");
        var attempt = (JsonObject) task.array("attempts").orElseThrow().get(0);
        assertThat(attempt.string("worker")).contains("w1");
        assertThat(attempt.string("ended")).contains("succeeded");
        assertThat(attempt.object("placement").orElseThrow().string("winner")).contains("w1");
        for (var number : new String[] {"1", "-1", "x"}) {
            var none = client.get("/api/v1/jobs/" + id + "/tasks/" + number);
            assertThat(none.status()).isEqualTo(404);
            assertThat(none.error()).isEqualTo("Task not found");
        }
    }

    @Test
    void aFanOut_finishesWithAllItsTasks_andListsAHundred() {
        var id = client.submit("{\"blueprint\":\"fanout\",\"initial_data\":{\"count\":120}}");
        var worker = new TestWorker(node, "w1", "noop");
        for (var i = 0; i < 120; i++) {
            worker.report(worker.next(), JsonObject.EMPTY);
        }

        var job = client.get("/api/v1/jobs/" + id + "?wait=60").object();

        assertThat(job.string("status")).contains("finished");
        assertThat(job.get("result")).hasToString("Optional[{\"count\":120}]");
        assertThat(job.array("tasks").orElseThrow().size()).isEqualTo(100);
        assertThat(job.get("task_counts"))
                .hasToString("Optional[{\"total\":120,\"succeeded\":120}]");
    }

    @Test
    void jobsAreListedNewestFirst_byPageAndFilter() {
        var first = client.submit("{\"blueprint\":\"echo\",\"labels\":{\"team\":\"red\"}}");
        var second = client.submit("{\"blueprint\":\"chain3\",\"labels\":{\"team\":\"blue\"}}");
        var third = client.submit("{\"blueprint\":\"echo\",\"labels\":{\"team\":\"blue\"}}");

        assertThat(ids("")).containsExactly(third, second, first);
        var next = client.get("/api/v1/jobs?limit=2").next().orElseThrow();
        assertThat(ids("?limit=1")).containsExactly(third);
        assertThat(ids("?limit=2&cursor=" + next)).containsExactly(first);
        assertThat(ids("?blueprint=echo&label.team=blue")).containsExactly(third);
        assertThat(ids("?status=finished")).isEmpty();
    }

    private List<String> ids(String query) {
        return client.get("/api/v1/jobs" + query).items().stream()
                .map(job -> ((JsonObject) job).string("id").orElseThrow())
                .toList();
    }
}
