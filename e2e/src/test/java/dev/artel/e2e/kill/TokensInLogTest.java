package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
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
            var job =
                    orchestrator
                            .submit("echo", UUID.randomUUID().toString(), JsonObject.EMPTY)
                            .orElseThrow();
            assertThat(orchestrator.knows(job)).isTrue();
            upgrade(orchestrator, "/_worker/ws/polls");
            upgrade(orchestrator, "/ws/worker");
            wrong(orchestrator);
            Await.await("the requests are in their log")
                    .until(() ->
                            Files.exists(access)
                                    && Files.readString(access).contains("\"/ws/worker\""));

            assertThat(orchestrator.log())
                    .isNotEmpty()
                    .noneMatch(line -> line.contains(" DEBUG org.eclipse"))
                    .allSatisfy(line -> assertThat(line).doesNotContain(Orchestrator.TOKENS));
            assertThat(Files.readString(access)).doesNotContain(Orchestrator.TOKENS);
        }
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
