package dev.artel.worker;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.waits.Await;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What a worker sends besides outcomes.
final class LogTest {
    private static WorkerBuilder builder(ScriptedOrchestrator orchestrator) {
        return Worker.named("w1")
                .orchestrator(orchestrator.uri(), "secret")
                .longestBackoff(Duration.ofMillis(100))
                .withoutShutdownHook();
    }

    @Test
    void linesArriveInOrder_underTheLease_andBeforeTheOutcome() {
        try (var orchestrator = ScriptedOrchestrator.granting(Duration.ofSeconds(10))) {
            orchestrator.next(
                    1,
                    request -> request.is("POST", "/logs"),
                    ScriptedOrchestrator.Reply.of(200, "{\"status\":\"kept\",\"lines\":2}"));
            try (var worker =
                    builder(orchestrator)
                            .handle(
                                    "talk",
                                    JsonObject.class,
                                    (_, task) -> {
                                        task.log("one");
                                        task.log("error", "x".repeat(5000));
                                        return Result.success(JsonObject.EMPTY);
                                    })
                            .build()) {
                worker.start();
                var id = orchestrator.offer("talk", JsonObject.EMPTY);
                await().until(() -> !orchestrator.results.isEmpty());

                var sent = orchestrator.all("POST", "/_worker/workers/w1/tasks/" + id + "/logs");
                assertThat(sent).hasSize(1);
                assertThat(sent.getFirst().json().string("lease_token")).contains("lease-" + id);
                var lines = sent.getFirst().json().array("lines").orElseThrow();
                assertThat(messages(lines))
                        .containsExactly("info one", "error " + "x".repeat(4096));
                var order = new ArrayList<String>();
                orchestrator.requests.forEach(request -> order.add(request.path()));
                assertThat(order.indexOf(sent.getFirst().path()))
                        .isLessThan(order.lastIndexOf("/_worker/tasks/results"));
            }
        }
    }

    private static List<String> messages(JsonArray lines) {
        var messages = new ArrayList<String>();
        for (var line : lines) {
            var object = (JsonObject) line;
            messages.add(
                    object.string("level").orElseThrow()
                            + " "
                            + object.string("message").orElseThrow());
        }
        return messages;
    }

    @Test
    void anOrchestratorOfTheFirstGeneration_isNotBothered() {
        try (var orchestrator = ScriptedOrchestrator.ofTheFirstGeneration();
                var worker =
                        builder(orchestrator)
                                .handle(
                                        "talk",
                                        JsonObject.class,
                                        (_, task) -> {
                                            task.log("one");
                                            return Result.success(JsonObject.EMPTY);
                                        })
                                .build()) {
            worker.start();
            orchestrator.offer("talk", JsonObject.EMPTY);
            await().until(() -> !orchestrator.results.isEmpty());

            assertThat(orchestrator.all("POST", "/logs")).isEmpty();
        }
    }

    @Test
    void theHealthOfAWorker_isAskedOverHttp() throws Exception {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var begun = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        try (var http = HttpClient.newHttpClient();
                var orchestrator = ScriptedOrchestrator.granting(Duration.ofSeconds(10));
                var worker =
                        builder(orchestrator)
                                .health(loopback)
                                .handle(
                                        "wait",
                                        JsonObject.class,
                                        (_, _) -> {
                                            begun.countDown();
                                            ended.await();
                                            return Result.success(JsonObject.EMPTY);
                                        })
                                .build()) {
            worker.start();
            var at = URI.create("http://127.0.0.1:" + worker.health().orElseThrow().getPort());

            assertThat(get(http, at.resolve("/health"))).isEqualTo("200 OK");
            assertThat(get(http, at.resolve("/health/x"))).isEqualTo("404 ");

            orchestrator.offer("wait", JsonObject.EMPTY);
            assertThat(begun.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
            var closing = Thread.ofVirtual().start(worker::close);
            await().untilAsserted(() ->
                    assertThat(get(http, at.resolve("/health"))).isEqualTo("503 draining"));
            ended.countDown();
            assertThat(closing.join(Await.longest())).isTrue();
            assertThat(worker.health()).isEmpty();
        }
    }

    private static String get(HttpClient http, URI uri) throws Exception {
        var answer = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }
}
