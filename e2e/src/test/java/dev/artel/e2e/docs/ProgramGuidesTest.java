package dev.artel.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.TaskType;
import dev.artel.client.ArtelClient;
import dev.artel.client.JobSubmission;
import dev.artel.client.WebhookSignature;
import dev.artel.config.ServerConfig;
import dev.artel.config.WebhookSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.ArtelNode;
import dev.artel.waits.Await;
import dev.artel.worker.Handles;
import dev.artel.worker.ProcessPool;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The programs of `client/README.md`, `worker/README.md`, `docs/howto/webhooks.md` and `docs/large-values.md`, with an orchestrator.
final class ProgramGuidesTest {
    private static final Duration LONGEST = Await.longest();

    record Guest(String name) {}

    record Greeting(String greeting) {}

    static final BlueprintType<Guest, Greeting> HELLO =
            BlueprintType.of("hello", Guest.class, Greeting.class);

    record Resize(String source, int maxWidth) {}

    record Resized(String url) {}

    static final TaskType<Resize, Resized> RESIZE =
            TaskType.of("resize_image", Resize.class, Resized.class);

    record Customer(String name, int debt) {
        boolean owes() {
            return debt > 0;
        }
    }

    record Owing(long owing) {}

    private static final BlueprintType<JsonObject, Owing> DEBTS =
            BlueprintType.of("debts", JsonObject.class, Owing.class);

    private static final BlueprintType<Resize, Resized> PICTURE =
            BlueprintType.of("picture", Resize.class, Resized.class);

    @TempDir private Path folder;

    private ArtelNode node;
    private ArtelClient client;

    @BeforeEach
    void start() {
        var webhooks =
                WebhookSettings.DEFAULTS.withAllowHttp(true).withAllowPrivate(List.of("127.0.0.1"));
        var config = ServerConfig.DEFAULTS.withPort(0).withData(folder);
        node =
                ArtelNode.start(
                        config.withIngress(config.ingress().withWebhooks(webhooks)),
                        Blueprints.of(
                                Blueprint.function(
                                        HELLO,
                                        (_, guest) -> new Greeting("Hello, " + guest.name() + "!")),
                                Blueprint.function(
                                        PICTURE, (run, picture) -> run.call(RESIZE, picture)),
                                debts()));
        client = ArtelClient.of(node.uri(), node.clientToken());
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    static String greet(URI orchestrator, String token) {
        try (var client = ArtelClient.of(orchestrator, token)) {
            Greeting greeting = client.submit(HELLO, new Guest("Ada")).await(Duration.ofMinutes(1));
            return greeting.greeting();
        }
    }

    static void work(URI orchestrator, String token) throws InterruptedException {
        try (var worker =
                Worker.named("resizer-1")
                        .orchestrator(orchestrator, token)
                        .maxConcurrentTasks(4)
                        .handle(RESIZE, resize -> new Resized(thumbnail(resize)))
                        .build()) {
            worker.start();
            worker.awaitStopped();
        }
    }

    static void workInProcesses(URI orchestrator, String token) throws InterruptedException {
        Worker.named("renderer-1")
                .orchestrator(orchestrator, token)
                .maxConcurrentTasks(4)
                .handlersIn(
                        ProcessPool.of(Renders.class)
                                .processes(4)
                                .timeLimit(Duration.ofMinutes(2))
                                .memoryLimit(1L << 30))
                .run();
    }

    static void workOverTwoWires(URI websocket, URI http, String token)
            throws InterruptedException {
        Worker.named("resizer-1")
                .orchestrator(List.of(websocket, http), token)
                .handle(RESIZE, resize -> new Resized(thumbnail(resize)))
                .run();
    }

    private static void workOverTwoWires(URI orchestrator, String token)
            throws InterruptedException {
        var websocket = URI.create("ws://127.0.0.1:" + orchestrator.getPort());
        workOverTwoWires(websocket, orchestrator, token);
    }

    static final class Renders {
        @Handles("resize_image")
        Resized resize(Resize resize) {
            return new Resized(thumbnail(resize));
        }
    }

    private static String thumbnail(Resize resize) {
        return resize.source() + "-" + resize.maxWidth();
    }

    private static Blueprint debts() {
        var b = Blueprint.states(DEBTS);
        b.start("count").finish(step -> new Owing(owing(step)));
        return b.build();
    }

    private static long owing(Step<JsonObject> step) {
        try (var customers = step.large("customers").stream(Customer.class)) {
            return customers.filter(Customer::owes).count();
        }
    }

    @Test
    void aClient_getsItsGreeting() {
        assertThat(greet(node.uri(), node.clientToken())).isEqualTo("Hello, Ada!");
    }

    @Test
    void aClientWithoutConstants_getsJson() {
        var job =
                client.submit(
                        JobSubmission.of("hello", JsonObject.of("name", JsonValue.of("Ada"))));
        var done = client.awaitFinal(job, Duration.ofMinutes(1));
        assertThat(done.result()).contains(JsonObject.of("greeting", JsonValue.of("Hello, Ada!")));
    }

    private interface Work {
        void on(URI orchestrator, String token) throws InterruptedException;
    }

    @ParameterizedTest
    @ValueSource(strings = {"simply", "in processes", "over two wires"})
    void aWorker_doesATask(String how) throws Exception {
        Work work =
                switch (how) {
                    case "in processes" -> ProgramGuidesTest::workInProcesses;
                    case "over two wires" -> ProgramGuidesTest::workOverTwoWires;
                    default -> ProgramGuidesTest::work;
                };
        var worker =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                work.on(node.uri(), node.workerToken());
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                        });
        try {
            assertThat(client.submit(PICTURE, new Resize("cat.png", 640)).await(LONGEST))
                    .isEqualTo(new Resized("cat.png-640"));
        } finally {
            worker.interrupt();
            assertThat(worker.join(LONGEST)).isTrue();
        }
    }

    @Test
    void aLargeValue_isReadInPieces() {
        var customers = new ArrayList<JsonValue>();
        for (var i = 0; i < 3000; i++) {
            customers.add(
                    JsonObject.of(
                            "name",
                            JsonValue.of("customer number " + i),
                            "debt",
                            JsonValue.of(i % 2)));
        }

        var job =
                client.submit(
                        JobSubmission.of(
                                "debts", JsonObject.of("customers", new JsonArray(customers))));

        assertThat(client.awaitFinal(job, LONGEST).result())
                .contains(JsonObject.of("owing", JsonValue.of(1500)));
    }

    @Test
    void aCall_isSigned() throws Exception {
        var called = new CompletableFuture<Boolean>();
        var receiver =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        called.complete(isGood(exchange));
                        exchange.sendResponseHeaders(204, -1);
                    }
                });
        receiver.start();
        try {
            client.submit(
                    JobSubmission.of("hello", JsonObject.of("name", JsonValue.of("Ada")))
                            .withWebhook(
                                    URI.create(
                                            "http://127.0.0.1:"
                                                    + receiver.getAddress().getPort()
                                                    + "/")));

            assertThat(called.get(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            receiver.stop(0);
        }
    }

    private boolean isGood(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        var headers = exchange.getRequestHeaders();

        var signature = new WebhookSignature(client.webhookSecret());
        var good =
                signature.isGood(
                        headers.getFirst("webhook-id"),
                        headers.getFirst("webhook-timestamp"),
                        headers.getFirst("webhook-signature"),
                        body,
                        Instant.now());

        return good;
    }
}
