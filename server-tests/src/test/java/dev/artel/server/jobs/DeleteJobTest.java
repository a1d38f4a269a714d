package dev.artel.server.jobs;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs that are deleted before their time.
final class DeleteJobTest {
    @TempDir private Path data;
    private ArtelNode node;
    private TestClient client;

    private static Blueprint waiting() {
        return Blueprint.named("waiting")
                .start("begin", _ -> Action.awaitSignal("go", "end"))
                .leadingTo("end")
                .state("end", step -> Action.finish(step.data()))
                .build();
    }

    /// Starts a job of `waiting`, for which it waits, or which lives by itself.
    private static Blueprint parent(String name, boolean detached) {
        return Blueprint.named(name)
                .start(
                        "begin",
                        _ ->
                                detached
                                        ? Action.startBlueprint("waiting", JsonObject.EMPTY, "end")
                                        : Action.runBlueprint(
                                                "waiting",
                                                JsonObject.EMPTY,
                                                Outcomes.on(Outcomes.FINISHED, "pause")))
                .leadingTo("pause", "end")
                .state("pause", _ -> Action.awaitSignal("go", "end"))
                .leadingTo("end")
                .state("end", _ -> Action.finish(JsonObject.EMPTY))
                .build();
    }

    @BeforeEach
    void start() {
        node =
                ArtelNode.start(
                        TestNodes.CONFIG.withData(data),
                        Blueprints.of(
                                SampleBlueprints.echo(),
                                waiting(),
                                parent("parent", false),
                                parent("launcher", true)));
        client = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private Answer delete(String job) {
        return client.method("DELETE", "/api/v1/jobs/" + job);
    }

    private String ended(String job) {
        return client.get("/api/v1/jobs/" + job + "?wait=60&fields=status")
                .object()
                .string("status")
                .orElseThrow();
    }

    private String childOf(String job) {
        await().until(() -> client.get("/api/v1/jobs?parent=" + job).items().size() == 1);
        return ((JsonObject) client.get("/api/v1/jobs?parent=" + job).items().get(0))
                .string("id")
                .orElseThrow();
    }

    private void go(String job) {
        client.post("/api/v1/jobs/" + job + "/signals/go", "{\"id\":\"s\"}");
        assertThat(ended(job)).isEqualTo("finished");
    }

    private static long deleted(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.object().number("deleted").map(JsonNumber::asLong).orElseThrow();
    }

    /// Trap: the job is gone from the list, and its data stay in the file.
    @Test
    void aJobThatIsOver_isGone_withAllThatIsKeptOfIt() throws IOException {
        var job =
                client.submit(
                        "{\"blueprint\":\"echo\",\"initial_data\":{\"iban\":\"private-in-the-data-4711\"},"
                                + "\"labels\":{\"name\":\"private-in-a-label-4711\"}}");
        var worker = new TestWorker(node, "w", "echo");
        var task = worker.next();
        new TestClient(node.uri(), "X-Worker-Token", node.workerToken())
                .post(
                        "/_worker/workers/w/tasks/"
                                + task.string("task_id").orElseThrow()
                                + "/logs",
                        "{\"lines\":[{\"message\":\"private-in-a-log-4711\"}]}");
        worker.report(task, JsonObject.EMPTY);
        assertThat(ended(job)).isEqualTo("finished");

        assertThat(deleted(delete(job))).isEqualTo(1);

        // The engine lets a job go out of its memory shortly after those who wait for its end know.
        for (var path : List.of("", "/history", "/logs", "/tasks", "/explain", "/webhooks")) {
            await().untilAsserted(() ->
                    assertThat(client.get("/api/v1/jobs/" + job + path).status())
                            .as(path)
                            .isEqualTo(404));
        }
        assertThat(client.get("/api/v1/jobs?q=private").items().size()).isZero();
        assertThat(client.get("/api/v1/jobs?label.name=private-in-a-label-4711").items().size())
                .isZero();
        assertThat(delete(job).status()).isEqualTo(404);
        stop();
        try (var files = Files.list(data)) {
            for (var file : files.filter(each -> each.toString().endsWith(".db")).toList()) {
                assertThat(Files.readString(file, ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain("private-in-the-data-4711")
                        .doesNotContain("private-in-a-log-4711");
            }
        }
        assertThat(Files.readAllLines(data.resolve("audit.jsonl")))
                .anySatisfy(line ->
                        assertThat(line).contains("\"DELETE\"", "\"/api/v1/jobs/" + job + "\""));
        start();
        assertThat(client.get("/api/v1/jobs/" + job).status()).isEqualTo(404);
    }

    @Test
    void aJobThatIsNotOver_isRefused_withWhatToDo() {
        var job = client.submit("{\"blueprint\":\"waiting\"}");

        var answer = delete(job);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.object().string("code")).contains("job_not_over");
        assertThat(answer.detail()).contains("cancel it with POST /api/v1/jobs/" + job + "/cancel");
        client.post("/api/v1/jobs/" + job + "/cancel", "");
        assertThat(ended(job)).isEqualTo("cancelled");
        assertThat(deleted(delete(job))).isEqualTo(1);
    }

    /// Trap: a repetition with the key of a deleted job is refused, or finds a job that nobody can look at.
    @Test
    void theKeyOfADeletedJob_isFree() {
        var wanted = "{\"blueprint\":\"waiting\",\"idempotency_key\":\"order-1\"}";
        var job = client.submit(wanted);
        go(job);
        assertThat(deleted(delete(job))).isEqualTo(1);

        var again = client.submit(wanted.replace("}", ",\"priority\":7}"));

        assertThat(again).isEqualTo(job);
        go(again);
        assertThat(client.get("/api/v1/jobs/" + again + "/history").items().size())
                .isGreaterThan(1);
    }

    /// Trap: a child that is gone before its parent knows that it has begun is begun a second time.
    @Test
    void aChild_goesAfterItsParent_orWithIt() {
        var parent = client.submit("{\"blueprint\":\"parent\"}");
        var child = childOf(parent);
        var tree = "/api/v1/jobs/" + parent + "?tree=true";
        client.post("/api/v1/jobs/" + child + "/signals/other", "{\"id\":\"s-0\"}");

        assertThat(client.method("DELETE", tree).object().string("code")).contains("job_not_over");
        go(child);
        go(parent);
        await().until(() -> client.method("DELETE", tree).status() == 200);

        assertThat(client.get("/api/v1/jobs/" + child).status()).isEqualTo(404);
        assertThat(client.get("/api/v1/jobs/" + parent).status()).isEqualTo(404);
    }

    @Test
    void aChildThatIsOver_isRefused_asLongAsItsParentIsNot() {
        var job = client.submit("{\"blueprint\":\"parent\"}");
        var child = childOf(job);
        go(child);

        await().untilAsserted(() ->
                assertThat(delete(child).object().string("code")).contains("parent_not_over"));
        go(job);
        await().until(() -> delete(child).status() == 200);
    }

    @Test
    void withoutItsTree_aParentLeavesWhatItHasStarted() {
        var job = client.submit("{\"blueprint\":\"launcher\"}");
        var child = childOf(job);
        assertThat(ended(job)).isEqualTo("finished");

        await().until(() -> delete(job).status() == 200);

        assertThat(client.get("/api/v1/jobs/" + job).status()).isEqualTo(404);
        go(child);
        await().until(() -> delete(child).status() == 200);
    }
}
