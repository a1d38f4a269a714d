package dev.artel.e2e.redis;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.client.ArtelClient;
import dev.artel.client.JobFilter;
import dev.artel.client.JobStatus;
import dev.artel.client.JobSubmission;
import dev.artel.config.RedisSettings;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.gateway.access.NamePatterns;
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
import dev.artel.worker.PermanentFailure;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/// Submitters that set a task in a real Redis and find its result there.
@Timeout(Await.HUNG)
final class RedisTasksTest {
    private static final BlueprintType<JsonObject, JsonObject> ECHO =
            BlueprintType.of("echo_input", JsonObject.class, JsonObject.class);

    /// Counts in the value of a task, at once for Redis.
    private static final String EDIT =
            """
            local task = cjson.decode(redis.call('GET', KEYS[1]))
            task.edits = (task.edits or 0) + 1
            redis.call('SET', KEYS[1], cjson.encode(task))
            """;

    private final AtomicInteger runs = new AtomicInteger();

    @TempDir Path folder;
    @TempDir Path redisFolder;

    private @Nullable RedisServer redis;
    private @Nullable RedisClient submitter;
    private @Nullable ArtelNode node;
    private @Nullable Worker worker;

    @BeforeEach
    void start() throws IOException {
        OptionalService.REDIS.assumePresent();
        redis = new RedisServer(redisFolder);
        submitter = PatientRedis.of(redis);
        startNode();
    }

    @AfterEach
    void stop() {
        stopNode();
        if (submitter != null) {
            submitter.close();
        }
        if (redis != null) {
            redis.close();
        }
    }

    private void startNode() {
        startNode(settings -> settings);
    }

    private void startNode(UnaryOperator<RedisSettings> change) {
        var config = ServerConfig.DEFAULTS.withPort(0).withData(folder);
        config = config.withActions(config.actions().withEnabled(true));
        var tasks =
                change.apply(
                        RedisSettings.DEFAULTS
                                .withUri(redis().uri())
                                .withScan(Duration.ofSeconds(1)));
        node =
                ArtelNode.start(
                        config.withIngress(config.ingress().withRedis(tasks)),
                        Blueprints.of(Blueprint.function(ECHO, (_, input) -> input)));
        worker =
                Worker.named("doubler")
                        .orchestrator(node.uri(), node.workerToken())
                        .withoutShutdownHook()
                        .handle("double", JsonObject.class, (params, _) -> doubled(params))
                        .handle(
                                "refuse",
                                JsonObject.class,
                                (_, _) -> {
                                    throw new PermanentFailure("no such thing");
                                })
                        .build();
        worker.start();
    }

    private void stopNode() {
        if (worker != null) {
            worker.close();
            worker = null;
        }
        if (node != null) {
            node.close();
            node = null;
        }
    }

    private RedisServer redis() {
        if (redis == null) {
            throw new AssertionError("there is no Redis");
        }
        return redis;
    }

    /// What a user of Redis sees.
    private RedisClient submitter() {
        if (submitter == null) {
            throw new AssertionError("there is no client of Redis");
        }
        return submitter;
    }

    private Result doubled(JsonObject params) {
        runs.incrementAndGet();
        var argument = params.array("args").orElse(JsonArray.EMPTY).get(0);
        return Result.success(
                argument instanceof JsonNumber number
                        ? JsonNumber.of(2 * number.asLong())
                        : new JsonString(((JsonString) argument).value().repeat(2)));
    }

    private static JsonObject task(String function, JsonValue argument) {
        return JsonObject.of(
                "function_id", new JsonString(function), "args", JsonArray.of(argument));
    }

    private void set(String key, JsonObject task) {
        submitter().set(key, new String(JsonText.write(task), StandardCharsets.UTF_8));
    }

    private JsonObject value(String key) {
        return (JsonObject) JsonText.read(submitter().get(key));
    }

