package dev.artel.server.operations;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.server.FullableStore;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import dev.artel.waits.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class StoreFullTest {
    @Test
    void aFullStore_refusesNewJobs_readsOn_keepsResultsWaiting_andGoesOnByItself()
            throws Exception {
        var store = new FullableStore();
        try (var node =
                TestNodes.on(new Storage(store, new InMemoryPayloadStore(), new InMemoryFleet()))) {
            var client = TestClient.of(node);
            var worker = new TestWorker(node, "w1", "echo");
            var id = client.submit("{\"blueprint\":\"echo\"}");
            var task = worker.next();

            store.full(true);
            var refused = client.post("/api/v1/jobs", "{\"blueprint\":\"echo\"}");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).contains("1");
            assertThat(refused.error()).contains("the store has no room");

            var ready = client.get("/readyz");
            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.object().string("reason").orElseThrow())
                    .startsWith("the store has no room");
            assertThat(client.get("/api/v1/jobs/" + id).status()).isEqualTo(200);
            assertThat(client.get("/api/v1/jobs").items().size()).isEqualTo(1);
            assertThat(client.get("/healthz").status()).isEqualTo(200);
            var report = CompletableFuture.supplyAsync(() -> worker.report(task, JsonObject.EMPTY));
            await().pollDelay(Duration.ofMillis(300)).until(() -> !report.isDone());

            store.full(false);
            assertThat(report.get(Await.seconds(), TimeUnit.SECONDS).status()).isEqualTo(200);
            assertThat(client.get("/api/v1/jobs/" + id + "?wait=60").object().string("status"))
                    .contains("finished");
            await().untilAsserted(() ->
                    assertThat(client.post("/api/v1/jobs", "{\"blueprint\":\"echo\"}").status())
                            .isEqualTo(202));
            assertThat(client.get("/readyz").status()).isEqualTo(200);
        }
    }
}
