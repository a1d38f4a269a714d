package dev.artel.e2e.wires;

import static dev.artel.e2e.wires.WireNode.SET;
import static dev.artel.e2e.wires.WireNode.TASK;
import static dev.artel.e2e.wires.WireNode.WORKER;
import static dev.artel.e2e.wires.WireNode.done;
import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.ActionSettings;
import dev.artel.config.MindBusSettings.AgentLimits;
import dev.artel.config.ZeroMqSettings;
import dev.artel.e2e.wires.WorkerWiresTest.Wire;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.waits.Await;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/// The tasks that an orchestrator does itself, with the secrets in their parameters, and its worker that does them: they are for nobody else, on
/// whatever wire.
@Timeout(Await.HUNG)
final class OwnActionsTest {
    private static final String OWN = "artel-actions";
    private static final String REFUSAL = "give yours another name";

    @TempDir Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger actions = new AtomicInteger();
    private WireNode node;

    @BeforeEach
    void start() {
        start(ActionSettings.DEFAULTS.withEnabled(true));
    }

    private void start(ActionSettings settings) {
        var broker =
                RabbitServer.isInstalled()
                        ? Optional.of(RabbitServer.shared().uri())
                        : Optional.<URI>empty();
        node =
                new WireNode(
                        folder.resolve("data"),
                        ZeroMqSettings.Curve.NONE,
                        broker,
                        AgentLimits.DEFAULTS,
                        settings);
    }

    @AfterEach
    void stop() {
        node.close();
        http.shutdownNow();
    }

    /// A worker that does both what is its own and what the orchestrator does itself.
    private Worker greedy(Wire wire) {
        var worker =
                Worker.named("greedy")
                        .orchestrator(wire.at(node), WORKER)
                        .maxConcurrentTasks(4)
                        .longestBackoff(Duration.ofSeconds(1))
                        .drainTimeout(Duration.ofSeconds(1))
                        .withoutShutdownHook()
                        .handle(TASK, (text, _) -> result(text.text()))
                        .handle(
                                SET,
                                (_, _) -> {
                                    actions.incrementAndGet();
                                    return result("of another");
                                })
                        .build();
        worker.start();
        node.awaitWire("greedy", wire.word());
        return worker;
    }

    private static Result result(String text) {
        return Result.success(JsonObject.of("text", JsonValue.of(text)));
    }