    private JsonObject awaitStatus(String key, String status) {
        await(key + " is " + status + ", was " + submitter().get(key))
                .until(() -> value(key).string("status").orElse("").equals(status));
        return value(key);
    }

    @Test
    void aTaskThatIsSetAndPublished_isDone_andItsResultIsUnderItsKey() {
        set("t-1", task("double", JsonNumber.of(21)).with("note", new JsonString("mine")));
        submitter().publish("Tasks", "t-1");

        var done = awaitStatus("t-1", "COMPLETED");

        assertThat(done.get("result")).contains(JsonNumber.of(42));
        assertThat(done.string("task_id")).contains("t-1");
        // What the submitter wrote stays.
        assertThat(done.string("note")).contains("mine");
        assertThat(done.string("function_id")).contains("double");
        assertThat(done.string("job_id")).isPresent();
    }

    @Test
    void aTaskThatWasSetWhileNobodyListened_isFound() {
        stopNode();
        set("t-1", task("double", JsonNumber.of(4)));
        submitter().publish("Tasks", "t-1");
        submitter().set("something else", "no task");
        submitter().lpush("a list", "no task");

        startNode();

        assertThat(awaitStatus("t-1", "COMPLETED").get("result")).contains(JsonNumber.of(8));
        assertThat(submitter().get("something else")).isEqualTo("no task");
    }

    @Test
    void aTaskWhoseFunctionThrows_hasFailed_withTheReason() {
        set("t-1", task("refuse", JsonNumber.of(1)));
        submitter().publish("Tasks", "t-1");

        var error = awaitStatus("t-1", "FAILED").object("error").orElseThrow();

        assertThat(error.string("error_type")).contains("FunctionExecutionFailure");
        assertThat(error.string("message").orElse("")).contains("no such thing");
        assertThat(error.string("task_id")).contains("t-1");
    }

    @Test
    void aTaskWithCode_orWithoutAFunction_isRefused_andTheValueNamesTheReason() {
        set("code", JsonObject.of("fn_payload", new JsonString("gASV")));
        set("nameless", JsonObject.of("function_id", new JsonString(" ")));
        set(
                "wrong",
                JsonObject.of("function_id", new JsonString("double"), "args", JsonNumber.of(1)));
        set("unknown", JsonObject.of("blueprint", new JsonString("no_such_blueprint")));
        for (var key : new String[] {"code", "nameless", "wrong", "unknown"}) {
            submitter().publish("Tasks", key);
            assertThat(
                            awaitStatus(key, "FAILED")
                                    .object("error")
                                    .orElseThrow()
                                    .string("error_type"))
                    .contains("SerializationError");
        }
        assertThat(value("code").toString()).contains("name it in function_id");
        assertThat(value("unknown").toString()).contains("no_such_blueprint");
    }

    /// Trap: who writes to Redis names the job of somebody else, and its result is written under his key.
    @Test
    void aJobThatIsNotOfTheTask_isNotRead() {
        var input = JsonObject.of("secret", JsonNumber.of(7));
        set("own", JsonObject.of("blueprint", new JsonString("echo_input"), "input", input));
        submitter().publish("Tasks", "own");
        var job = awaitStatus("own", "COMPLETED").get("job_id").orElseThrow();

        set(
                "steal",
                task("double", JsonNumber.of(1))
                        .with("status", new JsonString("RUNNING"))
                        .with("job_id", job));
        submitter().publish("Tasks", "steal");

        var refused = awaitStatus("steal", "FAILED");
        assertThat(refused.toString())
                .contains("job_id is written by the orchestrator alone")
                .doesNotContain("secret");
        assertThat(value("own").get("result")).contains(input);
    }

    /// Trap: what cannot be submitted is tried each second, with a stack trace in the log, and keeps others waiting.
    @Test
    void aNumberThatNoJobHas_failsItsTaskAlone() {
        for (var i = 0; i < 50; i++) {
            submitter().set("odd-" + i, "{\"function_id\":\"double\",\"priority\":1e999999999}");
            submitter().publish("Tasks", "odd-" + i);
        }
        set("good", task("double", JsonNumber.of(3)));
        submitter().publish("Tasks", "good");

        awaitStatus("good", "COMPLETED");
        assertThat(awaitStatus("odd-49", "FAILED").toString()).contains("priority");
    }

