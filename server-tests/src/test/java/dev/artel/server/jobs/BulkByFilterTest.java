package dev.artel.server.jobs;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.AliceAndBob;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is done to all jobs of a filter.
final class BulkByFilterTest {
    private static final int CHILDREN = 30;

    @TempDir private Path folder;
    private Path data;
    private ArtelNode node;
    private TestClient alice;
    private TestClient bob;
    private TestClient operator;

    private static Blueprint waiting() {
        return Blueprint.named("waiting")
                .start("begin", _ -> Action.awaitSignal("go", "end"))
                .leadingTo("end")
                .state("end", step -> Action.finish(step.data()))
                .build();
    }

    private static Blueprint fragile() {
        return Blueprint.named("fragile").start("try", _ -> Action.transitionTo("nowhere")).build();
    }

    private static Blueprint withChildren() {
        var blueprint = Blueprint.named("with-children").start("start-0", _ -> starting(1));
        for (var i = 1; i < CHILDREN; i++) {
            var next = i + 1;
            blueprint.leadingTo("start-" + i).state("start-" + i, _ -> starting(next));
        }
        return blueprint
                .leadingTo("start-" + CHILDREN)
                .state("start-" + CHILDREN, _ -> Action.awaitSignal("go", "end"))
                .leadingTo("end")
                .end("end")
                .build();
    }

    private static Action starting(int next) {
        return Action.startBlueprint("waiting", JsonObject.EMPTY, "start-" + next);
    }

