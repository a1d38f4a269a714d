package dev.artel.server.dashboard;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.server.AliceAndBob;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What jobs do in each state of a definition, over HTTP.
@Timeout(Await.HUNG)
final class StateStatisticsTest {
    @TempDir private Path data;
    private ArtelNode node;
    private TestClient operator;

    @BeforeEach
    void start() throws IOException {
        AliceAndBob.writeTo(data);
        begin();
    }

    private void begin() {
        node =
                ArtelNode.start(
                        TestNodes.CONFIG.withData(data),
                        Blueprints.of(waiting("1"), waiting("2"), forking(), broken()));
        operator = TestClient.of(node);
    }

    private static Blueprint waiting(String version) {
        return Blueprint.named("waiting")
                .version(version)
                .start("begin", _ -> Action.transitionTo("paid"))
                .leadingTo("paid")
                .state("paid", _ -> Action.awaitSignal("paid", "end"))
                .leadingTo("end")
                .end("end")
                .build();
    }

    private static Blueprint forking() {
        return Blueprint.named("forking")
                .start("begin", _ -> Action.fork(List.of("left", "right"), "joined"))
                .leadingTo("left", "right", "joined")
                .state("left", _ -> Action.endBranch())
                .state("right", _ -> Action.awaitSignal("right", "over"))
                .leadingTo("over")
                .state("over", _ -> Action.endBranch())
                .state("joined", step -> Action.finish(step.data()))
                .build();
    }

    private static Blueprint broken() {
        return Blueprint.named("broken")
                .start(
                        "begin",
                        _ -> {
                            throw new IllegalStateException("no paper");
                        })
                .retry(
                        RetryPolicy.DEFAULTS
                                .withMaxAttempts(3)
                                .withDelays(Duration.ofMillis(1), Duration.ofMillis(1)))
                .leadingTo("end")
                .end("end")
                .build();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private JsonObject statistics(String blueprint) {
        return operator.get("/api/v1/blueprints/" + blueprint + "/statistics").object();
    }

    private JsonObject state(String blueprint, String state) {
        return statistics(blueprint).array("states").orElseThrow().values().stream()
                .map(JsonObject.class::cast)
                .filter(each -> each.string("name").orElse("").equals(state))
                .findFirst()
                .orElseThrow();
    }

    private static long number(JsonObject object, String name) {
        return object.number(name).map(JsonNumber::asLong).orElse(-1L);
    }

    private void awaitCounts(String blueprint, String state, String expected) {
        await().untilAsserted(() -> {
            var its = state(blueprint, state);
            assertThat(
                            "entered %d, now %d, left %d"
                                    .formatted(
                                            number(its, "entered"),
                                            number(its, "now"),
                                            number(its, "left")))
                    .as("%s %s", blueprint, state)
                    .isEqualTo(expected);
        });
    }

    private void signal(String job, String signal) {
        var path = "/api/v1/jobs/" + job + "/signals/" + signal;
        assertThat(operator.post(path, "{\"id\":\"1\"}").status()).isBetween(200, 204);
    }

    @Test
    void visits_areCounted_withTheirTimes_forEachVersion() {
        var job = operator.submit("{\"blueprint\":\"waiting\"}");
        operator.submit("{\"blueprint\":\"waiting\"}");
        awaitCounts("waiting", "begin", "entered 2, now 0, left 2");
        awaitCounts("waiting", "paid", "entered 2, now 2, left 0");
        assertThat(state("waiting", "paid").object("ms")).isEmpty();

        signal(job, "paid");

        awaitCounts("waiting", "paid", "entered 2, now 1, left 1");
        awaitCounts("waiting", "end", "entered 1, now 0, left 0");
        var times = state("waiting", "paid").object("ms").orElseThrow();
        assertThat(number(times, "p50")).isBetween(0L, 60_000L);
        assertThat(number(times, "p95")).isEqualTo(number(times, "p50"));
        assertThat(
                        operator.get("/api/v1/blueprints/waiting/statistics?version=1")
                                .object()
                                .array("states")
                                .orElseThrow()
                                .get(0))
                .hasToString(
                        "{\"name\":\"begin\",\"entered\":0,\"now\":0,\"failures\":0,\"retries\":0,\"left\":0}");
        assertThat(statistics("waiting").string("version")).contains("2");
        assertThat(statistics("waiting").string("since").map(Instant::parse).orElseThrow())
                .isBetween(Instant.now().minusSeconds(Await.HUNG), Instant.now());
    }

    @Test
    void branches_areCountedEach() {
        var job = operator.submit("{\"blueprint\":\"forking\"}");
        awaitCounts("forking", "left", "entered 1, now 0, left 1");
        awaitCounts("forking", "right", "entered 1, now 1, left 0");
        awaitCounts("forking", "begin", "entered 1, now 1, left 0");

        signal(job, "right");

        awaitCounts("forking", "begin", "entered 1, now 0, left 1");
        awaitCounts("forking", "right", "entered 1, now 0, left 1");
        awaitCounts("forking", "over", "entered 1, now 0, left 1");
        awaitCounts("forking", "joined", "entered 1, now 0, left 1");
    }

    @Test
    void failuresOfHandlers_areCounted_andThoseAfterWhichTheyRunAgain() {
        operator.submit("{\"blueprint\":\"broken\"}");

        await().untilAsserted(() -> {
            var its = state("broken", "begin");
            assertThat(number(its, "retries")).isEqualTo(2);
            assertThat(number(its, "failures")).isEqualTo(1);
        });
        awaitCounts("broken", "begin", "entered 1, now 1, left 0");
    }

    /// Trap: after a restart no job is in any state, or the time for which the orchestrator stood still counts.
    @Test
    void afterARestart_countsBeginAnew_andOpenJobsAreWhereTheyWere() {
        var job = operator.submit("{\"blueprint\":\"waiting\"}");
        var forked = operator.submit("{\"blueprint\":\"forking\"}");
        awaitCounts("waiting", "paid", "entered 1, now 1, left 0");
        awaitCounts("forking", "left", "entered 1, now 0, left 1");

        node.close();
        begin();

        awaitCounts("waiting", "paid", "entered 0, now 1, left 0");
        awaitCounts("forking", "right", "entered 0, now 1, left 0");
        awaitCounts("forking", "left", "entered 0, now 0, left 0");
        signal(job, "paid");
        signal(forked, "right");
        awaitCounts("waiting", "paid", "entered 0, now 0, left 0");
        awaitCounts("forking", "right", "entered 0, now 0, left 0");
        awaitCounts("forking", "joined", "entered 1, now 0, left 1");
    }

    @Test
    void figuresOfAll_areNotForClients_andAVersionThatIsNotThere_isNamed() {
        assertThat(AliceAndBob.alice(node).get("/api/v1/blueprints/waiting/statistics").status())
                .isEqualTo(403);
        var none = operator.get("/api/v1/blueprints/waiting/statistics?version=7");
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.object().string("detail"))
                .contains("there is no version 7 of blueprint 'waiting'; there are [1, 2]");
    }
}
