package dev.artel.server.jobs;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.StallSettings;
import dev.artel.json.JsonObject;
import dev.artel.kernel.job.JobId;
import dev.artel.server.ArtelNode;
import dev.artel.server.FullableStore;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LiveJobTest {
    @Test
    void aJobInMemory_isReadFromThere_andWhoIsAnsweredSeesWhatWasAnswered() {
        var store = new FullableStore();
        var storage = new Storage(store, new InMemoryPayloadStore(), new InMemoryFleet());
        // What looks for stuck jobs reads those that have ended meanwhile.
        var engine =
                EngineConfig.DEFAULTS.withStalls(
                        StallSettings.DEFAULTS.withPause(Duration.ofHours(1)));
        var config = TestNodes.CONFIG.withEngine(engine);
        try (var node = ArtelNode.start(config, SampleBlueprints.all(), storage)) {
            var client = TestClient.of(node);
            var worker = new TestWorker(node, "w1", "echo");
            for (var round = 0; round < 20; round++) {
                var id = new JobId(client.submit("{\"blueprint\":\"echo\"}"));
                assertThat(node.engine().find(id)).isPresent();
                var task = worker.next();

                var before = store.reads();
                for (var i = 0; i < 50; i++) {
                    assertThat(node.engine().find(id).orElseThrow().leased()).isOne();
                }
                assertThat(store.reads()).isEqualTo(before);

                worker.report(task, JsonObject.EMPTY);
                assertThat(node.engine().find(id).orElseThrow().leased()).isZero();
                await().until(() -> node.engine().find(id).orElseThrow().isClosed());
            }
        }
    }
}