    @BeforeEach
    void start() throws IOException {
        data = folder.resolve("data");
        AliceAndBob.writeTo(
                data,
                """
                [carol]
                token = "token-of-carol-0123456"
                requests_per_minute = 6
                """);
        node =
                ArtelNode.start(
                        TestNodes.CONFIG.withData(data),
                        Blueprints.of(waiting(), withChildren(), fragile()));
        alice = AliceAndBob.alice(node);
        bob = AliceAndBob.bob(node);
        operator = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private static List<String> submit(TestClient client, int count) {
        var jobs = new ArrayList<String>();
        for (var i = 0; i < count; i++) {
            jobs.add(
                    client.submit(
                            "{\"blueprint\":\"waiting\",\"labels\":{\"run\":\"7\",\"n\":\"x"
                                    + i
                                    + "\"}}"));
        }
        jobs.forEach(job -> await().until(() -> waits(client, job)));
        return jobs;
    }

    private static boolean waits(TestClient client, String job) {
        return client.get("/api/v1/jobs/" + job)
                .object()
                .string("status")
                .equals(Optional.of("waiting_for_signal"));
    }

    private static JsonObject done(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isIn(200, 202);
        return answer.object();
    }

    private static String counts(JsonObject outcome) {
        var counts = new ArrayList<String>();
        for (var name : List.of("matched", "over", "done", "unchanged", "failed")) {
            counts.add(outcome.number(name).map(JsonNumber::asLong).orElseThrow().toString());
        }
        return String.join(" ", counts);
    }

    private String status(String job) {
        return operator.get("/api/v1/jobs/" + job + "?wait=60")
                .object()
                .string("status")
                .orElseThrow();
    }

    @Test
    void allJobsOfAFilter_arePausedAndResumed() {
        submit(alice, 3);
        submit(bob, 1);

        assertThat(counts(done(alice.post("/api/v1/bulk/pause?label.run=7", "{\"reason\":\"r\"}"))))
                .isEqualTo("3 0 3 0 0");
        assertThat(counts(done(operator.post("/api/v1/bulk/pause?blueprint=waiting", ""))))
                .isEqualTo("4 0 1 3 0");
        assertThat(counts(done(operator.post("/api/v1/bulk/resume?client=alice", ""))))
                .isEqualTo("3 0 3 0 0");
        assertThat(counts(done(operator.post("/api/v1/bulk/resume?blueprint=waiting", ""))))
                .isEqualTo("4 0 1 3 0");
    }

    @Test
    void allJobsOfAFilter_areCancelled_aPageAtATime() {
        var jobs = submit(alice, 5);
        var others = alice.submit("{\"blueprint\":\"waiting\",\"labels\":{\"run\":\"8\"}}");
        alice.post("/api/v1/jobs/" + jobs.getFirst() + "/cancel", "");
        assertThat(status(jobs.getFirst())).isEqualTo("cancelled");

        var path = "/api/v1/bulk/cancel?label.run=7&limit=2";
        var first = done(alice.post(path, ""));
        var second = done(alice.post(path + "&cursor=" + first.string("next_cursor").get(), ""));
        var third = done(alice.post(path + "&cursor=" + second.string("next_cursor").get(), ""));

        assertThat(List.of(counts(first), counts(second), counts(third)))
                .containsExactly("2 0 2 0 0", "2 0 2 0 0", "1 1 0 0 0");
        assertThat(third.has("next_cursor")).isFalse();
        assertThat(jobs).allSatisfy(job -> assertThat(status(job)).isEqualTo("cancelled"));
        await().until(() -> waits(alice, others));
        assertThat(counts(done(alice.post("/api/v1/bulk/cancel?label.run=7", ""))))
                .isEqualTo("5 5 0 0 0");
        assertThat(alice.get("/api/v1/jobs/" + jobs.getLast()).object().string("error_message"))
                .contains("cancelled by client alice, with others");
    }

    @Test
    void aDryRun_countsOnly() {
        var jobs = submit(alice, 3);

        var dry = done(alice.post("/api/v1/bulk/cancel?blueprint=waiting&dry_run=true", ""));

        assertThat(counts(dry)).isEqualTo("3 0 0 0 0");
        assertThat(dry.toString()).contains("\"dry_run\":true");
        assertThat(jobs).allMatch(job -> waits(alice, job));
    }

    @Test
    void aSignal_reachesAllJobsOfAFilter_once() {
        var jobs = submit(alice, 3);
        var body = "{\"id\":\"s-1\",\"payload\":{\"by\":\"all\"}}";
        done(alice.post("/api/v1/jobs/" + jobs.get(1) + "/signals/late", body));

        var late = done(alice.post("/api/v1/bulk/signals/late?label.run=7", body));
        var go =
                done(alice.post("/api/v1/bulk/signals/go?label.run=7", body.replace("s-1", "s-2")));

        assertThat(counts(late)).isEqualTo("3 0 2 1 0");
        assertThat(counts(go)).isEqualTo("3 0 3 0 0");
        assertThat(jobs).allSatisfy(job -> assertThat(status(job)).isEqualTo("finished"));
    }

    /// Trap: one job that refuses takes the others along, or is not named.
    @Test
    void aJobThatRefuses_isNamed_withTheReason() {
        var jobs = submit(alice, 2);
        done(alice.post("/api/v1/jobs/" + jobs.getFirst() + "/signals/other", "{\"id\":\"s-1\"}"));

        var outcome = done(alice.post("/api/v1/bulk/signals/go?label.run=7", "{\"id\":\"s-1\"}"));

        assertThat(counts(outcome)).isEqualTo("2 0 1 0 1");
        var failure = (JsonObject) outcome.array("failures").orElseThrow().get(0);
        assertThat(failure.string("job_id")).contains(jobs.getFirst());
        assertThat(failure.string("code")).contains("idempotency_key_reused");
        assertThat(failure.string("detail").orElseThrow()).contains("is that of signal 'other'");
    }

    /// Trap: a filter reaches the jobs of others.
    @Test
    void aClient_reachesItsOwnJobsAlone_andAnOperatorAll() {
        var hers = submit(alice, 2);
        submit(bob, 3);

        assertThat(counts(done(bob.post("/api/v1/bulk/cancel?client=alice", ""))))
                .isEqualTo("0 0 0 0 0");
        assertThat(counts(done(bob.post("/api/v1/bulk/cancel?blueprint=waiting", ""))))
                .isEqualTo("3 0 3 0 0");
        assertThat(waits(alice, hers.getFirst())).isTrue();
        assertThat(counts(done(operator.post("/api/v1/bulk/cancel?client=alice", ""))))
                .isEqualTo("2 0 2 0 0");
    }

    @Test
    void whatWasDone_isInTheAudit() throws IOException {
        submit(alice, 2);

        done(alice.post("/api/v1/bulk/cancel?label.run=7", ""));

        node.close();
        assertThat(Files.readAllLines(data.resolve("audit.jsonl")))
                .anySatisfy(line ->
                        assertThat(line)
                                .contains(
                                        "\"caller\":\"alice\"",
                                        "\"path\":\"/api/v1/bulk/cancel\"",
                                        "\\\"matched\\\":2,\\\"over\\\":0,\\\"done\\\":2"));
    }

    /// The next refusal for a rate: on a busy machine one more request may have its place meanwhile.
    private static Answer oneTooMany(Callable<Answer> request) {
        return await("too many requests")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(request, answer -> answer.status() == 429);
    }

    /// Trap: with one request a client reaches a thousand jobs, and its rate counts one.
    @Test
    void eachJob_countsAgainstTheRateOfItsClient() {
        var carol = new TestClient(node.uri(), "X-Client-Token", "token-of-carol-0123456");
        var jobs = Collections.nCopies(30, "{\"blueprint\":\"waiting\"}");
        done(carol.post("/api/v1/bulk", "{\"jobs\":[" + String.join(",", jobs) + "]}"));

        var dry = done(carol.post("/api/v1/bulk/cancel?client=carol&dry_run=true", ""));
        var first = done(carol.post("/api/v1/bulk/cancel?client=carol", ""));
        var second = oneTooMany(() -> carol.post("/api/v1/bulk/cancel?client=carol", ""));

        assertThat(counts(dry)).isEqualTo("30 0 0 0 0");
        assertThat(first.number("done").map(JsonNumber::asLong).orElseThrow()).isBetween(1L, 20L);
        assertThat(first.string("next_cursor")).isPresent();
        assertThat(second.object().string("code")).contains("rate_limited");
    }

    @Test
    void eachQuarantinedJob_countsAgainstTheRateOfItsClient() {
        var carol = new TestClient(node.uri(), "X-Client-Token", "token-of-carol-0123456");
        var jobs = Collections.nCopies(30, "{\"blueprint\":\"fragile\"}");
        done(carol.post("/api/v1/bulk", "{\"jobs\":[" + String.join(",", jobs) + "]}"));
        await().until(() -> quarantined().size() == 30);

        var first = done(carol.post("/api/v1/quarantine/discard", "{}"));
        var _ = oneTooMany(() -> carol.post("/api/v1/quarantine/discard", "{}"));

        assertThat(first.number("done").map(JsonNumber::asLong).orElseThrow()).isBetween(1L, 20L);
        assertThat(first.string("next_cursor")).isPresent();
        assertThat(quarantined()).hasSizeBetween(10, 29);
    }

    private List<JsonValue> quarantined() {
        var found = operator.get("/api/v1/quarantine?limit=100");
        return found.object().array("items").orElseThrow().values();
    }

    /// Trap: the tree of one job has thousands, and the rate counts one.
    @Test
    void eachJobOfATree_countsAgainstTheRateOfItsClient() {
        var carol = new TestClient(node.uri(), "X-Client-Token", "token-of-carol-0123456");
        var root = carol.submit("{\"blueprint\":\"with-children\"}");
        await().until(() -> children(root) == CHILDREN);

        var first = done(carol.post("/api/v1/jobs/" + root + "/cancel?tree=true", ""));
        var second = oneTooMany(() -> carol.post("/api/v1/jobs/" + root + "/cancel?tree=true", ""));

        assertThat(first.number("done").map(JsonNumber::asLong).orElseThrow()).isBetween(1L, 20L);
        assertThat(first.string("next_cursor")).isPresent();
        assertThat(second.object().string("code")).contains("rate_limited");
    }

    private long children(String job) {
        var found = operator.get("/api/v1/jobs?limit=100&parent=" + job);
        return found.object().array("items").orElseThrow().values().size();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cancel | Missing filter",
                "cancel?limit=10&dry_run=true | Missing filter",
                "cancel?label.run=7&dry_run=maybe | Invalid dry_run parameter",
                "cancel?label.run=7&dryrun=true | Unknown parameter",
                "cancel?parent=.. | Invalid parent parameter",
                "signals/go?limit=1 | Missing filter",
                "signals/g%20o?label.run=7 | Invalid signal name",
            })
    void whatMakesNoSense_isRefused_andChangesNothing(String path, String error) {
        var job = submit(alice, 1).getFirst();

        var answer = alice.post("/api/v1/bulk/" + path, "{\"id\":\"s-1\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo(error);
        assertThat(waits(alice, job)).isTrue();
    }
}
