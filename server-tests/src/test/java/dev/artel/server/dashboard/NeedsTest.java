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
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.NothingStuck;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.waits.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Each thing that waits for a person: it is in the list with what the act takes, the explanation of the job has the same numbers, and
/// after the act it is in the list no more.
@Tag(NothingStuck.ON_PURPOSE)
@Timeout(Await.HUNG)
final class NeedsTest {
    private static final Duration LONGEST = Await.longest();

    @TempDir private Path data;
    private ArtelNode node;
    private TestClient client;
    private TestWorker worker;

    @BeforeEach
    void start() {
        node =
                ArtelNode.start(
                        TestNodes.CONFIG.withData(data),
                        Blueprints.of(
                                Blueprint.named("approval")
                                        .start(
                                                "one",
                                                _ ->
                                                        Action.awaitApproval(
                                                                "Release it?",
                                                                Outcomes.on("yes", "end")))
                                        .leadingTo("end")
                                        .end("end")
                                        .build(),
                                Blueprint.named("broken")
                                        .start(
                                                "one",
                                                _ -> {
                                                    throw new IllegalStateException("no paper");
                                                })
                                        .retry(RetryPolicy.NEVER)
                                        .build(),
                                task("dig", TaskSpec.of("dig", JsonObject.EMPTY)),
                                task(
                                        "pay",
                                        TaskSpec.of("pay", JsonObject.EMPTY)
                                                .notIdempotent()
                                                .withExecutionTimeout(Duration.ofMillis(200))),
                                Blueprint.named("talk")
                                        .budget(Budget.ofUsd("0.5").requestingExtension())
                                        .start(
                                                "one",
                                                _ ->
                                                        Action.dispatch(
                                                                TaskSpec.of("dig", JsonObject.EMPTY)
                                                                        .withCost("1"),
                                                                Outcomes.on("success", "end")))
                                        .leadingTo("end")
                                        .end("end")
                                        .build()));
        client = TestClient.of(node);
        worker = new TestWorker(node, "w", "dig", "pay");
    }

