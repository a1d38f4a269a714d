package dev.artel.server.workers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import dev.artel.waits.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WorkersApiTest {
    private final Storage storage =
            new Storage(new InMemoryEventStore(), new InMemoryPayloadStore(), new InMemoryFleet());
    private ArtelNode node = TestNodes.on(storage);
    private TestClient client = client();
    private TestClient workers = workers();

    private TestClient client() {
        return new TestClient(node.uri(), "X-Client-Token", node.clientToken());
    }

    private TestClient workers() {
        return new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
    }

    @AfterEach
    void close() {
        node.close();
    }

    private void restart() {
        node.close();
        node = TestNodes.on(storage);
        client = client();
        workers = workers();
    }

    /// Trap: a worker makes itself better than it is, by what it sends.
    @Test
    void aWorkersDocument_hasItsOwnWords_butReputationAndIdentityAreOurs() {
        register("w1", ",\"reputation\":99,\"state\":\"offline\",\"first_seen\":\"never\"");

        var worker = worker("w1");

        assertThat(worker.string("worker_id")).contains("w1");
        assertThat(worker.string("hostname")).contains("h1");
        assertThat(worker.string("state")).contains("idle");
        assertThat(worker.number("reputation").map(JsonNumber::asDouble)).contains(1.0);
        assertThat(worker.string("first_seen")).isNotEqualTo(Optional.of("never"));
        assertThat(worker.object("slots")).contains(slots(2, 0));
    }

    @Test
    void everythingThatAWorkerRegistersWith_isShown_andOutlivesAnEmptyHeartbeat() {
        register(
                "w1",
                ",\"worker_type\":\"t\",\"ip_address\":\"10.0.0.5\","
                        + "\"resources\":{\"cpu_cores\":4,\"gpu_info\":{\"model\":\"A100\",\"vram_gb\":40}},"
                        + "\"installed_models\":[{\"name\":\"m\",\"version\":\"1\"}],"
                        + "\"multi_orchestrator_info\":{\"mode\":\"FAILOVER\"}");
        assertThat(workers.method("PATCH", "/_worker/workers/w1").status()).isEqualTo(200);

        var worker = worker("w1");

        assertThat(worker.string("worker_type")).contains("t");
        assertThat(worker.string("ip_address")).contains("10.0.0.5");
        assertThat(worker.object("resources").orElseThrow().toString()).contains("A100");
        assertThat(worker.array("installed_models").orElseThrow().toString()).contains("\"m\"");
        assertThat(names("/api/v1/workers")).containsExactly("w1");
    }

    @Test
    void workers_areListedByName_inPages_andByState() {
        register("b", "");
        register("a", "");
        register("c", "");

        assertThat(names("/api/v1/workers")).containsExactly("a", "b", "c");
        var page = client.get("/api/v1/workers?limit=2");
        assertThat(names("/api/v1/workers?limit=2")).containsExactly("a", "b");
        assertThat(names("/api/v1/workers?cursor=" + page.next().orElseThrow()))
                .containsExactly("c");
        assertThat(names("/api/v1/workers?state=idle")).containsExactly("a", "b", "c");
        assertThat(names("/api/v1/workers?state=draining")).isEmpty();
        assertThat(client.get("/api/v1/workers?state=asleep").error())
                .isEqualTo("Invalid state parameter");
        assertThat(client.get("/api/v1/workers?limit=none").status()).isEqualTo(400);
        assertThat(client.get("/api/v1/workers/nobody").error()).isEqualTo("Worker not found");
    }

    @Test
    void aWorkerWithTasks_isBusy_thenFull_andItsLeasesAreNamed_butNotTheirTokens() {
        register("w1", ",\"instance\":\"one\"");
        var first = submit();
        var task = poll("w1");
        Await.await().until(() -> state("w1").equals("busy"));

        var lease = (JsonObject) worker("w1").array("leases").orElseThrow().get(0);
        assertThat(lease.string("job_id")).contains(first);
        assertThat(worker("w1").toString()).doesNotContain(task.string("task_id").orElseThrow());

        submit();
        poll("w1");
        Await.await().until(() -> state("w1").equals("full"));
        assertThat(worker("w1").object("slots")).contains(slots(2, 2));
    }

    /// Trap: what an operator sets for a worker is forgotten by a restart of either.
    @Test
    void aDrainedWorker_getsNothing_alsoAfterRestarts_untilItIsTakenBack() throws Exception {
        register("w1", "");
        var drained = client.post("/api/v1/workers/w1/drain", "{\"reason\":\"new disk\"}");
        assertThat(drained.status()).isEqualTo(200);
        assertThat(drained.object().string("state")).contains("draining");
        assertThat(drained.object().object("drain").flatMap(drain -> drain.string("reason")))
                .contains("new disk");

        restart();
        register("w1", "");
        assertThat(state("w1")).isEqualTo("draining");
        submit();
        var poll = CompletableFuture.supplyAsync(() -> poll("w1"));
        assertThat(poll).isNotCompleted();
        assertThat(client.post("/api/v1/workers/w1/undrain", "").status()).isEqualTo(200);

        assertThat(poll.get(Await.seconds(), TimeUnit.SECONDS).string("type")).contains("echo");
        assertThat(client.post("/api/v1/workers/nobody/drain", "").error())
                .isEqualTo("Worker not found");
        assertThat(client.post("/api/v1/workers/w1/drain", "{\"reason\":7}").error())
                .isEqualTo("Invalid drain");
    }

    @Test
    void manyWorkers_areDrained_andUndrained_byOneRequest() {
        register("w1", "");
        register("w2", "");

        var counted =
                client.post("/api/v1/bulk/workers/drain?task_type=echo&wire=http&dry_run=true", "");
        assertThat(counted.object())
                .isEqualTo(
                        JsonObject.builder()
                                .put("matched", 2)
                                .put("done", 0)
                                .put("dry_run", true)
                                .build());
        assertThat(state("w1")).isEqualTo("idle");

        var drained =
                client.post(
                        "/api/v1/bulk/workers/drain?all=true",
                        "{\"mode\":\"emergency\",\"reason\":\"a wrong model\"}");
        assertThat(drained.object().number("done").map(JsonNumber::asLong)).contains(2L);
        restart();
        register("w1", "");
        register("w2", "");
        assertThat(state("w1")).isEqualTo("draining");
        assertThat(worker("w2").object("drain").flatMap(drain -> drain.string("reason")))
                .contains("a wrong model");

        assertThat(client.post("/api/v1/bulk/workers/undrain?wire=websocket", "").object())
                .isEqualTo(
                        JsonObject.builder()
                                .put("matched", 0)
                                .put("done", 0)
                                .put("dry_run", false)
                                .build());
        client.post("/api/v1/bulk/workers/undrain?task_type=echo", "");
        assertThat(state("w1")).isEqualTo("idle");
        assertThat(state("w2")).isEqualTo("idle");
        assertThat(client.post("/api/v1/bulk/workers/drain", "").error()).isEqualTo("No filter");
    }

    @Test
    void aWorkerThatIsStoppedAtOnce_losesItsTask_whichAnotherOneGets() {
        register("w1", "");
        var job = submit();
        var task = poll("w1");

        var stopped = client.post("/api/v1/workers/w1/drain", "{\"mode\":\"immediate\"}");
        assertThat(stopped.status()).isEqualTo(200);
        assertThat(stopped.object().object("drain")).isPresent();
        register("w2", "");

        assertThat(poll("w2").string("job_id")).contains(job);
        result(task, "{\"status\":\"success\",\"data\":{}}");
        assertThat(worker("w2").array("leases").orElseThrow().size()).isEqualTo(1);
        register("w1", "");
        assertThat(state("w1")).isEqualTo("draining");
    }

    @Test
    void aWorkerThatIsStoppedWithGrace_losesItsTaskWhenThatIsOver_unlessItIsTakenBack()
            throws Exception {
        register("w1", ",\"instance\":\"one\"");
        var first = submit();
        var kept = poll("w1");
        var grace = "{\"mode\":\"graceful\",\"grace_seconds\":600}";
        assertThat(client.post("/api/v1/workers/w1/drain", grace).status()).isEqualTo(200);
        assertThat(worker("w1").array("leases").orElseThrow().size()).isEqualTo(1);
        client.post("/api/v1/workers/w1/undrain", "");
        assertThat(worker("w1").array("leases").orElseThrow().size()).isEqualTo(1);
        var brief = "{\"mode\":\"graceful\",\"grace_seconds\":1}";
        assertThat(client.post("/api/v1/workers/w1/drain", brief).status()).isEqualTo(200);

        register("w2", "");
        var poll = CompletableFuture.supplyAsync(() -> poll("w2"));

        assertThat(poll.get(Await.seconds(), TimeUnit.SECONDS).string("job_id")).contains(first);
        assertThat(kept.string("job_id")).contains(first);
        assertThat(client.post("/api/v1/workers/w1/drain", "{\"mode\":\"now\"}").error())
                .isEqualTo("Invalid drain");
        assertThat(client.post("/api/v1/workers/w1/drain", "{\"grace_seconds\":-1}").error())
                .isEqualTo("Invalid drain");
    }

    @Test
    void aWorkerThatDrainsItself_isDraining_untilItRegistersAgain() {
        register("w1", "");
        assertThat(workers.post("/_worker/workers/w1/drain", "").status()).isEqualTo(200);
        assertThat(state("w1")).isEqualTo("draining");

        register("w1", "");
        assertThat(state("w1")).isEqualTo("idle");
    }

    @Test
    void aWorkerThatLeft_isOffline_andStillKnown_alsoAfterARestart() {
        register("w1", "");
        report(submit(), poll("w1"));
        Await.await().until(() -> attempts("w1").equals("1"));
        workers.method("DELETE", "/_worker/workers/w1");

        assertThat(state("w1")).isEqualTo("offline");
        assertThat(names("/api/v1/workers")).isEmpty();
        assertThat(names("/api/v1/workers?all=true")).containsExactly("w1");
        var firstSeen = worker("w1").string("first_seen");
        restart();

        assertThat(state("w1")).isEqualTo("offline");
        assertThat(worker("w1").string("first_seen")).isEqualTo(firstSeen);
        assertThat(attempts("w1")).isEqualTo("1");
    }

    /// Trap: a worker that is started anew begins with the best reputation again.
    @Test
    void failures_costReputation_andRegisteringAgainDoesNotRestoreIt() {
        register("w1", ",\"instance\":\"one\"");
        submit();
        fail(poll("w1"));

        Await.await().until(() -> reputation("w1") < 1);
        var reputation = reputation("w1");
        register("w1", ",\"instance\":\"two\"");

        assertThat(reputation("w1")).isEqualTo(reputation);
    }

    @Test
    void changesOfTheReputation_areInTheDocumentOfTheWorker_andNotInTheList() {
        register("w1", ",\"instance\":\"one\"");
        submit();
        fail(poll("w1"));

        Await.await().until(() -> reputation("w1") < 1);

        var history = worker("w1").array("reputation_history").orElseThrow();
        assertThat(history.values())
                .extracting(point -> ((JsonObject) point).number("reputation").orElseThrow())
                .containsExactly(JsonNumber.of(1.0), JsonNumber.of(reputation("w1")));
        assertThat(client.get("/api/v1/workers").text()).doesNotContain("reputation_history");
    }

    /// Trap: who fails an attempt that began before a restart of the orchestrator has not failed.
    @Test
    void anAttemptThatBeganBeforeARestart_isJudged() {
        register("w1", ",\"instance\":\"one\"");
        submit();
        var before = poll("w1");
        restart();
        register("w1", ",\"instance\":\"one\"");

        fail(before);

        Await.await().until(() -> reputation("w1") < 1);
    }

    @Test
    void slots_areCountedByCategory_whereTheWorkerSetsLimits() {
        register(
                "w1",
                ",\"instance\":\"one\",\"task_categories\":{\"echo\":\"cpu\"},"
                        + "\"category_limits\":{\"cpu\":2,\"gpu\":1}");
        submit();
        poll("w1");

        Await.await().until(() -> state("w1").equals("busy"));

        assertThat(worker("w1").object("slots").flatMap(slots -> slots.object("categories")))
                .hasValueSatisfying(categories ->
                        assertThat(categories)
                                .hasToString(
                                        "{\"cpu\":{\"capacity\":2,\"used\":1,\"free\":1},"
                                                + "\"gpu\":{\"capacity\":1,\"used\":0,\"free\":1}}"));
    }

    /// Trap: two heartbeats at once are a conflict, and one of them is answered that its worker is unknown.
    @Test
    void heartbeatsAtTheSameTime_areAllTaken_andLeaveNothingInAnyHistory() {
        register("w1", "");
        var job = submit();
        Await.await().until(() -> node.engine().queuedTasks() == 1);
        var before = storage.events().lastPosition();
        var beats = new ArrayList<CompletableFuture<Answer>>();
        for (var i = 0; i < 40; i++) {
            var body =
                    "{\"load\":" + i % 3 + ",\"status\":\"idle\",\"supported_tasks\":[\"other\"]}";
            beats.add(
                    CompletableFuture.supplyAsync(
                            () -> workers.patch("/_worker/workers/w1", body)));
        }

        assertThat(beats).allSatisfy(beat -> assertThat(beat.join().status()).isEqualTo(200));
        assertThat(storage.events().lastPosition()).isEqualTo(before);
        assertThat(client.get("/api/v1/jobs/" + job + "/history").text()).doesNotContain("w1");
    }

    /// Trap: what is written about a worker keeps it alive forever, though it is dead.
    @Test
    void aWorkerThatFallsSilent_isOffline_howeverItWasJudged() {
        node.close();
        var terms = SessionSettings.DEFAULTS;
        var config =
                TestNodes.CONFIG.withSession(
                        new SessionSettings(
                                terms.lease(),
                                terms.hold(),
                                Duration.ofSeconds(1),
                                terms.grace(),
                                terms.cancelTimeout(),
                                terms.limits()));
        node = ArtelNode.start(config, SampleBlueprints.all(), storage);
        client = client();
        workers = workers();
        submit();
        // On a busy machine it may be gone before it asks.
        var task =
                Await.await("the worker has the task")
                        .until(
                                () -> {
                                    register("w1", ",\"instance\":\"one\"");
                                    return poll("w1");
                                },
                                it -> it.has("task_id"));
        fail(task);

        Await.await().until(() -> reputation("w1") < 1);

        Await.await().until(() -> state("w1").equals("offline"));
    }

    @Test
    void whatAWorkerSaysOfItsProgress_isShownWithItsTask() {
        register("w1", ",\"instance\":\"one\"");
        var job = submit();
        var token = poll("w1").string("lease_token").orElseThrow();

        workers.post(
                "/_worker/workers/w1/renew",
                """
                {"lease_tokens":["%1$s"],"progress":[{"task_id":"%1$s","lease_token":"%1$s",\
                "progress":0.25,"message":"a quarter"}]}\
                """
                        .formatted(token));

        var progress =
                Await.await()
                        .until(
                                () ->
                                        client.get("/api/v1/jobs/" + job + "/tasks/0")
                                                .object()
                                                .object("progress"),
                                Optional::isPresent)
                        .orElseThrow();
        assertThat(progress.string("message")).contains("a quarter");
        assertThat(progress.number("fraction").map(JsonNumber::asDouble)).contains(0.25);
    }

    private static JsonObject slots(int capacity, int used) {
        return JsonObject.builder()
                .put("capacity", capacity)
                .put("used", used)
                .put("free", capacity - used)
                .build();
    }

    private void register(String name, String more) {
        var body =
                """
                {"worker_id":"%s","supported_tasks":["echo"],"max_concurrent_tasks":2,\
                "hostname":"h1"%s}\
                """
                        .formatted(name, more);
        assertThat(workers.post("/_worker/workers/register", body).status()).isEqualTo(200);
    }

    private String submit() {
        var answer = client.post("/api/v1/jobs/echo", "{\"n\":1}");
        return answer.object().string("job_id").orElseThrow();
    }

    private JsonObject poll(String worker) {
        return workers.get("/_worker/workers/" + worker + "/tasks/next").object();
    }

    private void report(String job, JsonObject task) {
        assertThat(task.string("job_id")).contains(job);
        result(task, "{\"status\":\"success\",\"data\":{}}");
    }

    private void fail(JsonObject task) {
        result(task, "{\"status\":\"failure\",\"error\":\"no luck\"}");
    }

    private void result(JsonObject task, String result) {
        var body =
                """
                {"job_id":"%s","task_id":"%s","worker_id":"w1","result":%s}\
                """
                        .formatted(
                                task.string("job_id").orElseThrow(),
                                task.string("task_id").orElseThrow(),
                                result);
        assertThat(workers.post("/_worker/tasks/result", body).status()).isEqualTo(200);
    }

    private JsonObject worker(String name) {
        return client.get("/api/v1/workers/" + name).object();
    }

    private String state(String name) {
        return worker(name).string("state").orElse("");
    }

    private double reputation(String name) {
        return worker(name).number("reputation").map(JsonNumber::asDouble).orElse(0d);
    }

    private String attempts(String name) {
        return worker(name)
                .object("attempts")
                .flatMap(attempts -> attempts.get("succeeded"))
                .map(JsonValue::toString)
                .orElse("");
    }

    private List<String> names(String path) {
        return client.get(path).items().stream()
                .map(worker -> ((JsonObject) worker).string("worker_id").orElseThrow())
                .toList();
    }
}
