package dev.artel.server.blueprints;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import org.junit.jupiter.api.Test;

/// Blueprints that are not there any more, or there twice.
final class LostBlueprintTest {
    @Test
    void aJobWhoseBlueprintIsGone_isHeld_andSaysWhichThereAre() {
        var storage =
                new Storage(
                        new InMemoryEventStore(), new InMemoryPayloadStore(), new InMemoryFleet());
        String id;
        JsonObject task;
        try (var node = ArtelNode.start(TestNodes.CONFIG, SampleBlueprints.all(), storage)) {
            id = TestClient.of(node).submit("{\"blueprint\":\"chain3\"}");
            task = new TestWorker(node, "w1", "noop").next();
        }
        var others = Blueprints.of(SampleBlueprints.echo());
        try (var node = ArtelNode.start(TestNodes.CONFIG, others, storage)) {
            TestWorker.fromBefore(node, "w1").report(task, JsonObject.EMPTY);

            await().untilAsserted(() -> {
                var why = TestClient.of(node).get("/api/v1/jobs/" + id + "/explain").text();
                assertThat(why)
                        .contains("is held: there is no blueprint 'chain3'; there are [echo]");
            });
        }
    }

    @Test
    void aJobWhoseBlueprintIsGone_cannotBeForked_whichSaysWhatIsMissing() {
        var storage =
                new Storage(
                        new InMemoryEventStore(), new InMemoryPayloadStore(), new InMemoryFleet());
        String id;
        try (var node = ArtelNode.start(TestNodes.CONFIG, SampleBlueprints.all(), storage)) {
            id = TestClient.of(node).submit("{\"blueprint\":\"echo\"}");
        }
        var others =
                Blueprints.of(
                        Blueprint.named("other")
                                .start("end", _ -> Action.finish(JsonObject.EMPTY))
                                .build());
        try (var node = ArtelNode.start(TestNodes.CONFIG, others, storage)) {
            var client = TestClient.of(node);
            var state =
                    client.get("/api/v1/jobs/" + id).object().string("current_state").orElseThrow();

            var answer =
                    client.post("/api/v1/jobs/" + id + "/fork", "{\"state\":\"" + state + "\"}");

            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.object().string("detail").orElseThrow())
                    .startsWith(
                            "job " + id + " cannot be forked in state '" + state + "' of version")
                    .endsWith("of blueprint 'echo', which is not registered any more; register it");
        }
    }

    @Test
    void theSameNameAndVersionTwice_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Blueprints.of(SampleBlueprints.echo(), SampleBlueprints.echo()))
                .withMessage(
                        "blueprint 'echo' is registered already in version 1; give it another name"
                                + " or version");
    }
}