    private static Blueprint task(String name, TaskSpec spec) {
        return Blueprint.named(name)
                .start("one", _ -> Action.dispatch(spec, Outcomes.on("success", "end")))
                .leadingTo("end")
                .end("end")
                .build();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void anApproval_isListedUntilItIsDecided() {
        var job = submit("approval");
        var need = need(job, "approval");
        var wait = wait(job, "approval");

        assertThat(need.string("text")).contains("Release it?");
        assertThat(wait.string("message")).contains("Release it?");
        assertThat(wait.array("choices")).contains(need.array("choices").orElseThrow());
        assertThat(number(wait, "approval")).isEqualTo(number(need, "approval"));
        act(job, "/approvals/" + number(need, "approval"), "{\"decision\":\"yes\"}");
        awaitNothing(job);
    }

    @Test
    void aQuestion_isListedUntilItIsAnswered() {
        var job = submit("dig");
        ask(worker.next(), "\"choices\":[\"a\",\"b\"]");
        var need = need(job, "question");
        var wait = wait(job, "answer");

        assertThat(wait.string("message")).isEqualTo(need.string("text")).contains("Which?");
        assertThat(wait.array("choices")).contains(need.array("choices").orElseThrow());
        assertThat(wait.string("type")).isEqualTo(need.string("task_type")).contains("dig");
        assertThat(number(wait, "question")).isEqualTo(number(need, "question"));
        assertThat(number(wait, "task")).isEqualTo(number(need, "task")).isZero();
        act(job, "/questions/" + number(need, "question"), "{\"answer\":\"b\"}");
        awaitNothing(job);
    }

    /// Trap: a question to which any text is an answer has no choices, and an empty list of them would allow none.
    @Test
    void aQuestionWithoutChoices_hasNone() {
        var job = submit("dig");
        ask(worker.next(), "\"other\":1");
        need(job, "question");

        assertThat(wait(job, "answer").get("choices")).isEmpty();
        act(job, "/cancel", "{}");
        awaitNothing(job);
    }

    @Test
    void aQuarantinedJob_isListedUntilItIsDiscarded() {
        var job = submit("broken");

        assertThat(need(job, "quarantine").string("text").orElseThrow()).contains("no paper");
        assertThat(wait(job, "person").string("text").orElseThrow()).contains("no paper");
        act(job, "/quarantine/discard", "{\"reason\":\"a test\"}");
        awaitNothing(job);
    }

    @Test
    void aTaskInDoubt_isListedUntilItsOutcomeIsRecorded() {
        var job = submit("pay");
        worker.next();
        var need = need(job, "in_doubt");
        var wait = wait(job, "resolution");

        assertThat(need.string("worker")).contains("w");
        assertThat(need.string("task_type")).isEqualTo(wait.string("type")).contains("pay");
        assertThat(number(wait, "task")).isEqualTo(number(need, "task")).isZero();
        act(
                job,
                "/tasks/" + number(need, "task") + "/resolve",
                "{\"outcome\":\"happened\",\"result\":{\"receipt\":7}}");
        awaitNothing(job);
        await().until(() ->
                client.get("/api/v1/jobs/" + job)
                        .object()
                        .string("status")
                        .orElseThrow()
                        .equals("finished"));
    }

    @Test
    void aSpentBudget_isListedUntilItIsExtended() {
        var job = submit("talk");
        var polled = CompletableFuture.supplyAsync(worker::next);

        assertThat(need(job, "budget").string("text"))
                .contains(
                        "the next task takes 1.00 USD, and the budget of the job has 0.50 USD left");
        assertThat(wait(job, "budget").string("unblock").orElseThrow()).contains("/budget/extend");
        assertThat(wait(job, "budget").object("missing").orElseThrow().string("cost_usd"))
                .hasValue("0.50");
        act(job, "/budget/extend", "{\"cost_usd\":\"0.5\"}");
        awaitNothing(job);
        assertThat(polled.orTimeout(LONGEST.toSeconds(), TimeUnit.SECONDS).join().string("job_id"))
                .contains(job);
    }

    private String submit(String blueprint) {
        return client.submit("{\"blueprint\":\"" + blueprint + "\"}");
    }

    private void ask(JsonObject task, String more) {
        var workers = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
        var path = "/_worker/workers/w/tasks/" + task.string("task_id").orElseThrow() + "/question";
        var _ =
                CompletableFuture.supplyAsync(
                        () -> workers.post(path, "{\"question\":\"Which?\"," + more + "}"));
    }

    private void act(String job, String what, String body) {
        var answer = client.post("/api/v1/jobs/" + job + what, body);
        assertThat(answer.status()).as(answer.text()).isLessThan(300);
    }

    /// The only one of the job, once it is there.
    private JsonObject need(String job, String kind) {
        await().until(() -> needs(job).size() == 1);
        var need = needs(job).getFirst();
        assertThat(need.string("kind")).contains(kind);
        assertThat(client.get("/api/v1/needs?kind=" + kind).items().values()).contains(need);
        return need;
    }

    private void awaitNothing(String job) {
        await().until(() -> needs(job).isEmpty());
    }

    private List<JsonObject> needs(String job) {
        return client.get("/api/v1/needs").items().values().stream()
                .map(JsonObject.class::cast)
                .filter(each -> each.string("job_id").orElseThrow().equals(job))
                .toList();
    }

    private JsonObject wait(String job, String what) {
        var explained = client.get("/api/v1/jobs/" + job + "/explain").object();
        return explained.array("waits").map(JsonArray::values).orElse(List.of()).stream()
                .map(JsonObject.class::cast)
                .filter(each -> each.get("for").equals(Optional.of(JsonValue.of(what))))
                .findFirst()
                .orElseThrow(() -> new AssertionError(explained.toString()));
    }

    private static long number(JsonObject object, String member) {
        return object.number(member).map(JsonNumber::asLong).orElseThrow();
    }
}
