package dev.artel.server.blueprints;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.maintenance.Doctor;
import dev.artel.maintenance.Finding;
import dev.artel.server.ArtelNode;
import dev.artel.server.LogLines;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.StartChecks;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An orchestrator that is started without the definitions of open jobs, and then with them: nothing has come of it.
final class MissingDefinitionTest {
    private final Storage storage =
            new Storage(new InMemoryEventStore(), new InMemoryPayloadStore(), new InMemoryFleet());
    private final AtomicInteger billed = new AtomicInteger();
    private ArtelNode node = ArtelNode.start(TestNodes.CONFIG, Blueprints.of(child()), storage);
    private TestClient client = TestClient.of(node);

    private void startWith(Blueprint... blueprints) {
        stop();
        node = ArtelNode.start(TestNodes.CONFIG, Blueprints.of(blueprints), storage);
        client = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private Blueprint invoice() {
        return Blueprint.named("invoice")
                .start(
                        "ask",
                        _ ->
                                Action.awaitApproval(
                                        "Send it?",
                                        Outcomes.on("yes", "bill").and("no", "dropped")))
                .leadingTo("bill", "dropped")
                .state(
                        "bill",
                        _ -> {
                            billed.incrementAndGet();
                            return Action.finish(JsonObject.EMPTY);
                        })
                .end("dropped")
                .build();
    }

    private static Blueprint forking() {
        return Blueprint.named("forking")
                .start("fork", _ -> Action.fork(List.of("wait"), "joined").otherwise("otherwise"))
                .leadingTo("wait", "joined", "otherwise")
                .state("wait", _ -> Action.awaitSignal("go", "gone"))
                .leadingTo("gone")
                .state("gone", _ -> Action.endBranch())
                .end("joined")
                .failedEnd("otherwise")
                .build();
    }

    private static Blueprint parent() {
        return Blueprint.named("parent")
                .start(
                        "run",
                        _ ->
                                Action.runBlueprint(
                                        "child",
                                        JsonObject.EMPTY,
                                        Outcomes.on(Outcomes.FINISHED, "good")
                                                .and(Outcomes.FAILED, "bad")))
                .leadingTo("good", "bad")
                .end("good")
                .failedEnd("bad")
                .build();
    }

    /// Starts a child whose name is mistyped.
    private static Blueprint hasty() {
        return Blueprint.named("hasty")
                .start(
                        "run",
                        _ ->
                                Action.runBlueprint(
                                        "chlid",
                                        JsonObject.EMPTY,
                                        Outcomes.on(Outcomes.FINISHED, "good")))
                .leadingTo("good")
                .end("good")
                .build();
    }

    private static Blueprint child() {
        return Blueprint.named("child").start("one", _ -> Action.finish(JsonObject.EMPTY)).build();
    }

    /// Trap: a name that is mistyped is no error, and the job waits for days until somebody wonders.
    @Test
    void aMistypedChild_isFoundAtOnce_inTheLogTheReadinessAndTheExplanation() {
        try (var log = LogLines.of("dev.artel.engine.shell.MissingDefinitions")) {
            startWith(hasty(), child());

            var job = submit("hasty");

            var why = "there is no blueprint 'chlid', did you mean 'child'?";
            await().untilAsserted(() ->
                    assertThat(definitionWait(job).string("text").orElseThrow()).contains(why));
            assertThat(definitionWait(job).string("unblock").orElseThrow()).contains("mistyped");
            await().untilAsserted(() -> {
                assertThat(client.get("/readyz").text()).contains("jobs are held: " + why);
                assertThat(log.texts())
                        .anySatisfy(line ->
                                assertThat(line)
                                        .contains("a child cannot start")
                                        .contains(job)
                                        .contains(why));
            });
            assertThat(status(job)).isEqualTo("waiting_for_sub_job");
        }
    }

    @Test
    void theDoctor_saysOfAMistypedChild_whatWasMeant_andWhatToDo(@TempDir Path folder) {
        var config = TestNodes.CONFIG.withData(folder.resolve("data"));
        try (var durable = ArtelNode.start(config, Blueprints.of(hasty(), child()))) {
            var running = config.withPort(durable.port());
            assertThat(definitions(running))
                    .isEqualTo(
                            new Finding(
                                    Finding.Level.OK,
                                    "definitions",
                                    "those of all open jobs are there"));

            var _ = TestClient.of(durable).submit("{\"blueprint\":\"hasty\"}");

            await().untilAsserted(() ->
                    assertThat(definitions(running))
                            .isEqualTo(
                                    new Finding(
                                            Finding.Level.WARN,
                                            "definitions",
                                            "1 of open jobs are missing, 1 jobs are held (jobs are held:"
                                                    + " there is no blueprint 'chlid', did you mean"
                                                    + " 'child'?; there are [child, hasty]); lines 'the definition of open jobs is"
                                                    + " missing' and 'a child cannot start' of the log"
                                                    + " name the jobs: put their jars back and start"
                                                    + " the orchestrator again, or correct a mistyped"
                                                    + " name and rewind the job")));
        }
    }

    private static Finding definitions(ServerConfig config) {
        return Doctor.look(config, Instant.now(), new StartChecks(config)).stream()
                .filter(finding -> finding.about().equals("definitions"))
                .findFirst()
                .orElseThrow();
    }

    private String submit(String blueprint) {
        return client.submit("{\"blueprint\":\"" + blueprint + "\"}");
    }

    private String status(String job) {
        return client.get("/api/v1/jobs/" + job).object().string("status").orElseThrow();
    }

    private void awaitStatus(String job, String status) {
        await().untilAsserted(() -> assertThat(status(job)).isEqualTo(status));
    }

    private JsonObject definitionWait(String job) {
        var explained = client.get("/api/v1/jobs/" + job + "/explain").object();
        assertThat(explained.array("waits").orElse(JsonArray.EMPTY))
                .as(explained.toString())
                .anyMatch(wait -> ((JsonObject) wait).string("for").equals(of("definition")));
        return explained.array("waits").orElseThrow().values().stream()
                .map(JsonObject.class::cast)
                .filter(wait -> wait.string("for").equals(of("definition")))
                .findFirst()
                .orElseThrow();
    }

    private static Optional<String> of(String text) {
        return Optional.of(text);
    }

    private String figure(String name) {
        return client.get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .findFirst()
                .orElse("");
    }

    /// Trap: what is decided meanwhile sends the job into quarantine, with the advice to submit it again: which bills twice.
    @Test
    void whatIsDecidedMeanwhile_goesOnWhenTheDefinitionIsBack() {
        startWith(invoice());
        var job = submit("invoice");
        awaitStatus(job, "waiting_for_human");

        startWith(child());
        await().untilAsserted(() -> {
            assertThat(definitionWait(job).string("text").orElseThrow())
                    .contains("what it does next will be held: there is no blueprint 'invoice'");
            assertThat(client.get("/readyz").text()).contains("\"missing_definitions\":1");
        });
        var approval = (JsonObject) client.get("/api/v1/jobs/" + job + "/approvals").items().get(0);
        var number = approval.number("approval").orElseThrow();
        client.post("/api/v1/jobs/" + job + "/approvals/" + number, "{\"decision\":\"yes\"}");

        awaitStatus(job, "running");
        await().untilAsserted(() -> {
            var held = definitionWait(job);
            assertThat(held.string("text").orElseThrow())
                    .contains(
                            "the handler of state bill of branch 0 is held: there is no blueprint");
            assertThat(held.string("unblock").orElseThrow())
                    .contains("put the jar with version 1 of blueprint 'invoice' back")
                    .doesNotContain("submit");
            assertThat(figure("artel_jobs_held")).endsWith(" 1.0");
            assertThat(figure("artel_definitions_missing")).endsWith(" 1.0");
        });

        startWith(invoice());
        awaitStatus(job, "finished");
        assertThat(billed).hasValue(1);
        await().untilAsserted(
                        () -> assertThat(client.get("/readyz").text()).doesNotContain("missing"));
    }

    /// Trap: a branch whose handler cannot be found has failed, and its job takes the way for failures.
    @Test
    void aBranchThatGoesOnMeanwhile_isHeld_andItsJobDoesNotTakeTheOtherWay() {
        startWith(forking());
        var job = submit("forking");
        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                        .contains("signal.awaited"));

        startWith(child());
        client.post("/api/v1/jobs/" + job + "/signals/go", "{\"id\":\"1\"}");
        await().untilAsserted(() -> assertThat(figure("artel_jobs_held")).endsWith(" 1.0"));

        node.engine().blueprints().register(forking());
        awaitStatus(job, "finished");
        await().untilAsserted(() -> assertThat(figure("artel_jobs_held")).endsWith(" 0.0"));
    }

