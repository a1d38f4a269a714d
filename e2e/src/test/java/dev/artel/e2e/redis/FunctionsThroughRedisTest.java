package dev.artel.e2e.redis;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.client.ArtelClient;
import dev.artel.client.JobRef;
import dev.artel.client.TaskStatus;
import dev.artel.client.TaskView;
import dev.artel.config.RedisSettings;
import dev.artel.config.ServerConfig;
import dev.artel.config.ZeroMqSettings;
import dev.artel.e2e.python.PythonWorker;
import dev.artel.engine.shell.Blueprints;
import dev.artel.gateway.zeromq.ZeroMqConfig;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.server.ArtelNode;
import dev.artel.testkit.broker.RedisServer;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

/// Functions in Python, pushed over ZeroMQ, whose calls are set in a real Redis.
@Timeout(Await.HUNG)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // nothing is opened where its tests are skipped
final class FunctionsThroughRedisTest {
    private static final Path SCRIPT = Path.of("src", "test", "python", "function_worker.py");

    private Path folder;
    private String interpreter = "python3";
    private RedisServer redis;
    private RedisClient submitter;
    private ArtelNode node;
    private ArtelClient client;
    private PythonWorker worker;

    @BeforeAll
    void start(@TempDir Path shared) throws IOException {
        if (!OptionalService.REDIS.isPresent() || !OptionalService.PYTHON_ZMQ.isPresent()) {
            return; // each test is skipped
        }
        folder = shared;
        interpreter = OptionalService.PYTHON_ZMQ.program();
        redis = new RedisServer(folder);
        submitter = PatientRedis.of(redis);
        var config = ServerConfig.DEFAULTS.withPort(0).withData(folder.resolve("data"));
        var tasks = RedisSettings.DEFAULTS.withUri(redis.uri()).withScan(Duration.ofSeconds(1));
        var sockets =
                ZeroMqSettings.DEFAULTS
                        .withEnabled(true)
                        .withPorts(ZeroMqConfig.Ports.FREE)
                        .withTerms(
                                Duration.ofMillis(500),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(10));
        node =
                ArtelNode.start(
                        config.withIngress(config.ingress().withRedis(tasks).withZeroMq(sockets)),
                        Blueprints.of());
        client = ArtelClient.of(node.uri(), node.clientToken());
        worker =
                worker(
                        "functions",
                        Map.of(
                                "FUNCTIONS",
                                "double,fail,run_out_of_memory,recurse,say_after,count,fibonacci,add_ten,square"));
    }

    /// Not before all: a class that is skipped as a whole leaves no report.
    @BeforeEach
    void needServices() {
        OptionalService.assumeAll(OptionalService.REDIS, OptionalService.PYTHON_ZMQ);
    }

    @AfterAll
    void stop() {
        if (worker != null) {
            worker.close();
        }
        if (client != null) {
            client.close();
        }
        if (node != null) {
            node.close();
        }
        if (submitter != null) {
            submitter.close();
        }
        if (redis != null) {
            redis.close();
        }
    }

    private PythonWorker worker(String name, Map<String, String> more) throws IOException {
        var ports = node.zeroMqPorts().orElseThrow();
        var environment =
                new LinkedHashMap<>(
                        Map.of(
                                "ZEROMQ_PORTS",
                                ports.registration() + "," + ports.tasks() + "," + ports.results(),
                                "WORKER_TOKEN",
                                node.workerToken(),
                                "WORKER_ID",
                                name));
        environment.putAll(more);
        return PythonWorker.start(interpreter, SCRIPT, environment, folder.resolve(name + ".log"));
    }

    private void call(String key, String function, JsonValue... arguments) {
        var task =
                JsonObject.of(
                        "function_id",
                        new JsonString(function),
                        "args",
                        new JsonArray(List.of(arguments)));
        submitter.set(key, new String(JsonText.write(task), StandardCharsets.UTF_8));
        submitter.publish("Tasks", key);
    }

    private JsonObject value(String key) {
        return (JsonObject) JsonText.read(submitter.get(key));
    }

    private String status(String key) {
        return value(key).string("status").orElse("QUEUED");
    }

    private JsonObject awaitStatus(String key, String status) {
        await(key + " is " + status).until(() -> status(key).equals(status));
        return value(key);
    }

    private JsonValue result(String key) {
        return awaitStatus(key, "COMPLETED").get("result").orElseThrow();
    }

    private JsonObject error(String key) {
        return awaitStatus(key, "FAILED").object("error").orElseThrow();
    }

