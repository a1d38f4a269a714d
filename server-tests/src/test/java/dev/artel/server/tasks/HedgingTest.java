package dev.artel.server.tasks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Two workers at one task.
final class HedgingTest {
    private static ArtelNode node;
    private static TestClient client;

    @BeforeAll
    static void start() {
        var hedged =
                Blueprint.named("hedged")
                        .start(
                                "work",
                                step ->
                                        Action.dispatch(
                                                TaskSpec.of("work", step.initialData())
                                                        .hedgedAfter(Duration.ofMillis(50)),
                                                Outcomes.on("success", "done")))
                        .leadingTo("done")
                        .end("done")
                        .build();
        node =
                ArtelNode.start(
                        TestNodes.CONFIG,
                        Blueprints.of(hedged),
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

    /// Trap: one slow worker keeps a job waiting although others have nothing to do.
    @Test
    void theFirstResultCounts_andTheOthersIsAnsweredKindly() {
        var job = client.submit("{\"blueprint\":\"hedged\"}");
        var slow = new TestWorker(node, "slow", "work");
        var first = slow.next();
        var task = "/api/v1/jobs/" + job + "/tasks/0";

        await().untilAsserted(() ->
                assertThat(client.get(task).text()).contains("\"hedge\":{\"status\":\"queued\""));
        assertThat(client.get("/api/v1/jobs/" + job + "/explain").text())
                .contains("it has taken so long that attempt 2 waits for another worker");

        var quick = new TestWorker(node, "quick", "work");
        var second = quick.next();
        assertThat(second.string("task_id")).isNotEqualTo(first.string("task_id"));
        assertThat(client.get(task).text())
                .contains("\"hedge\":{\"status\":\"leased\",\"attempt\":2,\"worker\":\"quick\"");
        assertThat(client.get("/api/v1/jobs/" + job + "/explain").text())
                .contains("quick has attempt 2 as well, and the first result counts");

        assertThat(quick.report(second, JsonObject.of("by", JsonValue.of("quick"))).status())
                .isEqualTo(200);

        var done = client.get("/api/v1/jobs/" + job + "?wait=60").object();
        assertThat(done.string("status")).contains("finished");
        var late = slow.report(first, JsonObject.of("by", JsonValue.of("slow")));
        assertThat(late.status()).isEqualTo(200);
        assertThat(client.get(task).text())
                .containsSubsequence("\"ended\":\"superseded\"", "\"ended\":\"succeeded\"")
                .contains("\"by\":\"quick\"")
                .doesNotContain("\"by\":\"slow\"");
        assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                .contains("\"type\":\"hedge.begun\"");
    }
}