    /// The worker of the orchestrator gets nothing, so that others would get all that they may.
    private void stopTheOwnWorker() {
        await("the worker of the orchestrator is there").until(() -> !node.wire(OWN).isEmpty());
        assertThat(node.post("/workers/" + OWN + "/drain", "{}")).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void aWorkerThatOffersAnAction_getsNoneOfItsTasks(Wire wire) {
        stopTheOwnWorker();
        try (var _ = greedy(wire)) {
            var action = node.submitAction("with a secret");
            await("the action waits")
                    .until(() ->
                            node.get("/jobs/" + action.ref().id() + "/tasks/0/why")
                                    .has("waits_because"));

            assertThat(done(node.submit("behind it"))).isEqualTo("behind it");
            assertThat(actions).hasValue(0);

            assertThat(node.post("/workers/" + OWN + "/undrain", "")).isEqualTo(200);
            assertThat(done(action)).isEqualTo("with a secret");
            assertThat(actions).hasValue(0);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void whereActionsAreShared_aWorkerThatOffersOneGetsIts(Wire wire) {
        node.close();
        start(ActionSettings.DEFAULTS.withEnabled(true).withShared(true));
        stopTheOwnWorker();
        try (var _ = greedy(wire)) {
            assertThat(done(node.submitAction("shared"))).isEqualTo("of another");
        }
    }

    /// Trap: the token of all workers drains or ends the worker of the orchestrator, gets its tasks, or reports for it.
    @Test
    void nobodyIsTheWorkerOfTheOrchestrator() throws Exception {
        await("the worker of the orchestrator is there").until(() -> !node.wire(OWN).isEmpty());
        var wire = node.wire(OWN);
        var worker = "/_worker/workers/" + OWN;
        var named = "{\"worker_id\":\"" + OWN + "\"}";
        var more =
                "{\"worker_id\":\"" + OWN + "\",\"job_id\":\"j\",\"task_id\":\"t\",\"result\":{}}";

        assertRefused("POST", "/_worker/workers/register", named);
        assertRefused("PATCH", worker, "{\"load\":0,\"supported_tasks\":[\"set\"]}");
        assertRefused("GET", worker + "/tasks/next", "");
        assertRefused("POST", worker + "/renew", "{\"lease_tokens\":[]}");
        assertRefused("POST", worker + "/drain", "");
        assertRefused("POST", worker + "/tasks/t/logs", "{\"message\":\"m\"}");
        assertRefused("POST", worker + "/tasks/t/question", "{\"text\":\"q\"}");
        assertRefused("POST", "/_worker/tasks/release", more);
        assertRefused("POST", "/_worker/tasks/result", more);
        assertRefused("POST", "/_worker/tasks/results", named);
        assertRefused("POST", "/_worker/events", more);
        assertRefused("POST", "/_worker/auth/token", named);
        assertRefused("DELETE", worker, "");
        assertThatThrownBy(() -> socket("/_worker/ws/" + OWN, new WebSocket.Listener() {}))
                .hasCauseInstanceOf(WebSocketHandshakeException.class);
        assertThat(closedAfterRegistration()).contains("Authentication failed");
        assertThat(readyOverZeroMq()).contains("\"BAD_TOKEN\"", REFUSAL);

        assertThat(node.wire(OWN)).isEqualTo(wire);
        assertThat(node.get("/workers/" + OWN).string("state")).contains("idle");
        assertThat(done(node.submitAction("still done"))).isEqualTo("still done");
    }

    private void assertRefused(String method, String path, String body) throws Exception {
        var request =
                HttpRequest.newBuilder(node.http().resolve(path))
                        .timeout(Await.longest())
                        .header("X-Worker-Token", WORKER)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build();
        var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(method + " " + path).isEqualTo(401);
        assertThat(answer.body()).as(method + " " + path).contains(REFUSAL);
    }

    private WebSocket socket(String path, WebSocket.Listener listener) throws Exception {
        return http.newWebSocketBuilder()
                .header("Authorization", "Bearer " + WORKER)
                .buildAsync(node.websocket().resolve(path), listener)
                .get(Await.seconds(), TimeUnit.SECONDS);
    }

    /// The reason with which a socket is closed whose worker registers under the name.
    private String closedAfterRegistration() throws Exception {
        var closed = new CompletableFuture<String>();
        var socket =
                socket(
                        "/ws/worker",
                        new WebSocket.Listener() {
                            @Override
                            public @Nullable CompletionStage<?> onClose(
                                    WebSocket from, int code, String reason) {
                                closed.complete(reason);
                                return null;
                            }
                        });
        socket.sendText(
                        """
                        {"type":"worker_registration","workerId":"%s","workerName":"Worker","authToken":"%s",
                         "capabilities":{"models":[{"modelId":"set"}],"maxConcurrentRequests":2}}
                        """
                                .formatted(OWN, WORKER),
                        true)
                .get(Await.seconds(), TimeUnit.SECONDS);
        return closed.get(Await.seconds(), TimeUnit.SECONDS);
    }

    /// The answer to a worker that comes under the name.
    private String readyOverZeroMq() {
        var ready =
                JsonObject.builder()
                        .put("worker_id", OWN)
                        .put("instance", "process-1")
                        .put("capacity", 1)
                        .put("token", WORKER)
                        .put("task_types", JsonText.read("[\"set\"]"))
                        .put("running", JsonText.read("[]"))
                        .build();
        try (var context = new ZContext(1)) {
            context.setLinger(0);
            var socket = context.createSocket(SocketType.DEALER);
            socket.setIdentity(("~" + UUID.randomUUID()).getBytes(US_ASCII));
            socket.setReceiveTimeOut((int) Await.longest().toMillis());
            socket.connect("tcp://127.0.0.1:" + node.zeromqPorts().getFirst());
            var frames =
                    List.of(
                            new byte[0],
                            "PUSH/1".getBytes(US_ASCII),
                            "READY".getBytes(US_ASCII),
                            JsonText.write(ready));
            for (var i = 0; i < frames.size(); i++) {
                socket.send(frames.get(i), i == frames.size() - 1 ? 0 : ZMQ.SNDMORE);
            }
            var answer = new StringBuilder();
            do {
                answer.append(new String(socket.recv(), UTF_8)).append('\n');
            } while (socket.hasReceiveMore());
            return answer.toString();
        }
    }
}