    /// Trap: a child whose definition is missing is refused, and its parent fails for good.
    @Test
    void aChildWhoseDefinitionIsMissing_startsWhenItComes() {
        startWith(parent());
        var job = submit("parent");
        await().untilAsserted(() -> assertThat(figure("artel_jobs_held")).endsWith(" 1.0"));
        assertThat(status(job)).isEqualTo("waiting_for_sub_job");
        assertThat(definitionWait(job).string("text").orElseThrow())
                .contains("whose start is held: there is no blueprint 'child'");

        node.engine().blueprints().register(child());

        awaitStatus(job, "finished");
    }

    /// Trap: a job that is cancelled waits for a child that nobody can start.
    @Test
    void aJobWhoseChildIsHeld_canBeCancelled() {
        startWith(parent());
        var job = submit("parent");
        await().untilAsserted(() -> assertThat(figure("artel_jobs_held")).endsWith(" 1.0"));

        client.post("/api/v1/jobs/" + job + "/cancel", "");

        awaitStatus(job, "cancelled");
        await().untilAsserted(() -> assertThat(figure("artel_jobs_held")).endsWith(" 0.0"));
    }

    /// Trap: the version that a job began with is gone, and it goes on in another one, or not at all.
    @Test
    void aStateThatIsNotInTheVersionAnyMore_isHeld() {
        startWith(invoice());
        var job = submit("invoice");
        awaitStatus(job, "waiting_for_human");
        var other =
                Blueprint.named("invoice")
                        .start("ask", _ -> Action.finish(JsonObject.EMPTY))
                        .build();

        startWith(other);
        var approval = (JsonObject) client.get("/api/v1/jobs/" + job + "/approvals").items().get(0);
        var number = approval.number("approval").orElseThrow();
        client.post("/api/v1/jobs/" + job + "/approvals/" + number, "{\"decision\":\"yes\"}");

        await().untilAsserted(() ->
                assertThat(definitionWait(job).string("text").orElseThrow())
                        .contains("state 'bill' is not in version 1 of blueprint 'invoice'"));
        assertThat(status(job)).isEqualTo("running");
    }
}