    @Test
    void aCall_hasOneOfTheKnownStatusesAtOnce_andThenItsResult() {
        call("known", "double", JsonNumber.of(21));

        assertThat(status("known")).isIn("QUEUED", "RUNNING", "COMPLETED", "FAILED");
        assertThat(result("known")).isEqualTo(JsonNumber.of(42));
    }

    @Test
    void aFunctionThatThrows_hasFailed_withTheKindTheMessageAndTheTraceback() {
        call("thrown", "fail", JsonNumber.of(-3));

        var error = error("thrown");

        assertThat(error.string("error_type")).contains("FunctionExecutionFailure");
        assertThat(error.string("message").orElse(""))
                .contains("ValueError: -3 is not positive", "Traceback", "in fail");
    }

    @Test
    void aFunctionThatRunsOutOfMemory_hasFailed_withTheNameOfTheError() {
        call("memory", "run_out_of_memory");

        var error = error("memory");

        assertThat(error.string("error_type")).contains("FunctionExecutionFailure");
        assertThat(error.string("message").orElse("")).contains("MemoryError");
    }

    @Test
    void aRecursionWithoutEnd_hasFailed_withThatError_andTheWorkerGoesOn() {
        call("recursion", "recurse");

        assertThat(error("recursion").string("message").orElse("")).contains("RecursionError");

        call("afterwards", "double", JsonNumber.of(1));
        assertThat(result("afterwards")).isEqualTo(JsonNumber.of(2));
    }

    @Test
    void threeCallsAtOnce_areAllDone() {
        for (var i = 0; i < 3; i++) {
            call("at-once-" + i, "say_after", JsonValue.of(0.1), new JsonString("done " + i));
        }

        for (var i = 0; i < 3; i++) {
            assertThat(result("at-once-" + i)).isEqualTo(new JsonString("done " + i));
        }
    }

    @Test
    void callsThatTakeDifferentTimes_eachHaveTheirOwnResult() {
        for (var i = 1; i <= 3; i++) {
            call("delay-" + i, "say_after", JsonValue.of(i / 10.0), new JsonString("after " + i));
        }

        for (var i = 1; i <= 3; i++) {
            assertThat(result("delay-" + i)).isEqualTo(new JsonString("after " + i));
        }
    }

    @Test
    void aResultOf100000Elements_comesBackIntact() {
        call("many", "count", JsonNumber.of(100_000));

        assertThat(result("many"))
                .isEqualTo(
                        new JsonArray(
                                LongStream.range(0, 100_000)
                                        .<JsonValue>mapToObj(JsonNumber::of)
                                        .toList()));
    }

    @Test
    void aFunctionThatComputes_hasItsResult() {
        call("fibonacci", "fibonacci", JsonNumber.of(10));

        assertThat(result("fibonacci")).isEqualTo(JsonNumber.of(55));
    }

    @Test
    void callsInAChain_eachTakeTheResultOfTheOneBefore() {
        call("doubled", "double", JsonNumber.of(5));
        call("added", "add_ten", result("doubled"));
        call("squared", "square", result("added"));

        assertThat(result("squared")).isEqualTo(JsonNumber.of(400));
    }

    /// Three kills are survived; the fourth ends the task.
    @Test
    void aCallWhoseWorkersAreKilled_goesToTheNext_andFailsWithTheFourth() throws IOException {
        call("nap", "nap", JsonNumber.of(60));
        var job = awaitStatus("nap", "RUNNING").string("job_id").map(JobRef::new).orElseThrow();
        for (var kill : IntStream.rangeClosed(1, 4).boxed().toList()) {
            var name = "victim-" + kill;
            try (var victim = worker(name, Map.of("FUNCTIONS", "nap", "SLOTS", "1"))) {
                awaitTask(job, TaskStatus.LEASED, Optional.of(name));
                victim.kill();
            }
            if (kill < 4) {
                awaitTask(job, TaskStatus.QUEUED, Optional.empty());
                assertThat(status("nap")).isEqualTo("RUNNING");
            }
        }

        var error = error("nap");

        assertThat(error.string("error_type")).contains("WorkerFailureError");
        assertThat(client.history(job).stream().filter(event -> event.type().equals("lease.lost")))
                .hasSize(4);
    }

    private void awaitTask(JobRef job, TaskStatus status, Optional<String> worker) {
        await("the task is " + status + " " + worker)
                .until(
                        () -> client.tasks(job),
                        tasks -> tasks.size() == 1 && isThat(tasks.getFirst(), status, worker));
    }

    private static boolean isThat(TaskView task, TaskStatus status, Optional<String> worker) {
        return task.status() == status && task.worker().equals(worker);
    }
}
