package dev.artel.server.jobs;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import dev.artel.waits.Await;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What clients see and set of the budget of a job, over a restart.
final class JobBudgetTest {
    private static final TaskSpec ASK = TaskSpec.of("ask", JsonObject.EMPTY).withCost("1");

    private final Storage storage = TestNodes.storage();
    private ArtelNode node;
    private TestClient client;
    private TestWorker worker;

    private static Blueprint blueprint() {
        return Blueprint.named("talk")
                .budget(Budget.ofUsd("5").withTokens(1_000))
                .start("one", _ -> Action.dispatch(ASK, Outcomes.on("success", "two")))
                .leadingTo("two")
                .state("two", _ -> Action.dispatch(ASK, Outcomes.on("success", "end")))
                .leadingTo("end")
                .state("end", _ -> Action.finish(JsonObject.EMPTY))
                .build();
    }

    @BeforeEach
    void start() {
        node = ArtelNode.start(TestNodes.CONFIG, Blueprints.of(blueprint()), storage);
        client = TestClient.of(node);
        worker = new TestWorker(node, "w1", "ask");
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private void report(JsonObject task, String more) {
        new TestClient(node.uri(), "X-Worker-Token", node.workerToken())
                .post(
                        "/_worker/tasks/result",
                        "{\"job_id\":\"%s\",\"task_id\":\"%s\",\"worker_id\":\"w1\",%s}"
                                .formatted(
                                        task.string("job_id").orElseThrow(),
                                        task.string("task_id").orElseThrow(),
                                        more));
    }

    private JsonObject budget(String job) {
        return client.get("/api/v1/jobs/" + job).object().object("budget").orElseThrow();
    }

    @Test
    void theBudgetOfAJob_isReserved_andSettledFromTheMetricsOfItsResult() {
        var job = client.submit("{\"blueprint\":\"talk\",\"budget\":{\"cost_usd\":2.5}}");
        var task = worker.next();

        assertThat(budget(job).object("limits").orElseThrow().toString())
                .isEqualTo("{\"cost_usd\":\"2.50\",\"tokens\":1000}");
        assertThat(budget(job).object("reserved").orElseThrow().string("cost_usd"))
                .contains("1.00");
        report(
                task,
                "\"metrics\":{\"cost_usd\":\"0.25\",\"tokens_used\":70},"
                        + "\"result\":{\"status\":\"success\",\"data\":{}}");

        var spent = budget(job).object("spent").orElseThrow();
        assertThat(spent.string("cost_usd")).contains("0.25");
        assertThat(spent.toString()).contains("\"tokens\":70");
        assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                .contains("attempt.settled");
    }

    @Test
    void metricsInTheData_countAsWell() {
        var job = client.submit("{\"blueprint\":\"talk\"}");

        report(
                worker.next(),
                "\"result\":{\"status\":\"success\",\"data\":{\"metrics\":"
                        + "{\"estimated_cost_usd\":0.5,\"tokens_total\":9}}}");

        assertThat(budget(job).object("spent").orElseThrow().string("cost_usd")).contains("0.50");
    }

    @Test
    void aJobThatAsksForMore_saysWhatIsMissing_andGoesOnWhenItIsGranted() {
        var job =
                client.submit(
                        "{\"blueprint\":\"talk\",\"budget\":{\"cost_usd\":\"0.5\",\"on_exhausted\":"
                                + "\"request_extension\"}}");
        var path = "/api/v1/jobs/" + job;
        var polled = CompletableFuture.supplyAsync(worker::next);
        await().untilAsserted(() ->
                assertThat(client.get(path).text()).contains("\"status\":\"waiting_for_human\""));

        assertThat(client.get(path + "/explain").object().string("text").orElseThrow())
                .startsWith(
                        "its budget is spent: of 0.50 USD, 0.00 USD are spent, reserved or granted to"
                                + " children, and the next task takes 1.00 USD");
        assertThat(client.post(path + "/budget/extend", "{}").status()).isEqualTo(400);
        assertThat(client.post(path + "/budget/extend", "{\"cost_usd\":\"0.5\"}").text())
                .isEqualTo("{\"status\":\"extended\"}");

        assertThat(polled.orTimeout(Await.seconds(), TimeUnit.SECONDS).join().string("job_id"))
                .contains(job);
    }

    @Test
    void aJobThatMayNotSpendMore_fails() {
        var job = client.submit("{\"blueprint\":\"talk\",\"budget\":{\"cost_usd\":0}}");
        var _ = CompletableFuture.supplyAsync(worker::poll);

        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs/" + job).text())
                        .contains("\"status\":\"failed\"")
                        .contains("RESOURCE_EXHAUSTED"));
    }

    @Test
    void aBudgetThatMakesNoSense_isRefusedWithAllItsProblems() {
        var answer =
                client.post(
                        "/api/v1/jobs",
                        "{\"blueprint\":\"talk\",\"budget\":{\"cost_usd\":\"0.0000000001\",\"tokens\":-1,"
                                + "\"warn_at\":2,\"on_exhausted\":\"explode\",\"money\":1}}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text())
                .contains("unknown field money of budget")
                .contains("money has at most 9 decimals")
                .contains("tokens of budget must be a whole number of at least 0")
                .contains("a budget warns at a part above 0");
    }

    @Test
    void theLedger_isTheSameAfterARestart() {
        var job = client.submit("{\"blueprint\":\"talk\"}");
        report(
                worker.next(),
                "\"metrics\":{\"cost_usd\":4.5},\"result\":{\"status\":\"success\",\"data\":{}}");
        var before = budget(job);
        assertThat(before.toString()).contains("\"warned\":[\"money\"]");

        node.close();
        node = ArtelNode.start(TestNodes.CONFIG, Blueprints.of(blueprint()), storage);
        client = TestClient.of(node);

        assertThat(budget(job)).isEqualTo(before);
    }
}
