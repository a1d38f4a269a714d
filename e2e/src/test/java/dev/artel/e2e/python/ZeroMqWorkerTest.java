package dev.artel.e2e.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ZeroMqSettings;
import dev.artel.gateway.zeromq.ZeroMqConfig;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The example of a worker on ZeroMQ in Python, with libzmq.
@Timeout(Await.HUNG)
final class ZeroMqWorkerTest {
    private static final Path SCRIPT =
            Path.of("..", "examples", "python-worker", "zeromq_worker.py");
    private static final ZeroMqSettings SETTINGS =
            ZeroMqSettings.DEFAULTS.withEnabled(true).withPorts(ZeroMqConfig.Ports.FREE);
    private static final Duration INTERVAL = Duration.ofMillis(500);

    @TempDir Path folder;
    private String interpreter = "python3";
    private Node node;

    @BeforeEach
    void start() {
        interpreter = OptionalService.PYTHON_ZMQ.program();
        node =
                new Node(
                        folder,
                        Node.Terms.PATIENT,
                        SETTINGS.withTerms(INTERVAL, Await.longest(), Await.longest()));
    }

    /// Before a test in which a worker is given up.
    private void useShortTerms() {
        node.close();
        node =
                new Node(
                        folder,
                        Node.Terms.SHORT,
                        SETTINGS.withTerms(
                                INTERVAL, Duration.ofSeconds(5), Duration.ofSeconds(10)));
    }

    @AfterEach
    void stop() {
        if (node != null) {
            node.close();
        }
    }

    private PythonWorker worker(String name, String token) throws IOException {
        var ports = node.zeroMq().ports();
        return PythonWorker.start(
                interpreter,
                SCRIPT,
                Map.of(
                        "ZEROMQ_PORTS",
                        ports.registration() + "," + ports.tasks() + "," + ports.results(),
                        "WORKER_TOKEN",
                        token,
                        "WORKER_ID",
                        name,
                        "GRACE_SECONDS",
                        "5"),
                folder.resolve(name + ".log"));
    }

    private String greet(String name, int seconds) throws Exception {
        return node.submit(
                "greet",
                JsonObject.of("name", new JsonString(name), "seconds", JsonNumber.of(seconds)));
    }

    private static void awaitAccepted(PythonWorker worker) {
        Await.await().until(() -> worker.printed().contains("is accepted"));
    }

    @Test
    void theExample_doesTasks_reportsErrors_givesUpWhatIsCancelled_andLeavesInOrder()
            throws Exception {
        try (var worker = worker("zero", Node.WORKER)) {
            var greeting = greet("Ada", 0);
            assertThat(node.await(greeting, "finished").toString())
                    .contains("Hello from ZeroMQ, Ada!");
            assertThat(node.worker("zero").string("wire")).contains("zeromq");
            var wrong = node.submit("greet", JsonObject.EMPTY);
            assertThat(node.await(wrong, "failed").toString()).contains("is missing");
            var slow = greet("Grace", 60);
            node.awaitState("zero", "busy");
            node.cancel(slow);
            node.await(slow, "cancelled");
            node.awaitState("zero", "idle");

            worker.interrupt();

            assertThat(worker.awaitEnd()).isZero();
            node.awaitState("zero", "offline");
            assertThat(worker.printed()).doesNotContain("Traceback");
        }
    }

    /// Trap: a worker whose slots are taken asks again and again whether they still are.
    @Test
    void aWorkerThatIsFull_waits_andTakesNoProcessor() throws Exception {
        try (var worker = worker("zero", Node.WORKER)) {
            for (var i = 0; i < 5; i++) {
                var _ = greet("Ada " + i, 60);
            }
            node.awaitState("zero", "full");
            var before = worker.processorTime();
            var begun = System.nanoTime();

            Await.await().until(() -> System.nanoTime() - begun > Duration.ofSeconds(4).toNanos());

            assertThat(before).isPositive();
            assertThat(worker.processorTime().minus(before)).isLessThan(Duration.ofMillis(800));
        }
    }

    @Test
    void aLargeValue_goesThereAndComesBackIntact() throws Exception {
        try (var _ = worker("zero", Node.WORKER)) {
            var name = "x".repeat(700_000);
            var job = node.submit("greet", JsonObject.of("name", JsonValue.of(name)));

            assertThat(node.await(job, "finished").toString()).contains(name);
        }
    }

    @Test
    void aRestartOfTheOrchestrator_isAPauseForTheExample() throws Exception {
        try (var worker = worker("zero", Node.WORKER)) {
            var running = greet("Ada", 6);
            awaitAccepted(worker);

            node.restart();
            var next = greet("Grace", 0);

            node.await(next, "finished");
            node.await(running, "finished");
            assertThat(node.history(running, "lease.granted")).hasSize(1);
        }
    }

    @Test
    void theTaskOfAKilledWorker_isDoneByAnother() throws Exception {
        useShortTerms();
        String job;
        try (var victim = worker("victim", Node.WORKER)) {
            job = greet("Ada", 8);
            awaitAccepted(victim);
            victim.kill();
        }
        try (var _ = worker("survivor", Node.WORKER)) {
            node.await(job, "finished");

            assertThat(node.lost(job, "victim")).isEqualTo(1);
            node.awaitState("victim", "offline");
        }
    }

    @Test
    void aWrongToken_endsTheExample_whichReportsIt() throws Exception {
        try (var worker = worker("zero", "a-wrong-token")) {
            assertThat(worker.awaitEnd()).isEqualTo(1);
            assertThat(worker.printed())
                    .contains("refuses the token of zero", "set WORKER_TOKEN")
                    .doesNotContain("Traceback");
        }
    }
}
