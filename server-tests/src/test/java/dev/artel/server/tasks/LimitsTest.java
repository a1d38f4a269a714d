package dev.artel.server.tasks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import dev.artel.waits.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What keeps jobs from going on forever.
final class LimitsTest {
    private static final CountDownLatch BEGUN = new CountDownLatch(1);
    private static final CountDownLatch GO_ON = new CountDownLatch(1);
    private static final CountDownLatch ENDED = new CountDownLatch(1);

    private static ArtelNode node;
    private static TestClient client;

    @BeforeAll
    static void start() {
        var moment = Duration.ofMillis(1);
        var round =
                Blueprint.named("round")
                        .guards(Guards.DEFAULTS.withTransitions(21))
                        .start("prepare", _ -> Action.waitFor(moment, "check"))
                        .leadingTo("check")
                        .state("check", _ -> Action.waitFor(moment, "fix"))
                        .leadingTo("fix")
                        .state("fix", _ -> Action.waitFor(moment, "check"))
                        .leadingTo("check")
                        .build();
        var hanging =
                Blueprint.named("hanging")
                        .guards(Guards.DEFAULTS.withHandlerRetry(RetryPolicy.NEVER))
                        .start("wait", LimitsTest::waitForNothing)
                        .handlerTime(Duration.ofMillis(50))
                        .build();
        var lazy = Blueprint.named("lazy").start("nothing", LimitsTest::nothing).build();
        var slow = Blueprint.named("slow").start("think", LimitsTest::think).build();
        node =
                ArtelNode.start(
                        TestNodes.CONFIG,
                        Blueprints.of(round, hanging, lazy, slow),
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

    private static Action waitForNothing(Step step) throws InterruptedException {
        new CountDownLatch(1).await();
        return Action.finish(step.data());
    }

    @NullUnmarked
    private static Action nothing(Step step) {
        return null;
    }

    private static Action think(Step step) throws InterruptedException {
        BEGUN.countDown();
        try {
            if (!GO_ON.await(Await.seconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody lets it go on");
            }
            return Action.finish(JsonObject.EMPTY);
        } finally {
            ENDED.countDown();
        }
    }

    private static String quarantined(String blueprint) {
        var job = client.submit("{\"blueprint\":\"" + blueprint + "\"}");
        awaitStatus(job, "quarantined");
        return job;
    }

    private static void awaitStatus(String job, String status) {
        await().untilAsserted(() -> assertThat(word(job, "status")).isEqualTo(status));
    }

    private static String word(String job, String member) {
        return client.get("/api/v1/jobs/" + job).object().string(member).orElseThrow();
    }

    @Test
    void aJobThatGoesRound_isQuarantined_andListedWithItsCycle() {
        var job = quarantined("round");

        var cycle = "the last ones repeat: check -> fix -> check (10 times)";
        assertThat(word(job, "error_message"))
                .startsWith("entered 22 states, and its blueprint allows 21; " + cycle);
        assertThat(client.get("/api/v1/quarantine").text()).contains(cycle);
        assertThat(client.get("/api/v1/jobs/" + job + "/explain").text()).contains(cycle);
    }

    @Test
    void whoReleasesIt_letsItGoOnForAsLongAgain() {
        var job = quarantined("round");

        assertThat(client.post("/api/v1/jobs/" + job + "/quarantine/release", "{}").status())
                .isEqualTo(200);

        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs/" + job + "/history?limit=1000").text())
                        .containsSubsequence(
                                "job.quarantined", "quarantine.resolved", "job.quarantined"));
        // The store has the events before the job in memory has.
        await().untilAsserted(() ->
                assertThat(word(job, "error_message")).startsWith("entered 22 states"));
    }

    /// Trap: a handler that hangs keeps its job forever, and nobody notices.
    @Test
    void aHandlerThatTakesTooLong_quarantinesItsJob_andIsCounted() {
        var job = quarantined("hanging");

        assertThat(word(job, "error_message"))
                .startsWith(
                        "the handler of state wait failed once: the handler of state 'wait' took"
                                + " longer than PT0.05S and was interrupted");
        await().untilAsserted(() ->
                assertThat(client.get("/_public/metrics").text())
                        .contains(
                                "artel_handlers_overran_total 1.0",
                                "artel_handlers_abandoned 0.0"));
    }

    /// Trap: a handler that returns nothing leaves its job hanging without a report.
    @Test
    void aHandlerThatReturnsNull_quarantinesItsJob_andReportsIt() {
        var job = quarantined("lazy");

        assertThat(word(job, "error_message"))
                .isEqualTo(
                        "the handler of state nothing failed once: the handler of state 'nothing'"
                                + " returned no action; return one");
    }

    /// Trap: a cancel waits for the handler that runs, or what that returns afterwards takes the job up again.
    @Test
    void aHandlerThatIsCutByACancel_changesNothingAfterwards() throws Exception {
        var job = client.submit("{\"blueprint\":\"slow\"}");
        assertThat(BEGUN.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();

        assertThat(client.post("/api/v1/jobs/" + job + "/cancel", "{}").status()).isLessThan(300);
        awaitStatus(job, "cancelled");
        GO_ON.countDown();

        assertThat(ENDED.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        var later = client.submit("{\"blueprint\":\"slow\"}");
        awaitStatus(later, "finished");
        assertThat(word(job, "status")).isEqualTo("cancelled");
        assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                .doesNotContain("step.done");
    }
}
