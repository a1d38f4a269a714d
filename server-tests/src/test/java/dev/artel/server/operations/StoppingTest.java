package dev.artel.server.operations;

import static dev.artel.waits.Await.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.artel.config.SharedRoom;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.StreamId;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.FullableStore;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import dev.artel.waits.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class StoppingTest {
    private static final int TOO_MANY_REQUESTS = 429;

    @Test
    void stopping_answersTheRequestsThatWait() throws Exception {
        // A client may wait once at a time, which shows when it does.
        var node = TestNodes.inMemory(TestNodes.CONFIG.http().withShared(new SharedRoom(4, 2)));
        var client = TestClient.of(node);
        var worker = new TestWorker(node, "w1", "nothing");
        var id = client.submit("{\"blueprint\":\"echo\"}");
        await("the task is offered").until(() -> node.engine().queuedTasks() == 1);
        var poll = CompletableFuture.supplyAsync(worker::poll);
        var wait = CompletableFuture.supplyAsync(() -> waitFor(client, id));
        await("the poll waits")
                .until(() ->
                        client.get("/api/v1/workers/w1").text().contains("\"waiting_polls\":1"));
        await("the request waits")
                .until(() ->
                        client.get("/api/v1/jobs/" + id + "?wait=0.01").status()
                                == TOO_MANY_REQUESTS);
        assertThat(poll).isNotDone();
        assertThat(wait).isNotDone();

        node.close();

        assertThat(poll.get(Await.seconds(), SECONDS).status()).isEqualTo(204);
        assertThat(wait.get(Await.seconds(), SECONDS).status()).isEqualTo(200);
        assertThat(wait.get().object().string("status")).contains("waiting_for_worker");
    }

    /// Comes back as long as another request has its place.
    private static Answer waitFor(TestClient client, String job) {
        var answer = client.get("/api/v1/jobs/" + job + "?wait=60");
        while (answer.status() == TOO_MANY_REQUESTS) {
            answer = client.get("/api/v1/jobs/" + job + "?wait=60");
        }
        return answer;
    }

    /// Trap: a stop closes the history while a handler runs, whose outcome is lost or half written.
    @Test
    void aHandlerThatIsRunning_mayEnd_beforeAStopIsOver() throws Exception {
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var slow =
                Blueprint.named("slow")
                        .start(
                                "think",
                                _ -> {
                                    begun.countDown();
                                    goOn.await();
                                    return Action.finish(JsonObject.EMPTY);
                                })
                        .build();
        var store = new InMemoryEventStore();
        var storage = new Storage(store, new InMemoryPayloadStore(), new InMemoryFleet());
        var node = ArtelNode.start(TestNodes.CONFIG, Blueprints.of(slow), storage);
        var id = TestClient.of(node).submit("{\"blueprint\":\"slow\"}");
        assertThat(begun.await(Await.seconds(), SECONDS)).isTrue();

        var stop = CompletableFuture.runAsync(node::close);
        await().pollDelay(Duration.ofMillis(300)).until(() -> !stop.isDone());
        goOn.countDown();
        stop.get(Await.seconds(), SECONDS);

        assertThat(store.read(StreamId.of(new JobId(id)), 0).toString())
                .contains("StepDone", "JobEnded");
    }

    /// Trap: each client that waits has the job read again and again.
    @Test
    void whoWaitsForTheEndOfAJob_readsItOnce() {
        var store = new FullableStore();
        var storage = new Storage(store, new InMemoryPayloadStore(), new InMemoryFleet());
        try (var node = TestNodes.on(storage)) {
            var client = TestClient.of(node);
            var id = client.submit("{\"blueprint\":\"echo\"}");
            await().until(() -> node.engine().queuedTasks() == 1);
            var before = store.reads();

            var job = client.get("/api/v1/jobs/" + id + "?wait=2.5").object();

            assertThat(job.string("status")).contains("waiting_for_worker");
            assertThat(store.reads() - before).isEqualTo(1);
        }
    }

    @Test
    void stopping_closesTheSocketsOfWorkers() throws Exception {
        var node = TestNodes.inMemory();
        var closed = new CompletableFuture<Integer>();
        try (var http = HttpClient.newHttpClient()) {
            var socket =
                    http.newWebSocketBuilder()
                            .header("X-Worker-Token", node.workerToken())
                            .buildAsync(
                                    URI.create("ws://127.0.0.1:" + node.port() + "/_worker/ws/w1"),
                                    new WebSocket.Listener() {
                                        @Override
                                        public @Nullable CompletionStage<?> onClose(
                                                WebSocket from, int code, String reason) {
                                            closed.complete(code);
                                            return null;
                                        }

                                        @Override
                                        public void onError(WebSocket from, Throwable error) {
                                            closed.complete(-1);
                                        }
                                    })
                            .get(Await.seconds(), SECONDS);

            // It hung while a socket was open.
            assertTimeoutPreemptively(Await.longest(), node::close);

            assertThat(closed.get(Await.seconds(), SECONDS)).isNotNull();
            socket.abort();
        }
    }
}
