package dev.artel.server.blueprints;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.DurableFunction;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.Signal;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.ValueType;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.replay.ReplayCommand;
import dev.artel.server.replay.ReplayFailed;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Functions are checked against the histories of jobs that an orchestrator gives over its API.
final class ReplayTest {
    private static final String LARGE = "x".repeat(200_000);

    private final ArtelNode node =
            ArtelNode.start(
                    TestNodes.CONFIG,
                    Blueprints.of(function(ReplayTest::code)),
                    TestNodes.storage());
    private final TestClient client = TestClient.of(node);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir Path folder;

    @AfterEach
    void stop() {
        node.close();
    }

    private static final BlueprintType<JsonObject, JsonValue> TRIP =
            new BlueprintType<>(
                    "trip", ValueType.of(JsonObject.class), ValueType.of(JsonValue.class));

    private static Blueprint function(DurableFunction<JsonObject, JsonValue> code) {
        return Blueprint.function(TRIP, code);
    }

    private static JsonValue code(Run<JsonObject> run, JsonObject input) {
        var note = run.record("note", String.class, () -> LARGE);
        var drawn = run.call(TaskCall.of("draw", input));
        var paid = run.signal(Signal.of("paid", JsonValue.class));
        return JsonObject.builder()
                .put("drawn", drawn)
                .put("paid", paid)
                .put("note", note.length())
                .build();
    }

    private boolean replay(
            String place, Optional<Path> save, DurableFunction<JsonObject, JsonValue> code) {
        return new ReplayCommand(Blueprints.of(function(code)), new PrintStream(out, true, UTF_8))
                .run(place, node.uri(), node.clientToken(), save);
    }

    private String job() {
        var worker = new TestWorker(node, "anna", "draw");
        var job = client.submit("{\"blueprint\":\"trip\",\"initial_data\":{\"n\":7}}");
        var _ = worker.report(worker.next(), JsonObject.of("n", JsonValue.of(14)));
        await().until(() -> status(job).equals("waiting_for_signal"));
        return job;
    }

    private String status(String job) {
        return client.get("/api/v1/jobs/" + job).object().string("status").orElseThrow();
    }

    @Test
    void codeThatFits_isReplayedToWhereTheJobStands_andToItsEnd() throws Exception {
        var job = job();
        var saved = folder.resolve("job.json");

        assertThat(replay(job, Optional.of(saved), ReplayTest::code)).isTrue();
        assertThat(out.toString(UTF_8))
                .isEqualTo(
                        "fits: trip version 1, job "
                                + job
                                + ": after 3 requests it waits for [signal paid]\n");

        assertThat(
                        client.post(
                                        "/api/v1/jobs/" + job + "/signals/paid",
                                        "{\"id\":\"1\",\"payload\":12}")
                                .status())
                .isBetween(200, 299);
        await().until(() -> status(job).equals("finished"));
        out.reset();
        assertThat(replay(job, Optional.empty(), ReplayTest::code)).isTrue();
        assertThat(out.toString(UTF_8)).contains("after 3 requests it returned");

        // The value is read although the history gives it by its address.
        assertThat(Files.size(saved)).isGreaterThan(LARGE.length());
        assertThat(replay(saved.toString(), Optional.empty(), ReplayTest::code)).isTrue();
    }

    @Test
    void codeThatAsksForSomethingElse_differs_withBothSides() {
        var job = job();

        assertThat(
                        replay(
                                job,
                                Optional.empty(),
                                (run, input) -> run.call(TaskCall.of("paint", input))))
                .isFalse();
        assertThat(out.toString(UTF_8))
                .contains("differs: trip version 1")
                .contains("the history has record 'note', and the code asked for call 'paint'");
    }

    @Test
    void codeThatReturnsSomethingElse_differs() {
        var job = job();
        var _ =
                client.post(
                        "/api/v1/jobs/" + job + "/signals/paid", "{\"id\":\"1\",\"payload\":12}");
        await().until(() -> status(job).equals("finished"));

        assertThat(
                        replay(
                                job,
                                Optional.empty(),
                                (run, input) -> {
                                    var _ = code(run, input);
                                    return new JsonString("something else");
                                }))
                .isFalse();
        assertThat(out.toString(UTF_8)).contains("and the code returns \"something else\"");
    }

    @Test
    void whatCannotBeRead_isReported() throws Exception {
        assertThatThrownBy(() -> replay("no-such-job", Optional.empty(), ReplayTest::code))
                .isInstanceOf(ReplayFailed.class)
                .hasMessageContaining("status 404");
        assertThatThrownBy(() ->
                        new ReplayCommand(Blueprints.of(), System.out)
                                .run("job", URI.create("http://127.0.0.1:1"), "", Optional.empty()))
                .isInstanceOf(ReplayFailed.class)
                .hasMessageContaining("--url sets where it is");
        var broken = Files.writeString(folder.resolve("broken.json"), "{\"items\":[]}");
        assertThatThrownBy(() -> replay(broken.toString(), Optional.empty(), ReplayTest::code))
                .isInstanceOf(ReplayFailed.class)
                .hasMessageContaining("does not begin with job.submitted");
        var job = job();
        assertThatThrownBy(() ->
                        new ReplayCommand(Blueprints.of(), System.out)
                                .run(job, node.uri(), node.clientToken(), Optional.empty()))
                .isInstanceOf(ReplayFailed.class)
                .hasMessageContaining("put its jar into the folder of blueprints");
    }
}