    /// Trap: a job that no address can name is asked for again at once, forever, and the thread that asked rests each time.
    @Test
    void aTaskWithAJobIdThatNoJobHas_failsAlone() {
        var ids =
                List.of(
                        "..",
                        ".",
                        "a/b",
                        "x".repeat(60_000),
                        "\uD83D\uDE00".repeat(2_000),
                        "x" + "\uD83D\uDE00".repeat(2_000));
        for (var i = 0; i < 100; i++) {
            set(
                    "poison-" + i,
                    task("double", JsonNumber.of(1))
                            .with("status", new JsonString("RUNNING"))
                            .with("job_id", new JsonString(ids.get(i % ids.size()))));
            submitter().publish("Tasks", "poison-" + i);
        }
        set("good", task("double", JsonNumber.of(3)));
        submitter().publish("Tasks", "good");

        awaitStatus("good", "COMPLETED");
        for (var i = 0; i < 100; i++) {
            assertThat(awaitStatus("poison-" + i, "FAILED").toString())
                    .contains("job_id is written by the orchestrator alone");
        }
    }

    /// Trap: a body that is larger than any request is sent again and again, as if the orchestrator were away.
    @Test
    void aTaskThatIsLargerThanARequest_failsAlone() {
        for (var i = 0; i < 10; i++) {
            set("large-" + i, task("double", new JsonString("x".repeat(3 << 20))));
            submitter().publish("Tasks", "large-" + i);
        }
        set("good", task("double", JsonNumber.of(3)));
        submitter().publish("Tasks", "good");

        awaitStatus("good", "COMPLETED");
        for (var i = 0; i < 10; i++) {
            awaitStatus("large-" + i, "FAILED");
        }
    }

    /// Trap: a large value is read and parsed for each announcement of its key, and others wait until there are no more.
    @Test
    void oneLargeValue_thatIsAnnouncedAgainAndAgain_keepsNoOtherWaiting() {
        var numbers = "1234567890.12345678,".repeat(200_000);
        submitter()
                .set(
                        "over",
                        "{\"function_id\":\"double\",\"status\":\"COMPLETED\",\"pad\":["
                                + numbers
                                + "0]}");
        for (var i = 0; i < 20_000; i++) {
            submitter().publish("Tasks", "over");
        }
        set("good", task("double", JsonNumber.of(3)));
        submitter().publish("Tasks", "good");

        awaitStatus("good", "COMPLETED");
    }

    /// Trap: of a large value only the beginning is read, or its result is written by nobody.
    @Test
    void largeTasks_areDone_asSmallOnesAre() {
        for (var i = 0; i < 5; i++) {
            set("large-" + i, task("double", new JsonString("x".repeat(100_000 + i))));
            submitter().publish("Tasks", "large-" + i);
        }

        for (var i = 0; i < 5; i++) {
            assertThat(awaitStatus("large-" + i, "COMPLETED").get("result"))
                    .contains(new JsonString("x".repeat(200_000 + 2 * i)));
        }
    }

    /// Trap: keys that the orchestrator's account may not read are announced, and each costs a thread a second.
    @Test
    void keysThatTheAccountMayNotRead_areLeftAlone_andOthersGoOn() {
        stopNode();
        submitter()
                .executeCommand(
                        new CommandArguments(Protocol.Command.ACL)
                                .add("SETUSER")
                                .add("artel")
                                .add("on")
                                .add(">secret")
                                .add("~t-*")
                                .add("&*")
                                .add("+@all"));
        startNode(settings ->
                settings.withUri(URI.create("redis://artel:secret@127.0.0.1:" + redis().port())));
        for (var i = 0; i < 2_000; i++) {
            set("foreign-" + i, task("double", JsonNumber.of(2)));
            submitter().publish("Tasks", "foreign-" + i);
        }
        set("t-1", task("double", JsonNumber.of(3)));
        submitter().publish("Tasks", "t-1");

        awaitStatus("t-1", "COMPLETED");
        assertThat(value("foreign-0").has("job_id")).isFalse();
    }

