package dev.artel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import org.junit.jupiter.api.Test;

/// Blueprints that are not there any more, or there twice.
final class LostBlueprintTest {
    @Test
    void aJobWhoseBlueprintIsGone_isQuarantined_andSaysWhichThereAre() {
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
                var job = TestClient.of(node).get("/api/v1/jobs/" + id).object();
                assertThat(job.string("status")).contains("quarantined");
                assertThat(job.string("error_message").orElseThrow())
                        .contains("there is no blueprint 'chain3'; there are [echo]")
                        .contains("register it before you start the orchestrator");
            });
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
