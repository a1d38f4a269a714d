package dev.artel.server.tasks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.access.LimitsFile;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.HandlerPlaces;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.NothingStuck;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Each thing for which a job can wait, brought about on purpose: its explanation names it and what helps, and so do the overview and the metrics.
@Tag(NothingStuck.ON_PURPOSE)
@Timeout(Await.HUNG)
final class EachWaitTest {
    private final CountDownLatch handlers = new CountDownLatch(1);

    @TempDir private Path folder;
    private ArtelNode node;
    private TestClient client;
    private TestClient workers;

    private Blueprints blueprints() {
        return Blueprints.of(
                task("unknown", it -> it),
                task("dig", it -> it),
                task("describe", it -> it.demanding(demand -> demand.model("llama"))),
                task("render", it -> it.demanding(demand -> demand.atMost(0.5))),
                task("train", it -> it.demanding(demand -> demand.amount("ram_gb", 24))),
                task("sweep", it -> it),
                task("call", it -> it.limitedBy("provider")),
                task("fetch", it -> it.limitedBy("tenant:42")),
                task("pay", it -> it.notIdempotent().withExecutionTimeout(Duration.ofMillis(200))),
                Blueprint.named("approval")
                        .start(
                                "one",
                                _ -> Action.awaitApproval("Release it?", Outcomes.on("yes", "end")))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("signal")
                        .start("one", _ -> Action.awaitSignal("paid", "end"))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("timer")
                        .start("one", _ -> Action.waitFor(Duration.ofHours(1), "end"))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("parent")
                        .start(
                                "one",
                                _ ->
                                        Action.runBlueprint(
                                                "signal",
                                                JsonObject.EMPTY,
                                                Outcomes.on("finished", "end")))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("backoff")
                        .start(
                                "one",
                                _ -> {
                                    throw new IllegalStateException("not yet");
                                })
                        .retry(
                                RetryPolicy.DEFAULTS.withDelays(
                                        Duration.ofHours(1), Duration.ofHours(1)))
                        .build(),
                Blueprint.named("broken")
                        .start(
                                "one",
                                _ -> {
                                    throw new IllegalStateException("the disk is full");
                                })
                        .retry(RetryPolicy.NEVER)
                        .build(),
                Blueprint.named("slow")
                        .start(
                                "one",
                                _ -> {
                                    handlers.await();
                                    return Action.finish(JsonObject.EMPTY);
                                })
                        .build());
    }

    private static Blueprint task(String type, UnaryOperator<TaskSpec> more) {
        var spec = more.apply(TaskSpec.of(type, JsonObject.EMPTY));
        return Blueprint.named(type)
                .start("one", _ -> Action.dispatch(spec, Outcomes.on("success", "end")))
                .leadingTo("end")
                .end("end")
                .build();
    }

    @BeforeEach
    void start() throws IOException {
        var data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(
                data.resolve(LimitsFile.NAME),
                "[provider]\nrate = 1\nper = '1h'\n[\"tenant:*\"]\nconcurrent = 1\n");
        open(blueprints());
    }

    private void open(Blueprints blueprints) {
        var config = TestNodes.CONFIG.withData(folder.resolve("data"));
        node =
                ArtelNode.start(
                        config.withEngine(
                                config.engine().withHandlers(HandlerPlaces.DEFAULTS.withShare(2))),
                        blueprints);
        client = TestClient.of(node);
        workers = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
    }

    @AfterEach
    void stop() {
        handlers.countDown();
        node.close();
    }

    @Test
    void tasks_nameWhatIsMissing_andWhatHelps() {
        var busy = new TestWorker(node, "digger", "dig");
        register("plain", "describe\",\"render\",\"train", "");
        register("drained", "sweep", "");
        client.post("/api/v1/workers/drained/drain", "{\"reason\":\"new disk\"}");

        var unknown = submit("unknown");
        awaitTask(unknown, "no_worker_of_type", "none of 3 workers offers unknown", "start one");
        var model = submit("describe");
        awaitTask(model, "model", "plain does not have model llama", "install");
        var expensive = submit("render");
        awaitTask(
                expensive,
                "too_expensive",
                "plain does not declare what it costs",
                "cheaper worker");
        var large = submit("train");
        awaitTask(large, "resource", "ram_gb", "start a worker that has it");
        var draining = submit("sweep");
        awaitTask(draining, "draining", "drained", "drain");
        for (var i = 0; i < 5; i++) {
            submit("dig");
            busy.next();
        }
        var waiting = submit("dig");
        awaitTask(waiting, "busy", "digger", "slots");
    }

    @Test
    void limits_nameTheirKey_andWhenThereIsRoom() {
        var worker = new TestWorker(node, "w", "call", "fetch");
        submit("call");
        worker.next();
        submit("fetch");
        worker.next();

        awaitTask(submit("call"), "limit", "provider", "");
        awaitTask(submit("fetch"), "limit", "tenant:42", "");
    }