    /// Trap: a value of any size is read into memory, and a list under a key that was published stops a reader for a second.
    @Test
    void aValueThatIsTooLarge_orOfAnotherType_isLeftAlone_andOthersGoOn() {
        var large = "{\"function_id\":\"double\",\"note\":\"" + "x".repeat(4 << 20) + "\"}";
        submitter().set("large", large);
        for (var i = 0; i < 50; i++) {
            submitter().lpush("list-" + i, "no task");
            submitter().publish("Tasks", "list-" + i);
            submitter().publish("Tasks", "large");
        }
        set("good", task("double", JsonNumber.of(3)));
        submitter().publish("Tasks", "good");

        awaitStatus("good", "COMPLETED");
        assertThat(submitter().get("large")).isEqualTo(large);
    }

    /// Trap: names of keys of any length are read at once, announced and found, and are read again at each start.
    @Test
    void aKeyWhoseNameIsTooLong_isLeftAlone_andOthersGoOn() {
        var name = "k".repeat(32 << 10);
        var queued = task("double", JsonNumber.of(2));
        for (var i = 0; i < 10; i++) {
            set(name + i, queued);
            submitter().publish("Tasks", name + i);
        }
        set("good", task("double", JsonNumber.of(3)));
        submitter().publish("Tasks", "good");

        awaitStatus("good", "COMPLETED");
        for (var i = 0; i < 10; i++) {
            assertThat(submitter().get(name + i)).isEqualTo(queued.toString());
            submitter().del(name + i);
        }
    }

    /// Trap: the job of another client has the label of the key, or the value has no job at all.
    @Test
    void aJobOfAnotherClient_isNotRead_thoughItHasTheLabelOfTheKey() {
        try (var client = ArtelClient.of(node().uri(), node().clientToken())) {
            var job =
                    client.submit(
                            JobSubmission.of(
                                            "echo_input", JsonObject.of("secret", JsonNumber.of(7)))
                                    .withLabel("redis_task", "steal"));
            client.awaitFinal(job, Await.longest());
            set(
                    "steal",
                    task("double", JsonNumber.of(1))
                            .with("status", new JsonString("RUNNING"))
                            .with("job_id", new JsonString(job.id())));
            set(
                    "jobless",
                    task("double", JsonNumber.of(1)).with("status", new JsonString("RUNNING")));
            for (var key : List.of("steal", "jobless")) {
                submitter().publish("Tasks", key);
                assertThat(awaitStatus(key, "FAILED").toString())
                        .contains("job_id")
                        .doesNotContain("secret");
            }
        }
    }

    @Test
    void jobsOfTasks_areThoseOfTheirOwnClient_whichHasNoPowersOfOperators() {
        set("t-1", task("double", JsonNumber.of(2)));
        submitter().publish("Tasks", "t-1");
        awaitStatus("t-1", "COMPLETED");

        assertThat(jobsOf("redis", "t-1")).isEqualTo(1);
    }

    private long jobsOf(String name, String key) {
        try (var client = ArtelClient.of(node().uri(), node().clientToken())) {
            return client.countAll(JobFilter.ofLabel("redis_task", key).withClient(name)).matched();
        }
    }

