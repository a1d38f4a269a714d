package dev.artel.server.jobs;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pauses of whole blueprints and clients.
final class StandingPausesTest {
    private static final String TRIP = "/api/v1/admin/pauses/blueprints/trip";

    @TempDir private Path folder;
    private ArtelNode node;
    private TestClient alice;
    private TestClient operator;

    private static Blueprints blueprints() {
        var trip =
                Blueprint.named("trip")
                        .start("begin", _ -> Action.finish(JsonObject.EMPTY))
                        .build();
        var tour =
                Blueprint.named("tour")
                        .start(
                                "begin",
                                _ ->
                                        Action.runBlueprint(
                                                "trip",
                                                JsonObject.EMPTY,
                                                Outcomes.on("finished", "end")))
                        .leadingTo("end")
                        .end("end")
                        .build();
        return Blueprints.of(trip, tour);
    }

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                folder.resolve("clients.toml"), "[alice]\ntoken = \"token-of-alice-0123456\"\n");
        begin();
    }

    private void begin() {
        node = ArtelNode.start(TestNodes.CONFIG.withData(folder), blueprints());
        alice = new TestClient(node.uri(), "X-Client-Token", "token-of-alice-0123456");
        operator = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String submit(String blueprint) {
        return alice.submit("{\"blueprint\":\"" + blueprint + "\"}");
    }

    private String status(String job) {
        return operator.get("/api/v1/jobs/" + job + "?wait=60")
                .object()
                .string("status")
                .orElseThrow();
    }

    @Test
    void aNewJobOfAPausedBlueprint_beginsNothing_alsoAfterARestart_untilItIsResumed() {
        var set = operator.send("PUT", TRIP, "{\"reason\":\"a repair\"}");
        assertThat(set.status()).as(set.text()).isEqualTo(200);
        var again = operator.send("PUT", TRIP, "{\"reason\":\"another one\"}");
        assertThat(again.text()).isEqualTo(set.text());
        node.close();
        begin();

        var job = submit("trip");

        var seen = operator.get("/api/v1/jobs/" + job + "/explain").text();
        assertThat(seen)
                .contains("by client default: blueprint 'trip' is paused: a repair")
                .contains("/api/v1/jobs/" + job + "/resume");
        assertThat(operator.get("/api/v1/jobs/" + job + "/history").text())
                .contains("job.paused")
                .doesNotContain("step.");
        assertThat(operator.get("/api/v1/admin/pauses").object().array("items").orElseThrow())
                .singleElement()
                .satisfies(pause ->
                        assertThat(((JsonObject) pause).string("scope")).contains("blueprint"));

        assertThat(operator.send("DELETE", TRIP, "").text()).isEqualTo("{\"status\":\"removed\"}");
        assertThat(status(submit("trip"))).isEqualTo("finished");
        assertThat(operator.get("/api/v1/jobs/" + job).object().string("status"))
                .contains("pending");
        assertThat(operator.post("/api/v1/bulk/resume?blueprint=trip", "").status()).isEqualTo(200);
        assertThat(status(job)).isEqualTo("finished");
        assertThat(operator.send("DELETE", TRIP, "").text()).contains("pause_not_found");
    }

    @Test
    void aChildOfAPausedBlueprint_beginsPaused_andItsParentWaits() {
        operator.send("PUT", TRIP, "");

        var tour = submit("tour");

        await().until(() ->
                operator.get("/api/v1/jobs?blueprint=trip").text().contains("\"pending\""));
        operator.post("/api/v1/bulk/resume?blueprint=trip", "");
        assertThat(status(tour)).isEqualTo("finished");
    }

    @Test
    void newJobsOfAPausedClient_beginPaused_andThoseOfOthersDoNot() {
        operator.send("PUT", "/api/v1/admin/pauses/clients/alice", "");

        var paused = submit("trip");
        var other = operator.submit("{\"blueprint\":\"trip\"}");

        assertThat(status(other)).isEqualTo("finished");
        assertThat(operator.get("/api/v1/jobs/" + paused).object().has("paused")).isTrue();
    }

    @Test
    void whatCannotBePaused_isRefused() {
        assertThat(operator.send("PUT", "/api/v1/admin/pauses/workers/w1", "").text())
                .contains("invalid_parameter", "blueprints and clients can");
        assertThat(operator.send("PUT", TRIP, "{\"why\":\"x\"}").status()).isEqualTo(400);
        assertThat(alice.send("PUT", TRIP, "").status()).isEqualTo(403);
    }
}