    @Test
    void people_areNamed_withWhatTheyDo() {
        var approval = submit("approval");
        awaitWait(approval, "approval", "Release it?", "/approvals/");
        awaitNeed(approval, "approval");
        var signal = submit("signal");
        awaitWait(signal, "signal", "signal 'paid'", "/signals/paid");
        var broken = submit("broken");
        awaitWait(broken, "person", "the disk is full", "release, retry or skip");
        awaitNeed(broken, "quarantine");
        var worker = new TestWorker(node, "w", "pay", "dig");
        var doubtful = submit("pay");
        worker.next();
        awaitWait(doubtful, "resolution", "may have had its effect", "/resolve");
        awaitNeed(doubtful, "in_doubt");
        var asking = submit("dig");
        var task = worker.next().string("task_id").orElseThrow();
        var answered =
                CompletableFuture.supplyAsync(() ->
                        await("it is answered")
                                .until(() -> asks(task), it -> !it.text().contains("\"parked\"")));
        awaitWait(asking, "answer", "Which account?", "/questions/");
        awaitNeed(asking, "question");
        assertThat(answered).isNotDone();
        var paused = submit("timer");
        awaitWait(paused, "time", "it waits until", "nothing is needed");
        client.post("/api/v1/jobs/" + paused + "/pause", "{\"reason\":\"a repair\"}");
        awaitWait(paused, "pause", "a repair", "/resume");
    }

    @Test
    void whatTakesItsTime_isNamed() {
        awaitWait(submit("timer"), "time", "it waits until", "nothing is needed");
        awaitWait(submit("backoff"), "backoff", "has failed 1 times", "nothing is needed");
        awaitWait(submit("parent"), "child", "signal 'paid'", "");
    }

    @Test
    void handlersWithoutAPlace_areNamed() {
        submit("slow");
        submit("slow");
        awaitWait(submit("slow"), "step", "has not begun", "");
    }

    @Test
    void aDefinitionThatIsMissing_isNamed() {
        var job = submit("signal");
        awaitWait(job, "signal", "signal 'paid'", "/signals/paid");
        node.close();
        open(Blueprints.of(task("dig", it -> it)));

        awaitWait(
                job,
                "definition",
                "what it does next will be held: there is no blueprint 'signal'",
                "put the jar");
    }

    /// As workers do, which ask again while there is no answer.
    private Answer asks(String task) {
        return workers.post(
                "/_worker/workers/w/tasks/" + task + "/question",
                "{\"question\":\"Which account?\"}");
    }

    private String submit(String blueprint) {
        return client.submit("{\"blueprint\":\"" + blueprint + "\"}");
    }

    private void register(String name, String tasks, String more) {
        workers.post(
                "/_worker/workers/register",
                "{\"worker_id\":\""
                        + name
                        + "\",\"supported_tasks\":[\""
                        + tasks
                        + "\"],\"resources\":{\"max_concurrent_tasks\":5}"
                        + more
                        + "}");
    }

    private void awaitTask(String job, String reason, String part, String helps) {
        await().untilAsserted(() -> {
            var why = client.get("/api/v1/jobs/" + job + "/tasks/0/why").object();
            var because = why.object("waits_because").orElseThrow();
            assertThat(because.string("reason")).as(why.toString()).contains(reason);
            assertThat(why.string("text").orElseThrow()).contains(part);
            assertThat(because.string("unblock").orElse("")).contains(helps);
        });
        awaitWait(job, "worker", part, helps);
        awaitInOverview(
                client.get("/api/v1/jobs/" + job + "/tasks/0")
                        .object()
                        .string("type")
                        .orElseThrow(),
                reason);
    }

    private void awaitWait(String job, String what, String part, String helps) {
        await().untilAsserted(() -> {
            var explained = client.get("/api/v1/jobs/" + job + "/explain").object();
            assertThat(objects(explained, "waits"))
                    .as(explained.toString())
                    .anySatisfy(wait -> {
                        assertThat(wait.string("for")).contains(what);
                        assertThat(wait.string("text").orElseThrow()).contains(part);
                        assertThat(unblock(wait)).contains(helps);
                    });
        });
        var status = client.get("/api/v1/jobs/" + job).object().string("status").orElseThrow();
        awaitMetric("artel_jobs\\{.*status=\"" + status + "\".*");
    }

    /// Of a wait for workers it stands beside the reason.
    private static String unblock(JsonObject wait) {
        return wait.object("waits_because").orElse(wait).string("unblock").orElse("");
    }

    private void awaitInOverview(String type, String reason) {
        awaitMetric("artel_waiting_tasks\\{reason=\"" + reason + "\",type=\"" + type + "\".*");
        await().untilAsserted(() -> {
            var overview = client.get("/api/v1/overview").object();
            assertThat(objects(overview, "queues"))
                    .as(overview.toString())
                    .anySatisfy(queue -> {
                        assertThat(queue.string("task_type")).contains(type);
                        assertThat(objects(queue, "reasons"))
                                .anySatisfy(
                                        each -> assertThat(each.string("reason")).contains(reason));
                    });
        });
    }

    private void awaitNeed(String job, String kind) {
        awaitMetric("artel_needs\\{kind=\"" + kind + "\".*");
        await().untilAsserted(() -> {
            var needs = client.get("/api/v1/needs?kind=" + kind).object();
            assertThat(objects(needs, "items"))
                    .as(needs.toString())
                    .anySatisfy(each -> assertThat(each.string("job_id")).contains(job));
        });
    }

    /// Prometheus sees it, too.
    private void awaitMetric(String line) {
        await().untilAsserted(() ->
                assertThat(client.get("/metrics").text().lines())
                        .anyMatch(it -> it.matches(line + " [1-9].*")));
    }

    private static List<JsonObject> objects(JsonObject document, String member) {
        return document.array(member).map(JsonArray::values).orElse(List.of()).stream()
                .map(JsonObject.class::cast)
                .toList();
    }
}
