package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.testkit.port.FreePort;
import dev.artel.waits.Await;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.zeromq.ZMQ;

/// What an orchestrator in a process of its own logs, of whatever settings, over whatever wire: no token.
final class TokensInLogTest {
    @TempDir private Path folder;

    private static Map<String, String> encrypted() {
        var keys = ZMQ.Curve.generateKeyPair();
        var settings = new HashMap<String, String>();
        settings.put("ARTEL_ZEROMQ_ENABLED", "true");
        settings.put("ARTEL_ZEROMQ_REGISTRATION_PORT", String.valueOf(FreePort.next()));
        settings.put("ARTEL_ZEROMQ_TASKS_PORT", String.valueOf(FreePort.next()));
        settings.put("ARTEL_ZEROMQ_RESULTS_PORT", String.valueOf(FreePort.next()));
        settings.put("ARTEL_ZEROMQ_CURVE_PUBLIC_KEY", keys.publicKey);
        settings.put("ARTEL_ZEROMQ_CURVE_SECRET_KEY", keys.secretKey);
        return settings;
    }

    /// Trap: the check of a key asks for a logger before the log is set up, and the logging library begins with its own settings, which
    /// log each header of each request.
    @ParameterizedTest
    @ValueSource(strings = {"info", "trace"})
    void withEncryption_andAtTheLowestLevel_thereIsNoToken(String level) throws Exception {
        var access = folder.resolve("access.jsonl");
        var settings = encrypted();
        settings.put("ARTEL_LOG_LEVEL", level);
        settings.put("ARTEL_LOGS_ACCESS", access.toString());
        try (var orchestrator = new Orchestrator(folder, settings);
                var worker =
                        Worker.named("polls")
                                .orchestrator(orchestrator.uri(), Orchestrator.WORKER_TOKEN)
                                .withoutShutdownHook()
                                .handle("noop", JsonObject.class, (_, _) -> Result.success())
                                .build()) {
            worker.start();
            var job = orchestrator.submitted("echo", JsonObject.EMPTY);
            assertThat(orchestrator.knows(job)).isTrue();
            upgrade(orchestrator, "/_worker/ws/polls");
            upgrade(orchestrator, "/ws/worker");
            wrong(orchestrator);
            var polled = leasedByPoll(orchestrator);
            var lost = leasedToALostSocket(orchestrator);
            Await.await("the requests are in their log")
                    .until(() ->
                            Files.exists(access)
                                    && Files.readString(access).contains("/logs\"")
                                    && Files.readString(access).contains("/question\"")
                                    && Files.readString(access).contains("\"/ws/worker\""));
            Await.await("what the socket had is in the log")
                    .until(() ->
                            orchestrator.log().stream()
                                    .anyMatch(line -> line.contains("request orphaned")));

            assertThat(orchestrator.log())
                    .isNotEmpty()
                    .noneMatch(line -> line.contains(" DEBUG org.eclipse"))
                    .anyMatch(line ->
                            line.contains("request orphaned")
                                    && line.contains(new LeaseToken(lost).handOut()))
                    .allSatisfy(line -> assertThat(line).doesNotContain(Orchestrator.TOKENS))
                    .allSatisfy(line -> assertThat(line).doesNotContain(polled, lost));
            assertThat(Files.readString(access))
                    .contains("/tasks/" + new LeaseToken(polled).handOut() + "/logs\"")
                    .doesNotContain(Orchestrator.TOKENS)
                    .doesNotContain(polled, lost);
        }
    }

    /// The lease token of a task whose worker logs a line and asks a question.
    private static String leasedByPoll(Orchestrator orchestrator) throws Exception {
        send(
                orchestrator,
                "POST",
                "/_worker/workers/register",
                "{\"worker_id\":\"raw\",\"supported_tasks\":[\"echo\"],\"max_concurrent_tasks\":1}");
        var task =
                (JsonObject)
                        JsonText.read(
                                send(orchestrator, "GET", "/_worker/workers/raw/tasks/next", ""));
        var token = task.string("task_id").orElseThrow();
        var path = "/_worker/workers/raw/tasks/" + token;
        send(orchestrator, "POST", path + "/logs", "{\"lines\":[{\"message\":\"a line\"}]}");
        send(
                orchestrator,
                "POST",
                path + "/question",
                "{\"question\":\"which?\",\"answer_within_ms\":1000}");
        return token;
    }

    /// The lease token of a task whose worker was sent it over a WebSocket that ended then.
    private static String leasedToALostSocket(Orchestrator orchestrator) throws Exception {
        assertThat(orchestrator.submit("echo", UUID.randomUUID().toString(), JsonObject.EMPTY))
                .isPresent();
        var requested = new CompletableFuture<JsonObject>();
        var socket =
                HttpClient.newHttpClient()
                        .newWebSocketBuilder()
                        .header("Authorization", "Bearer " + Orchestrator.WORKER_TOKEN)
                        .buildAsync(
                                URI.create(
                                        "ws://" + orchestrator.uri().getAuthority() + "/ws/worker"),
                                new WebSocket.Listener() {
                                    private final StringBuilder text = new StringBuilder();

                                    @Override
                                    public @Nullable CompletionStage<?> onText(
                                            WebSocket from, CharSequence part, boolean last) {
                                        text.append(part);
                                        if (last) {
                                            var message =
                                                    (JsonObject) JsonText.read(text.toString());
                                            text.setLength(0);
                                            if (message.string("type")
                                                    .filter("work_request"::equals)
                                                    .isPresent()) {
                                                requested.complete(message);
                                            }
                                        }
                                        from.request(1);
                                        return null;
                                    }
                                })
                        .get();
        socket.sendText(
                        """
                        {"type":"worker_registration","workerId":"pushed","workerName":"Worker",
                         "capabilities":{"models":[{"modelId":"echo"}],"maxConcurrentRequests":2,
                          "metadata":{"artel":{"instance":"process-1"}}}}
                        """,
                        true)
                .get();
        var token =
                requested.get(Await.seconds(), TimeUnit.SECONDS).string("requestId").orElseThrow();
        socket.abort();
        return token;
    }

    private static String send(Orchestrator orchestrator, String method, String path, String body)
            throws Exception {
        var request =
                HttpRequest.newBuilder(orchestrator.uri().resolve(path))
                        .timeout(Await.longest())
                        .header("X-Worker-Token", Orchestrator.WORKER_TOKEN)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    private static void upgrade(Orchestrator orchestrator, String path) throws Exception {
        HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("Authorization", "Bearer " + Orchestrator.WORKER_TOKEN)
                .buildAsync(
                        URI.create("ws://" + orchestrator.uri().getAuthority() + path),
                        new WebSocket.Listener() {})
                .get()
                .abort();
    }

    private static void wrong(Orchestrator orchestrator) throws Exception {
        var request =
                HttpRequest.newBuilder(orchestrator.uri().resolve("/_worker/workers/w/tasks/next"))
                        .header("X-Worker-Token", Orchestrator.WORKER_TOKEN + "-of-another")
                        .build();
        assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode())
                .isEqualTo(401);
    }
}