    /// Trap: who writes to Redis reads the files of all clients, or sends requests to hosts that only the orchestrator reaches.
    @Test
    void builtInActions_areNoTasks_neitherByTheirTypeNorByTheBlueprintOfTasks() {
        var list = JsonObject.of("action", new JsonString("list"));
        set("type", JsonObject.of("task_type", new JsonString("file_storage"), "params", list));
        set(
                "blueprint",
                JsonObject.of(
                        "blueprint",
                        new JsonString("redis_task"),
                        "input",
                        JsonObject.of("type", new JsonString("file_storage"), "params", list)));
        for (var key : List.of("type", "blueprint")) {
            submitter().publish("Tasks", key);
            assertThat(awaitStatus(key, "FAILED").toString())
                    .contains("'file_storage' are not allowed through Redis")
                    .doesNotContain("job_id");
        }
    }

    /// Trap: any client submits the blueprint of tasks, which does whatever type it is given.
    @Test
    void theBlueprintOfTasks_doesNoBuiltInActionForOtherClientsEither() {
        try (var client = ArtelClient.of(node().uri(), node().clientToken())) {
            var job =
                    client.submit(
                            JobSubmission.of(
                                    "redis_task",
                                    JsonObject.of("type", new JsonString("file_storage"))));

            await("the job has failed").until(() -> client.find(job).status() == JobStatus.FAILED);
            assertThat(client.find(job).error().orElse("")).contains("redis.task-types");
        }
    }

    @Test
    void typesAndBlueprints_areThoseOfTheSettings_andABuiltInActionIsNamedInFull() {
        stopNode();
        startNode(settings ->
                settings.withTaskTypes(NamePatterns.of("dou*, set, json*"))
                        .withBlueprints(NamePatterns.of("order")));
        set("double", task("double", JsonNumber.of(2)));
        set("set", JsonObject.of("task_type", new JsonString("set"), "params", JsonObject.EMPTY));
        set("refuse", task("refuse", JsonNumber.of(2)));
        set("json", JsonObject.of("task_type", new JsonString("json_query")));
        set("echo", JsonObject.of("blueprint", new JsonString("echo_input")));
        for (var key : List.of("double", "set", "refuse", "json", "echo")) {
            submitter().publish("Tasks", key);
        }

        awaitStatus("double", "COMPLETED");
        awaitStatus("set", "COMPLETED");
        assertThat(awaitStatus("refuse", "FAILED").toString()).contains("redis.task-types");
        assertThat(awaitStatus("json", "FAILED").toString()).contains("redis.task-types");
        assertThat(awaitStatus("echo", "FAILED").toString()).contains("redis.blueprints");
    }

    @Test
    void limitsOfTheClient_holdForTasks() throws IOException {
        stopNode();
        Files.writeString(folder.resolve("clients.toml"), "[robots]\nmax_priority = 2\n", UTF_8);
        startNode(settings -> settings.withClient("robots"));
        set("high", task("double", JsonNumber.of(2)).with("priority", JsonNumber.of(3)));
        set("low", task("double", JsonNumber.of(2)).with("priority", JsonNumber.of(2)));
        submitter().publish("Tasks", "high");
        submitter().publish("Tasks", "low");

        assertThat(awaitStatus("high", "FAILED").toString()).contains("priority");
        awaitStatus("low", "COMPLETED");
        assertThat(jobsOf("robots", "low")).isEqualTo(1);
    }

    @Test
    void aClientThatIsNotThere_orCannotSubmit_preventsTheStart() throws IOException {
        stopNode();
        Files.writeString(
                folder.resolve("clients.toml"),
                "[watcher]\ntoken = \"a-long-token-of-a-watcher\"\nrole = \"viewer\"\n",
                UTF_8);

        assertThatThrownBy(() -> startNode(settings -> settings.withClient("nobody")))
                .hasMessageContaining("redis.client names the client nobody");
        assertThatThrownBy(() -> startNode(settings -> settings.withClient("watcher")))
                .hasMessageContaining("cannot submit jobs");
    }

    @Test
    void aTaskCanBeAJobOfABlueprint() {
        var input = JsonObject.of("a", JsonNumber.of(1));
        set("t-1", JsonObject.of("blueprint", new JsonString("echo_input"), "input", input));
        submitter().publish("Tasks", "t-1");

        assertThat(awaitStatus("t-1", "COMPLETED").get("result")).contains(input);
    }

