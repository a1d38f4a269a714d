package dev.artel.e2e.node;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.TaskType;
import dev.artel.client.ArtelClient;
import dev.artel.client.JobHandle;
import dev.artel.config.Secret;
import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.server.ArtelNode;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Workers in Node with the package `ws`, over a real WebSocket.
@Timeout(Await.HUNG)
final class NodeWorkerTest {
    private static final Path SCRIPT = Path.of("src", "test", "javascript", "ws_worker.js");
    private static final String CLIENT = "client-token-of-the-node-tests";
    private static final String WORKER = "worker-token-of-the-node-tests";
    private static final Duration LONG = Await.longest();

    record Text(String text) {}

    record Nap(double seconds) {}

    record Slept(double slept) {}

    private static final TaskType<Text, Text> SHOUT = TaskType.of("shout", Text.class, Text.class);
    private static final TaskType<Nap, Slept> SLEEP = TaskType.of("sleep", Nap.class, Slept.class);
    private static final TaskType<Text, Text> BROKEN =
            TaskType.of("broken", Text.class, Text.class);
    private static final BlueprintType<Text, Text> SHOUTING =
            BlueprintType.of("shouting", Text.class, Text.class);
    private static final BlueprintType<Nap, Slept> SLEEPING =
            BlueprintType.of("sleeping", Nap.class, Slept.class);
    private static final BlueprintType<Text, Text> BREAKING =
            BlueprintType.of("breaking", Text.class, Text.class);

    @TempDir Path folder;

    private final List<Process> workers = new ArrayList<>();
    private int port;
    private @Nullable ArtelNode node;
    private @Nullable ArtelClient client;

    @BeforeEach
    void start() {
        OptionalService.NODE_WS.assumePresent();
        startNode();
    }

    private void startNode() {
        // A busy machine frees the port later.
        var started =
                await("the port is free")
                        .ignoreExceptions()
                        .until(this::startedNode, Objects::nonNull);
        node = started;
        port = started.port();
        client = ArtelClient.of(started.uri(), CLIENT);
    }

    private ArtelNode startedNode() {
        return ArtelNode.start(
                ServerConfig.DEFAULTS
                        .withPort(port)
                        .withData(folder.resolve("data"))
                        .withTokens(
                                new TokenSettings.Given(new Secret(CLIENT), new Secret(WORKER))),
                Blueprints.of(
                        Blueprint.function(SHOUTING, (run, text) -> run.call(SHOUT, text)),
                        Blueprint.function(SLEEPING, (run, nap) -> run.call(SLEEP, nap)),
                        Blueprint.function(BREAKING, (run, text) -> run.call(BROKEN, text))));
    }

    @AfterEach
    void stop() {
        workers.forEach(Process::destroyForcibly);
        stopNode();
    }

    private void stopNode() {
        if (client != null) {
            client.close();
        }
        if (node != null) {
            node.close();
        }
    }

    private ArtelClient client() {
        if (client == null) {
            throw new AssertionError("there is no client");
        }
        return client;
    }

    private Path log(String id) {
        return folder.resolve(id + ".log");
    }

    private Process worker(String id, String token) throws IOException {
        var builder =
                new ProcessBuilder(OptionalService.NODE_WS.program(), SCRIPT.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log(id).toFile());
        builder.environment().putAll(OptionalService.environment());
        builder.environment().put("URL_OF_SERVER", "ws://127.0.0.1:" + port + "/ws/worker");
        builder.environment().put("TOKEN", token);
        builder.environment().put("WORKER_ID", id);
        var process = builder.start();
        workers.add(process);
        return process;
    }

    private void awaitPrinted(String id, String text, int times) {
        await(id + " prints " + text)
                .until(() -> {
                    var printed = Files.exists(log(id)) ? Files.readString(log(id)) : "";
                    return printed.split(text, -1).length > times;
                });
    }

    private static <O> O done(JobHandle<O> job) {
        return job.await(LONG);
    }

    @Test
    void itDoesTasks_severalAtOnce() throws Exception {
        worker("one", WORKER);

        var naps = new ArrayList<JobHandle<Slept>>();
        for (var i = 0; i < 8; i++) {
            naps.add(client().submit(SLEEPING, new Nap(0.5)));
        }
        assertThat(done(client().submit(SHOUTING, new Text("hello")))).isEqualTo(new Text("HELLO"));
        for (var nap : naps) {
            assertThat(done(nap)).isEqualTo(new Slept(0.5));
        }
    }

    @Test
    void aTaskThatItReportsAsFailed_isTriedAgain_andThenThatIsReported() throws Exception {
        worker("one", WORKER);

        var job = client().submit(BREAKING, new Text("hello"));

        await().until(() -> job.view().statusWord().matches("quarantined|failed"));
        assertThat(job.view().error().orElse("")).contains("this model is broken");
    }

    @Test
    void aWorkerThatIsKilled_losesItsTaskToAnother() throws Exception {
        var first = worker("first", WORKER);
        awaitPrinted("first", "registered", 1);
        var nap = client().submit(SLEEPING, new Nap(3));
        awaitPrinted("first", "begins sleep", 1);

        first.destroyForcibly();
        worker("second", WORKER);

        assertThat(done(nap)).isEqualTo(new Slept(3));
    }

    @Test
    void itOutlastsARestartOfTheOrchestrator() throws Exception {
        worker("one", WORKER);
        assertThat(done(client().submit(SHOUTING, new Text("before"))))
                .isEqualTo(new Text("BEFORE"));

        stopNode();
        startNode();

        assertThat(done(client().submit(SHOUTING, new Text("after")))).isEqualTo(new Text("AFTER"));
        awaitPrinted("one", "registered", 2);
        assertThat(Files.readString(log("one"))).contains("closed: 1001");
    }

    @Test
    void aWrongToken_isRefused_withTheReason() throws Exception {
        var worker = worker("one", "wrong");

        assertThat(worker.waitFor(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(worker.exitValue()).isEqualTo(1);
        assertThat(Files.readString(log("one")))
                .contains("refused: Invalid authentication token", "closed: 4001");
    }
}
