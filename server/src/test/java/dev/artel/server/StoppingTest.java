package dev.artel.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class StoppingTest {
    @Test
    void stopping_answersWhoeverWaits() throws Exception {
        var node = TestNodes.inMemory();
        var client = TestClient.of(node);
        var worker = new TestWorker(node, "w1", "nothing");
        var id = client.submit("{\"blueprint\":\"echo\"}");
        var poll = CompletableFuture.supplyAsync(worker::poll);
        var wait =
                CompletableFuture.supplyAsync(() -> client.get("/api/v1/jobs/" + id + "?wait=60"));
        await().pollDelay(Duration.ofMillis(500)).until(() -> !poll.isDone() && !wait.isDone());

        node.close();

        assertThat(poll.get(10, SECONDS).status()).isEqualTo(204);
        assertThat(wait.get(10, SECONDS).status()).isEqualTo(200);
        assertThat(wait.get().object().string("status")).contains("waiting_for_worker");
    }
}
