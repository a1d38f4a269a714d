package dev.artel.server.tasks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.GuardLimits;
import dev.artel.blueprint.NewRun;
import dev.artel.blueprint.Signal;
import dev.artel.blueprint.SignalCall;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.Variable;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.ArtelNode;
import dev.artel.server.LogLines;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is reported of jobs that come near to what their guards allow.
final class GuardWarningsTest {
    private final Storage storage =
            new Storage(new InMemoryEventStore(), new InMemoryPayloadStore(), new InMemoryFleet());
    private final ArtelNode node =
            ArtelNode.start(
                    TestNodes.CONFIG, Blueprints.of(Blueprint.annotated(Meter.class)), storage);
    private final TestClient client = TestClient.of(node);

    /// Goes round with each signal, up to ten states of a run; begins a new run on request.
    @BlueprintDefinition(name = "meter", version = "3", guards = @GuardLimits(transitions = 10))
    static final class Meter {
        private static final Signal<JsonObject> READING = Signal.of("reading", JsonObject.class);
        private static final Variable<Integer> RUNS = Variable.of("runs", Integer.class);

        @StateHandler(value = "wait", start = true, leadsTo = "look")
        SignalCall<JsonObject> await() {
            return SignalCall.of(READING);
        }

        @StateHandler(
                value = "look",
                leadsTo = {"wait", "renew", "end"})
        String look(Step<?> step) {
            var reading = step.signal(READING);
            if (reading.has("last")) {
                return "end";
            }
            return reading.has("anew") ? "renew" : "wait";
        }

        @StateHandler(value = "renew", leadsTo = "wait")
        NewRun renew(Step<?> step) {
            return NewRun.empty().with(RUNS, step.get(RUNS).orElse(0) + 1);
        }

        @StateHandler("end")
        JsonObject end(Step<?> step) {
            return JsonObject.builder()
                    .put("runs", step.get(RUNS).orElse(0))
                    .put("version", step.version())
                    .put("kept", step.data().has("forgotten"))
                    .build();
        }
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private void read(String job, int number, String reading) {
        await().until(() -> look(job).string("status").orElse("").equals("waiting_for_signal"));
        client.post(
                "/api/v1/jobs/" + job + "/signals/reading",
                "{\"id\":\"" + number + "\",\"payload\":{" + reading + "}}");
        await().until(() ->
                !look(job).string("status").orElse("").equals("waiting_for_signal")
                        || look(job).object("signals").isEmpty());
    }

    private JsonObject look(String job) {
        return client.get("/api/v1/jobs/" + job).object();
    }

    private List<JsonValue> warnings(String path) {
        return client.get(path).object().array("warnings").map(it -> it.values()).orElse(List.of());
    }

    /// Trap: the first word of a limit is that it has stopped a job.
    @Test
    void fourFifthsOfAGuard_areReportedInTheLogTheDocumentTheExplanationAndAFigure() {
        try (var log = LogLines.of("dev.artel.server.api.jobs.GuardWarnings")) {
            var job = client.submit("{\"blueprint\":\"meter\"}");
            for (var i = 0; i < 3; i++) {
                read(job, i, "");
            }
            assertThat(warnings("/api/v1/jobs/" + job)).isEmpty();

            read(job, 3, "");

            await().untilAsserted(() ->
                    assertThat(warnings("/api/v1/jobs/" + job))
                            .singleElement()
                            .satisfies(warning -> {
                                var shown = (JsonObject) warning;
                                assertThat(shown.string("guard")).contains("transitions");
                                assertThat(shown.string("text"))
                                        .contains(
                                                "it has entered 9 of 10 states that its blueprint"
                                                        + " allows");
                                assertThat(shown.string("advice").orElseThrow())
                                        .contains("continueAsNew")
                                        .contains("withTransitions");
                            }));
            assertThat(warnings("/api/v1/jobs/" + job + "/explain")).hasSize(1);
            // The document may be ahead of the observers that count and log.
            await().untilAsserted(() ->
                    assertThat(client.get("/metrics").text())
                            .contains(
                                    "artel_guards_nearly_spent_total{guard=\"transitions\"} 1.0"));
            await("the line of the log").until(() -> !log.texts().isEmpty());
            assertThat(log.texts())
                    .singleElement()
                    .satisfies(line ->
                            assertThat(line)
                                    .contains("a job has nearly used up what its guards allow")
                                    .contains(job)
                                    .contains("continueAsNew"));
        }
    }

    @Test
    void anAnnotatedLoop_thatContinuesAsNew_isNeverStoppedByItsGuards_andKnowsItsVersion() {
        var job = client.submit("{\"blueprint\":\"meter\"}");

        for (var i = 0; i < 12; i++) {
            read(job, i, "\"anew\":true,\"forgotten\":1");
        }
        assertThat(warnings("/api/v1/jobs/" + job)).isEmpty();
        read(job, 99, "\"last\":true");

        var ended = client.get("/api/v1/jobs/" + job + "?wait=60").object();
        assertThat(ended.string("status")).contains("finished");
        assertThat(ended.number("continued")).contains(JsonNumber.of(12));
        assertThat(ended.object("result").orElseThrow())
                .isEqualTo(
                        JsonObject.builder()
                                .put("runs", 12)
                                .put("version", "3")
                                .put("kept", false)
                                .build());
    }
}
