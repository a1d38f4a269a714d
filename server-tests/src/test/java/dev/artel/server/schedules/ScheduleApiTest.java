package dev.artel.server.schedules;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Schedules over the API, on the store of a data folder.
final class ScheduleApiTest {
    private static final String NIGHTLY = "/api/v1/schedules/nightly";

    @TempDir private Path folder;
    private ArtelNode node;
    private TestClient alice;
    private TestClient bob;
    private TestClient operator;

    record Bill(int amount) {}

    private static Blueprints blueprints() {
        return Blueprints.of(
                Blueprint.named("bill")
                        .initialData(Bill.class)
                        .start("begin", step -> Action.finish(step.initialData()))
                        .build(),
                Blueprint.named("report")
                        .start("begin", step -> Action.finish(step.initialData()))
                        .build(),
                Blueprint.named("hold")
                        .start("begin", _ -> Action.awaitSignal("go", "end"))
                        .leadingTo("end")
                        .end("end")
                        .build());
    }

    @BeforeEach
    void start() throws IOException {
        AliceAndBob.writeTo(folder);
        begin();
    }

    private void begin() {
        node = ArtelNode.start(TestNodes.CONFIG.withData(folder), blueprints());
        alice = AliceAndBob.alice(node);
        bob = AliceAndBob.bob(node);
        operator = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private static Answer put(TestClient client, String name, String body) {
        var answer = client.send("PUT", "/api/v1/schedules/" + name, body);
        assertThat(answer.status()).as(answer.text()).isIn(200, 201);
        return answer;
    }

    private static String text(JsonObject object, String name) {
        return object.string(name).orElseThrow();
    }

    private static List<JsonObject> runs(TestClient client, String name) {
        return client.get("/api/v1/schedules/" + name + "/runs?limit=1000").items().stream()
                .map(run -> (JsonObject) run)
                .toList();
    }

    @Test
    void aSchedule_isWrittenShownListedAndDeleted() {
        var written =
                alice.send(
                        "PUT",
                        NIGHTLY,
                        """
                        {"blueprint":"report","input":{"of":"today"},"timing":{"cron":"30 2 * * *","zone":"Europe/Berlin"},
                         "labels":{"team":"billing"},"overlap":"queue","jitter_seconds":10}
                        """);
        assertThat(written.status()).as(written.text()).isEqualTo(201);
        var shown = alice.get(NIGHTLY).object();
        assertThat(shown).isEqualTo(written.object());
        assertThat(text(shown, "client")).isEqualTo("alice");
        assertThat(text(shown, "created_by")).isEqualTo("client alice");
        assertThat(shown.array("next").orElseThrow().size()).isEqualTo(5);
        assertThat(text(shown, "explanation")).startsWith("The next run is at ");
        assertThat(alice.get("/api/v1/schedules").items().size()).isEqualTo(1);
        assertThat(alice.get(NIGHTLY + "/next?limit=100").items().size()).isEqualTo(100);

        assertThat(alice.method("DELETE", NIGHTLY).status()).isEqualTo(200);
        assertThat(alice.get(NIGHTLY).text()).contains("schedule_not_found");
    }

    @Test
    void aClient_seesItsOwn_andOperatorsAll() {
        put(alice, "nightly", "{\"blueprint\":\"report\",\"timing\":{\"every_seconds\":3600}}");
        put(
                operator,
                "of-bob",
                "{\"blueprint\":\"report\",\"client\":\"bob\",\"timing\":{\"every_seconds\":3600}}");

        assertThat(bob.get(NIGHTLY).status()).isEqualTo(404);
        assertThat(bob.get("/api/v1/schedules").text())
                .contains("of-bob")
                .doesNotContain("nightly");
        assertThat(operator.get("/api/v1/schedules").items().size()).isEqualTo(2);
        for (var act : List.of("/pause", "/resume", "/run", "/backfill")) {
            assertThat(bob.post(NIGHTLY + act, "{\"from\":\"x\"}").status()).as(act).isIn(400, 404);
        }
        assertThat(bob.method("DELETE", NIGHTLY).status()).isEqualTo(404);
        var taken =
                bob.send(
                        "PUT",
                        NIGHTLY,
                        "{\"blueprint\":\"report\",\"timing\":{\"every_seconds\":60}}");
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.text()).contains("schedule_taken");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    "timing":{"every_seconds":60}                                           | blueprint is missing
                    "blueprint":"report","timing":{"cron":"0 6 31W * *"}                    | at character 5, the day of the month '31W': W takes days up to 28
                    "blueprint":"report"                                                    | the timing is missing
                    "blueprint":"report","timing":{"cron":"0 25 * * *"}                     | at character 3, the hour '25'
                    "blueprint":"report","timing":{"cron":"0 5 * * *","zone":"Europe/Berln"} | did you mean Europe/Berlin?
                    "blueprint":"report","timing":{"cron":"0 5 * * *","every_seconds":5}    | the timing is one of [cron, every_seconds]; keep one of them
                    "blueprint":"report","timing":{"at":"2020-01-01T00:00:00Z"}             | at must be in the future
                    "blueprint":"report","timing":{"at":"tomorrow"}                         | at must be an instant
                    "blueprint":"report","timing":{"every_seconds":0}                       | every_seconds must be a whole number from 1
                    "blueprint":"report","timing":{"at":"2999-01-01T00:00:00Z","zone":"UTC"} | zone belongs to [cron
                    "blueprint":"report","timing":{"every_seconds":60},"overlab":"skip"     | unknown field overlab; did you mean overlap?
                    "blueprint":"report","timing":{"every_seconds":60},"overlap":"skipp"    | overlap must be one of skip, queue, cancel_old, allow, was 'skipp'; did you mean skip?
                    "blueprint":"report","timing":{"every_seconds":60},"catch_up":3         | catch_up must be a string
                    "blueprint":"report","timing":{"every_seconds":60},"jitter_seconds":9999 | jitter_seconds must be from 0 to 3600
                    "blueprint":"report","timing":{"every_seconds":60},"labels":{"schedule":"x"} | is set for each job by the schedule
                    "blueprint":"report","timing":{"every_seconds":60},"client":"bob"       | only operators write schedules for others
                    "blueprint":"report","timing":{"every_seconds":60},"starts_at":"2030-01-02T00:00:00Z","ends_at":"2030-01-01T00:00:00Z" | ends_at must be after starts_at
                    """)
    void aScheduleThatCannotBe_isRefusedWithTheReason(String fields, String reason) {
        var answer = alice.send("PUT", NIGHTLY, "{" + fields + "}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).contains(reason);
        assertThat(alice.get(NIGHTLY).status()).isEqualTo(404);
    }

    /// Trap: each unknown field repeats the list of all that are known.
    @Test
    void manyUnknownFields_areNamedUpToTwenty() {
        var fields =
                IntStream.range(0, 5_000)
                        .mapToObj("\"f%d\":1"::formatted)
                        .collect(Collectors.joining(","));

        var answer = alice.send("PUT", NIGHTLY, "{" + fields + "}");

        assertThat(answer.detail())
                .contains("unknown field f19")
                .contains("there are 4980 more unknown fields")
                .hasSizeLessThan(3_000);
    }

    @Test
    void tooManyLabels_areNotLookedAtOneByOne() {
        var labels =
                IntStream.range(0, 5_000)
                        .mapToObj("\"l%d\":1"::formatted)
                        .collect(Collectors.joining(","));

        var answer = alice.send("PUT", NIGHTLY, "{\"labels\":{" + labels + "}}");

        assertThat(answer.detail())
                .contains("labels must have at most 48, had 5000")
                .hasSizeLessThan(1_000);
    }

    @Test
    void oddRequests_areRefused() {
        assertThat(alice.send("PUT", "/api/v1/schedules/a%20b", "{}").status()).isEqualTo(400);
        assertThat(alice.get("/api/v1/schedules?limt=3").text())
                .contains("unknown_parameter")
                .contains("did you mean limit?");
        put(alice, "nightly", "{\"blueprint\":\"report\",\"timing\":{\"every_seconds\":3600}}");
        assertThat(alice.get(NIGHTLY + "/next?limit=0").status()).isEqualTo(400);
        for (var place : List.of("tomorrow", Instant.MAX.toString(), "+20000000-01-01T00:00:00Z")) {
            var cursor =
                    Base64.getUrlEncoder()
                            .encodeToString(
                                    ("next of nightly:" + place).getBytes(StandardCharsets.UTF_8));
            assertThat(alice.get(NIGHTLY + "/next?cursor=" + cursor).text())
                    .contains("invalid_cursor");
        }
        assertThat(alice.post(NIGHTLY + "/pause", "{\"reason\":7}").status()).isEqualTo(400);
        assertThat(
                        alice.post(NIGHTLY + "/backfill", "{\"from\":\"2026-01-01T00:00:00Z\"}")
                                .detail())
                .contains("until must be an instant");
        assertThat(
                        alice.post(
                                        NIGHTLY + "/backfill",
                                        "{\"from\":\"2026-01-01T00:00:00Z\",\"until\":\"2999-01-01T00:00:00Z\"}")
                                .detail())
                .contains("until must not be in the future");
    }

    @Test
    void aTick_beginsAJob_ofItsClient_withItsInputAndLabels() {
        put(
                alice,
                "often",
                "{\"blueprint\":\"report\",\"input\":{\"n\":\"${tick}\"},\"labels\":{\"team\":\"a\"},\"timing\":{\"every_seconds\":1}}");

        await().until(() ->
                !alice.get("/api/v1/jobs?label.schedule=often").items().values().isEmpty());

        var row = (JsonObject) alice.get("/api/v1/jobs?label.schedule=often").items().get(0);
        var job = alice.get("/api/v1/jobs/" + text(row, "id") + "?wait=60").object();
        var labels = job.object("labels").orElseThrow();
        assertThat(job.object("initial_data"))
                .contains(JsonObject.of("n", labels.get("schedule_tick").orElseThrow()));
        assertThat(text(labels, "team")).isEqualTo("a");
        assertThat(Instant.parse(text(labels, "schedule_tick"))).isBefore(Instant.now());
    }

    @Test
    void afterARestart_eachTickHasOneJob_andTheHistoryIsThere() {
        var often =
                "\"blueprint\":\"report\",\"overlap\":\"allow\",\"catch_up\":\"all\",\"timing\":{\"every_seconds\":1}";
        put(alice, "often", "{" + often + "}");
        for (var restarts = 0; restarts < 3; restarts++) {
            var before = runs(alice, "often").size();
            await().until(() -> runs(alice, "often").size() > before);
            node.close();
            begin();
        }
        await().until(() -> runs(alice, "often").size() >= 6);
        var end = Instant.now();
        put(alice, "often", "{" + often + ",\"ends_at\":\"" + end + "\"}");
        // What is due goes on until its job is there; in a pause it would wait.
        await("each tick has its run, and each run its job")
                .until(() -> {
                    var due = runs(alice, "often");
                    var first = Instant.parse(text(due.getLast(), "tick"));
                    return due.size() > Duration.between(first, end).toSeconds()
                            && due.stream().allMatch(run -> run.has("job_id"));
                });
        alice.post("/api/v1/schedules/often/pause", "{\"reason\":\"enough\"}");
        node.close();
        begin();

        var runs = runs(alice, "often");
        var ticks = runs.stream().map(run -> Instant.parse(text(run, "tick"))).toList();
        for (var i = 1; i < ticks.size(); i++) {
            assertThat(Duration.between(ticks.get(i), ticks.get(i - 1)))
                    .isEqualTo(Duration.ofSeconds(1));
        }
        var jobs = runs.stream().map(run -> text(run, "job_id")).toList();
        assertThat(new HashSet<>(jobs)).hasSameSizeAs(jobs);
        assertThat(alice.get("/api/v1/jobs?limit=1000").items().size()).isEqualTo(jobs.size());
        assertThat(text(alice.get("/api/v1/schedules/often").object(), "explanation"))
                .startsWith("Nothing runs: client alice paused it at ")
                .endsWith(": enough.");
    }

    @Test
    void aTickThatMeetsAJob_isSkipped_andTheReasonNamesTheJob() {
        put(alice, "often", "{\"blueprint\":\"hold\",\"timing\":{\"every_seconds\":1}}");

        await().untilAsserted(() -> {
            var runs = runs(alice, "often").reversed();
            assertThat(runs).hasSizeGreaterThanOrEqualTo(2);
            assertThat(text(runs.getFirst(), "status")).isEqualTo("submitted");
            assertThat(text(runs.getFirst(), "job_status"))
                    .isIn("running", "waiting", "waiting_for_signal");
            assertThat(runs.subList(1, runs.size()))
                    .anySatisfy(run ->
                            assertThat(text(run, "reason"))
                                    .contains(text(runs.getFirst(), "job_id"))
                                    .contains("has not ended (overlap skip)"));
        });
        assertThat(operator.get("/metrics").text())
                .contains("artel_schedule_runs_total{outcome=\"submitted\"} 1.0")
                .contains("artel_schedules_active 1.0");
    }

    /// Trap: the schedule learns of the end of a job at its next tick only, which may be tonight.
    @Test
    void theExplanation_namesAJob_onlyUntilItEnds() {
        put(alice, "nightly", "{\"blueprint\":\"hold\",\"timing\":{\"cron\":\"0 3 1 1 *\"}}");
        var job = text(alice.post(NIGHTLY + "/run", "").object(), "job_id");
        assertThat(text(alice.get(NIGHTLY).object(), "explanation"))
                .contains(" Job " + job + " of ")
                .endsWith(" has not ended.");

        alice.post("/api/v1/jobs/" + job + "/signals/go", "{\"id\":\"1\"}");

        await().untilAsserted(() ->
                assertThat(text(alice.get(NIGHTLY).object(), "explanation"))
                        .startsWith("The next run is at ")
                        .doesNotContain(job));
    }

    @Test
    void withQueue_theNextRunBeginsWhenTheJobEnds() {
        put(
                alice,
                "often",
                "{\"blueprint\":\"hold\",\"overlap\":\"queue\",\"timing\":{\"every_seconds\":1}}");
        await().until(() -> {
            var runs = runs(alice, "often");
            return runs.size() >= 3 && runs.getLast().has("job_id");
        });
        var first = text(runs(alice, "often").getLast(), "job_id");

        assertThat(alice.post("/api/v1/jobs/" + first + "/signals/go", "{\"id\":\"1\"}").status())
                .isBetween(200, 299);

        await().until(() ->
                runs(alice, "often").stream()
                                .filter(run -> text(run, "status").equals("submitted"))
                                .map(run -> text(run, "job_id"))
                                .filter(job -> !job.equals(first))
                                .count()
                        == 1);
    }

    @Test
    void runningAtOnce_pausesAndBackfills_areDone() {
        put(alice, "nightly", "{\"blueprint\":\"report\",\"timing\":{\"cron\":\"0 * * * *\"}}");
        alice.post(NIGHTLY + "/pause", "");
        var run = alice.post(NIGHTLY + "/run", "", "Idempotency-Key", "k-1");
        assertThat(
                        alice.post(NIGHTLY + "/run", "", "Idempotency-Key", "k-1")
                                .object()
                                .get("job_id"))
                .isEqualTo(run.object().get("job_id"));
        assertThat(run.status()).as(run.text()).isEqualTo(202);
        assertThat(text(run.object(), "kind")).isEqualTo("manual");
        assertThat(text(run.object(), "by")).isEqualTo("client alice");
        alice.get("/api/v1/jobs/" + text(run.object(), "job_id") + "?wait=60");

        var until = Instant.now().truncatedTo(ChronoUnit.HOURS);
        var backfill =
                alice.post(
                        NIGHTLY + "/backfill",
                        "{\"from\":\""
                                + until.minus(Duration.ofHours(4))
                                + "\",\"until\":\""
                                + until
                                + "\",\"together\":true}");
        assertThat(backfill.status()).as(backfill.text()).isEqualTo(202);
        assertThat(alice.post(NIGHTLY + "/resume", "").status()).isEqualTo(200);

        await().until(() ->
                runs(alice, "nightly").stream()
                                .filter(it -> text(it, "kind").equals("backfill"))
                                .filter(it -> it.has("job_id"))
                                .count()
                        == 5);
    }

    @Test
    void aClientWritesSoManySchedules_andOthersHaveRoom() {
        var body =
                "{\"blueprint\":\"report\",\"timing\":{\"cron\":\"0 3 1 1 *\"},\"client\":\"alice\"}";
        for (var i = 0; i < 100; i++) {
            put(alice, "of-alice-" + i, body);
        }

        var refused = alice.send("PUT", NIGHTLY, body);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text())
                .contains("too_many_schedules")
                .contains("client 'alice' has 100 schedules");
        put(alice, "of-alice-7", body.replace("0 3", "0 4"));
        put(bob, "of-bob", body.replace("alice", "bob"));
        put(operator, "nightly", body);
    }

    /// Trap: a schedule of 255 KB takes several megabytes, and a client may have a hundred of them.
    @Test
    void schedulesWhoseInputsTakeTooMuchMemory_areRefused() {
        var input = "[" + "{\"a\":1},".repeat(25_000) + "{\"a\":1}]";
        var body =
                "{\"blueprint\":\"report\",\"timing\":{\"cron\":\"0 3 1 1 *\"},\"client\":\"alice\",\"input\":"
                        + input
                        + "}";
        var most = Runtime.getRuntime().maxMemory() / 64 / (25_000 * 120) + 2;

        var answer = alice.send("PUT", "/api/v1/schedules/large-0", body);
        for (var i = 1; i <= most && answer.status() < 300; i++) {
            answer = alice.send("PUT", "/api/v1/schedules/large-" + i, body);
        }

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.detail()).contains("KiB of memory", "other schedules of client 'alice'");
        put(alice, "small", body.replace(input, "[]"));
        put(bob, "of-bob", body.replace("alice", "bob"));
    }

    @Test
    void runsThatWaitForTheirSubmission_areBounded() {
        put(alice, "nightly", "{\"blueprint\":\"missing\",\"timing\":{\"cron\":\"0 3 1 1 *\"}}");
        for (var i = 0; i < 20; i++) {
            assertThat(alice.post(NIGHTLY + "/run", "").status()).isEqualTo(202);
        }

        var refused = alice.post(NIGHTLY + "/run", "");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("too_many_runs");
    }

    @Test
    void aSubmissionThatIsRefused_isShown_andTriedAgain() {
        put(alice, "nightly", "{\"blueprint\":\"missing\",\"timing\":{\"cron\":\"0 3 * * *\"}}");
        assertThat(text(alice.get(NIGHTLY).object(), "explanation"))
                .contains("will be refused: there is no blueprint 'missing'");

        var run = alice.post(NIGHTLY + "/run", "").object();

        assertThat(text(run, "status")).isEqualTo("due");
        assertThat(text(run, "error")).contains("missing");
        assertThat(text(alice.get(NIGHTLY).object(), "explanation"))
                .containsPattern("was refused (once|\\d+ times) and is tried again at ");
    }

    /// Trap: an input that no run can have is accepted, and each tick is refused.
    @Test
    void anInputThatDoesNotFit_isNamedWhenTheScheduleIsWritten() {
        var body =
                "{\"blueprint\":\"bill\",\"input\":{\"amount\":%s},\"timing\":{\"cron\":\"0 3 * * *\"}}";

        var written = put(alice, "nightly", body.formatted("\"much\"")).object();

        assertThat(text(written, "explanation"))
                .contains(
                        "will be refused: its input does not fit blueprint 'bill': initial_data.amount");
        assertThat(text(alice.get(NIGHTLY).object(), "explanation"))
                .isEqualTo(text(written, "explanation"));
        assertThat(text(put(alice, "nightly", body.formatted("7")).object(), "explanation"))
                .startsWith("The next run is at ");
    }

    @Test
    void writingAgain_keepsTheIdentity_andTheSameChangesNothing() {
        var first =
                put(
                                alice,
                                "nightly",
                                "{\"blueprint\":\"report\",\"timing\":{\"every_seconds\":3600}}")
                        .object();
        var same =
                put(
                                alice,
                                "nightly",
                                "{\"blueprint\":\"report\",\"timing\":{\"every_seconds\":3600}}")
                        .object();
        var other =
                put(
                                alice,
                                "nightly",
                                "{\"blueprint\":\"hold\",\"timing\":{\"every_seconds\":3600}}")
                        .object();

        assertThat(same.get("revision")).isEqualTo(first.get("revision"));
        assertThat(same.get("timing")).isEqualTo(first.get("timing"));
        assertThat(other.get("revision")).contains(JsonValue.of(2));
        assertThat(other.get("next")).isEqualTo(first.get("next"));
        // What is shown can be written.
        var body = JsonObject.builder();
        for (var name : List.of("blueprint", "client", "input", "timing", "labels", "overlap")) {
            body.put(name, other.get(name).orElseThrow());
        }
        assertThat(put(alice, "nightly", body.build().toString()).object().get("revision"))
                .contains(JsonValue.of(2));
    }
}