    /// Two programs that read a value, change it and write it lose what the other one wrote, unless they compare.
    @Test
    void whatItsSubmitterChangesMeanwhile_staysInTheValue_thoughTheOrchestratorWritesIt()
            throws Exception {
        var keys = IntStream.range(0, 10).mapToObj(i -> "edited-" + i).toList();
        for (var key : keys) {
            set(key, task("double", JsonNumber.of(3)));
            submitter().publish("Tasks", key);
        }
        var edits = 0;
        var until = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        while (System.nanoTime() < until) {
            for (var key : keys) {
                var _ = submitter().eval(EDIT, List.of(key), List.of());
                TimeUnit.MILLISECONDS.sleep(1);
            }
            edits++;
        }

        for (var key : keys) {
            var done = awaitStatus(key, "COMPLETED");
            assertThat(done.get("result")).contains(JsonNumber.of(6));
            assertThat(done.get("edits")).as(key).contains(JsonNumber.of(edits));
        }
        assertThat(runs).hasValue(keys.size());
    }

    @Test
    void publishedTwice_aTaskIsDoneOnce() {
        set("t-1", task("double", JsonNumber.of(1)));
        for (var i = 0; i < 20; i++) {
            submitter().publish("Tasks", "t-1");
        }
        awaitStatus("t-1", "COMPLETED");
        submitter().publish("Tasks", "t-1");
        set("t-2", task("double", JsonNumber.of(2)));
        submitter().publish("Tasks", "t-2");
        awaitStatus("t-2", "COMPLETED");

        assertThat(runs).hasValue(2);
    }

    @Test
    void restartsOfRedisAndOfTheOrchestrator_loseNoTask_andDoNoneTwice() throws Exception {
        var count = 60;
        for (var i = 0; i < count; i++) {
            set("t-" + i, task("double", JsonNumber.of(i)));
            submitter().publish("Tasks", "t-" + i);
            if (i == 20) {
                stopNode();
            }
            if (i == 30) {
                startNode();
            }
            if (i == 40) {
                redis().kill();
                redis().startAgain();
                awaitAnswer();
            }
        }

        for (var i = 0; i < count; i++) {
            assertThat(awaitStatus("t-" + i, "COMPLETED").get("result"))
                    .contains(JsonNumber.of(2L * i));
        }
        try (var client = ArtelClient.of(node().uri(), node().clientToken())) {
            assertThat(client.countAll(JobFilter.ofBlueprint("redis_task")).matched())
                    .isEqualTo(count);
        }
    }

    /// The connections of before are broken.
    private void awaitAnswer() {
        await("redis-server answers")
                .ignoreExceptionsInstanceOf(JedisException.class)
                .until(() -> submitter().ping().equals("PONG"));
    }

    private ArtelNode node() {
        if (node == null) {
            throw new AssertionError("there is no orchestrator");
        }
        return node;
    }

    @Test
    void aSubmitterInPython_getsItsResults() throws Exception {
        var command = new ArrayList<String>();
        command.add(OptionalService.PYTHON_REDIS.program());
        command.add(Path.of("src", "test", "python", "redis_submitter.py").toString());
        command.add(Integer.toString(redis().port()));
        command.add("double");
        IntStream.range(0, 20).forEach(i -> command.add("n" + i));
        var output = folder.resolve("submitter.txt").toFile();
        var submitter =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output)
                        .start();

        assertThat(submitter.waitFor(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        var lines = Files.readAllLines(output.toPath());
        assertThat(submitter.exitValue()).as(lines.toString()).isZero();
        assertThat(lines).hasSize(20);
        for (var i = 0; i < lines.size(); i++) {
            assertThat(((JsonObject) JsonText.read(lines.get(i))).get("result"))
                    .contains(new JsonString(("n" + i).repeat(2)));
        }
    }
}
