package dev.artel.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.On;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.TaskCall;
import dev.artel.config.PayloadSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskResult;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Values of 64 KB and more are kept apart, and nobody who works with them notices.
final class LargeValuesTest {
    private static final int LENGTH = 100_000;
    private static final String TEXT = "\u00fc".repeat(LENGTH);
    private static final JsonObject LARGE = JsonObject.of("text", JsonValue.of(TEXT));
    private static final int MAX = 1 << 20;

    @TempDir private Path folder;

    private ArtelNode node;
    private TestClient client;

    @BeforeEach
    void start() {
        var config =
                TestNodes.CONFIG
                        .withData(folder)
                        .withHttp(TestNodes.CONFIG.http().withMaxBodyBytes(4 * MAX))
                        .withGateway(TestNodes.CONFIG.gateway().withMaxBodyBytes(4 * MAX))
                        .withPayloads(PayloadSettings.DEFAULTS.withMaxBytes(MAX));
        node = ArtelNode.start(config, blueprints());
        client = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private static Blueprints blueprints() {
        var all =
                Blueprint.named("all")
                        .start("spread", LargeValuesTest::spread)
                        .leadingTo("join")
                        .state("join", LargeValuesTest::join)
                        .leadingTo("family")
                        .state("family", step -> Action.awaitSignal("word", "heard"))
                        .leadingTo("heard")
                        .state("heard", LargeValuesTest::compensable)
                        .leadingTo("end")
                        .state("end", LargeValuesTest::end)
                        .build();
        var inner =
                Blueprint.named("inner")
                        .start("one", step -> Action.finish(step.initialData()))
                        .build();
        var tooMuch =
                Blueprint.named("too-much")
                        .start(
                                "one",
                                _ ->
                                        Action.finish(
                                                JsonObject.of(
                                                        "text", JsonValue.of("x".repeat(MAX)))))
                        .build();
        var wide =
                Blueprint.named("wide")
                        .start(
                                "one",
                                _ ->
                                        Action.transitionTo("end")
                                                .with(half("left"))
                                                .with(half("right")))
                        .leadingTo("end")
                        .end("end")
                        .build();
        var ofWide =
                Blueprint.named("of-wide")
                        .start(
                                "run",
                                _ ->
                                        Action.runBlueprint(
                                                        "wide",
                                                        JsonObject.EMPTY,
                                                        Outcomes.on(Outcomes.FINISHED, "end"))
                                                .as("wide"))
                        .leadingTo("end")
                        .end("end")
                        .build();
        return Blueprints.of(
                all,
                inner,
                tooMuch,
                wide,
                ofWide,
                dev.artel.blueprint.Blueprint.annotated(new Invoices()));
    }

    @BlueprintDefinition(
            name = "invoices",
            data = {"customers", "count", "answers"})
    static final class Invoices {
        record Customer(String name) {}

        @StateHandler(value = "list", start = true, on = @On(value = "success", state = "spread"))
        TaskCall<JsonValue> list() {
            return TaskCall.of("list", JsonObject.EMPTY);
        }

        @StateHandler(
                value = "spread",
                leadsTo = "bill",
                when = "!has(data.customers) || data.customers.size() > 1",
                order = 1)
        List<TaskCall<JsonValue>> spread(List<Customer> customers) {
            return customers.stream()
                    .limit(2)
                    .map(each ->
                            TaskCall.of("bill", JsonObject.of("name", JsonValue.of(each.name()))))
                    .toList();
        }

        @StateHandler(value = "spread")
        JsonObject nobody(int count) {
            return JsonObject.of("nobody", JsonValue.of(count));
        }

        @StateHandler("bill")
        JsonObject bill(
                dev.artel.blueprint.Step<?> step,
                List<dev.artel.blueprint.TaskResult<JsonValue>> results,
                List<Customer> customers,
                int count) {
            try (var all = step.large("customers").stream(Customer.class)) {
                return JsonObject.builder()
                        .put("bills", results.size())
                        .put("customers", customers.size())
                        .put("streamed", all.filter(each -> each.name().startsWith("c")).count())
                        .put("second", step.large("customers").page(1, 1).getFirst())
                        .put("count", count)
                        .build();
            }
        }
    }

    /// Trap: a result that grows past the limit becomes another member, and a list of its customers is silently empty.
    @ParameterizedTest
    @ValueSource(ints = {3, 1_500, 9_000})
    void theDataOfAJob_haveTheSameShape_howeverLargeTheyAre(int customers) {
        var id = client.submit("{\"blueprint\":\"invoices\",\"initial_data\":{}}");
        var worker = new TestWorker(node, "w", "list", "bill");
        worker.report(worker.next(), customers(customers));
        for (var i = 0; i < 2; i++) {
            worker.report(worker.next(), LARGE);
        }

        var job = client.get("/api/v1/jobs/" + id + "?wait=60").object();

        assertThat(job.string("status"))
                .as(job.string("error_message").orElse(""))
                .contains("finished");
        assertThat(job.object("result").orElseThrow())
                .isEqualTo(
                        JsonObject.builder()
                                .put("bills", 2)
                                .put("customers", customers)
                                .put("streamed", customers)
                                .put("second", customer(1))
                                .put("count", customers)
                                .build());
        assertThat(
                        client.get("/api/v1/jobs/" + id)
                                .object()
                                .object("state_history")
                                .orElseThrow()
                                .names())
                .contains("customers", "count")
                .doesNotContain("result");
    }

    private static JsonObject customers(int count) {
        var all = IntStream.range(0, count).mapToObj(LargeValuesTest::customer).toList();
        return JsonObject.of(
                "customers", new JsonArray(List.copyOf(all)), "count", JsonValue.of(count));
    }

    private static JsonObject customer(int number) {
        return JsonObject.of("name", JsonValue.of("customer " + number + " ".repeat(40)));
    }

    /// Trap: the parameter is taken for an empty list, and the job finishes with nothing done.
    @Test
    void aListThatIsNotThere_quarantinesTheJobAtOnce_withAReasonThatNamesIt() {
        var id = client.submit("{\"blueprint\":\"invoices\",\"initial_data\":{}}");
        var worker = new TestWorker(node, "w", "list", "bill");
        worker.report(
                worker.next(),
                JsonObject.of("customer", JsonArray.EMPTY, "count", JsonValue.of(2)));

        var job = quarantined(id);

        assertThat(job.string("error_message").orElseThrow())
                .contains(
                        "blueprint 'invoices', state 'spread': handler spread asks for the"
                                + " parameter 'customers' (List), which is not there: data has"
                                + " [customer, count] and initial data has [], the nearest is"
                                + " 'customer'");
        assertThat(client.get("/api/v1/jobs/" + id + "/history").text().split("step.failed", -1))
                .hasSize(2);
    }

    private JsonObject quarantined(String id) {
        return Await.await()
                .until(
                        () -> client.get("/api/v1/jobs/" + id).object(),
                        found -> found.string("status").equals(Optional.of("quarantined")));
    }

    private static JsonObject half(String name) {
        return JsonObject.of(name, JsonValue.of("x".repeat(MAX * 6 / 10)));
    }

    private static Action spread(Step step) {
        var spec = TaskSpec.of("big", step.initialData());
        return Action.dispatchParallel(List.of(spec, spec), "join");
    }

    private static Action join(Step step) {
        var texts =
                step.results().stream()
                        .map(result -> length(((TaskResult.Succeeded) result).data()))
                        .toList();
        return Action.runBlueprint("inner", LARGE, Outcomes.on(Outcomes.FINISHED, "family"))
                .as("child")
                .with(JsonObject.of("results", new JsonArray(texts)).with("mine", LARGE));
    }

    private static Action compensable(Step step) {
        return Action.dispatch(TaskSpec.of("do", LARGE), Outcomes.on("success", "end"))
                .compensatedBy(
                        TaskSpec.of("compensation", step.data().object("word").orElseThrow()));
    }

    private static Action end(Step step) {
        var seen =
                JsonObject.builder()
                        .put("results", step.data().get("results").orElseThrow())
                        .put("mine", length(step.data().get("mine").orElseThrow()))
                        .put("child", has(step.data().get("child").orElseThrow()))
                        .put("word", length(step.data().get("word").orElseThrow()))
                        .build();
        return Action.fail(seen.toString());
    }

    private static JsonValue length(JsonValue value) {
        return JsonValue.of(((JsonObject) value).string("text").orElse("").length());
    }

    private static JsonValue has(JsonValue value) {
        return JsonValue.of(value.toString().contains(TEXT));
    }

    /// Trap: a value that is kept apart comes as a reference to where nobody resolves it.
    @Test
    void handlersWorkersAndClients_getValues_whereverTheyCome() {
        var id =
                client.submit(
                        JsonObject.of("blueprint", JsonValue.of("all"))
                                .with("initial_data", LARGE)
                                .toString());
        var worker = new TestWorker(node, "w", "big", "do", "compensation");
        for (var i = 0; i < 2; i++) {
            worker.report(withParams(worker.next()), LARGE);
        }
        assertThat(
                        client.post(
                                        "/api/v1/jobs/" + id + "/signals/word",
                                        JsonObject.of("id", JsonValue.of("1"))
                                                .with("payload", LARGE)
                                                .toString())
                                .status())
                .isBetween(200, 202);
        worker.report(withParams(worker.next()), LARGE);
        var compensate = withParams(worker.next());
        assertThat(compensate.string("type")).contains("compensation");
        worker.report(compensate, JsonObject.EMPTY);

        var job = client.get("/api/v1/jobs/" + id + "?wait=60").object();

        assertThat(job.string("status")).contains("failed");
        assertThat(job.string("error_message").orElseThrow())
                .contains(
                        "{\"results\":[100000,100000],\"mine\":100000,\"child\":true,"
                                + "\"word\":100000}");
        assertThat(job.object("initial_data")).contains(LARGE);
        assertThat(folder.resolve("payloads")).isNotEmptyDirectory();
        fork(id);
    }

    private void fork(String id) {
        var answer =
                client.post(
                        "/api/v1/jobs/" + id + "/fork",
                        JsonObject.of("state", JsonValue.of("family"))
                                .with("data", JsonObject.of("more", LARGE))
                                .toString());
        var forked = answer.object().string("job_id").orElseThrow();
        var data = client.get("/api/v1/jobs/" + forked).text();

        assertThat(data.split(TEXT.substring(0, 50_000), -1)).hasSizeGreaterThan(4);
    }

    private static JsonObject withParams(JsonObject task) {
        assertThat(task.object("params").flatMap(params -> params.get("text")))
                .isEqualTo(Optional.of(new JsonString(TEXT)));
        return task;
    }

    @Test
    void aSubmissionOverTheLimit_isRefused() {
        var answer = client.post("/api/v1/jobs", tooLarge("blueprint", "all", "initial_data"));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.text()).contains("Value too large").contains("payloads.max-bytes");
    }

    @Test
    void aSignalOverTheLimit_isRefused_andItsJobGoesOn() {
        var id = client.submit("{\"blueprint\":\"all\",\"initial_data\":{\"text\":\"\"}}");

        var answer =
                client.post("/api/v1/jobs/" + id + "/signals/word", tooLarge("id", "1", "payload"));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.text()).contains("Value too large").contains("1048576");
        assertThat(client.get("/api/v1/jobs/" + id).status()).isEqualTo(200);
    }

    /// Trap: a worker sends its result again forever, since no answer states that it will never be taken.
    @Test
    void aResultOverTheLimit_failsItsTaskForGood() {
        var id = client.submit("{\"blueprint\":\"all\",\"initial_data\":{\"text\":\"\"}}");
        var worker = new TestWorker(node, "w", "big");

        var answer =
                worker.report(worker.next(), JsonObject.of("text", JsonValue.of("x".repeat(MAX))));

        assertThat(answer.status()).isEqualTo(200);
        var task = client.get("/api/v1/jobs/" + id + "/tasks/0").text();
        assertThat(task).contains("VALUE_TOO_LARGE").contains("payloads.max-bytes");
    }

    /// Trap: each large result is written before its lease is judged, and is there for a day: a worker fills the disk with results of leases
    /// that are over, or never were.
    @Test
    void aResultThatNobodyAwaits_isNotKept() throws IOException {
        var id = client.submit("{\"blueprint\":\"all\",\"initial_data\":{\"text\":\"\"}}");
        var worker = new TestWorker(node, "w", "big");
        var task = worker.next();
        var name = task.string("task_id").orElseThrow();
        assertThat(worker.report(task, JsonObject.EMPTY).status()).isEqualTo(200);

        for (var other : List.of(name, name + "0", name.replaceFirst("[.]0[.]", ".99."), id)) {
            worker.report(task.with("task_id", JsonValue.of(other)), LARGE);
        }
        worker.report(task.with("task_id", JsonValue.of("none.0.1.x")), LARGE);
        assertThat(keptApart()).isEmpty();

        worker.report(worker.next(), LARGE);
        assertThat(keptApart()).isNotEmpty();
    }

    private List<Path> keptApart() throws IOException {
        try (var files = Files.walk(folder.resolve("payloads"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /// Trap: a handler whose data are too large is run again and again, with the same end.
    @Test
    void dataOverTheLimit_failTheHandler_whichIsNotTriedAgain() {
        var id = client.submit("{\"blueprint\":\"too-much\",\"initial_data\":{}}");

        var job = quarantined(id);
        assertThat(job.string("error_message").orElseThrow())
                .contains("1048587 bytes")
                .contains("payloads.max-bytes");
        assertThat(client.get("/api/v1/jobs/" + id + "/history").text().split("step.failed", -1))
                .hasSize(2);
    }

    /// Trap: the result of a child is too large for its parent, which waits forever, while it is sent again each second.
    @Test
    void aChildWhoseDataAreTooLargeTogether_reportsItsEndWithoutThem() {
        var id = client.submit("{\"blueprint\":\"of-wide\",\"initial_data\":{}}");

        var job = client.get("/api/v1/jobs/" + id + "?wait=60").object();

        assertThat(job.string("status")).contains("finished");
        var child = client.get("/api/v1/jobs/" + id).object().object("state_history").orElseThrow();
        assertThat(child.toString())
                .contains("\"outcome\":\"finished\"", "\"result_omitted\":true")
                .contains("payloads.max-bytes");
    }

    /// Trap: one job of many is too large, and the answer reports a bug instead of the jobs that were accepted.
    @Test
    void aJobOfManyThatIsTooLarge_isRefusedByItself() {
        var good = "{\"blueprint\":\"all\",\"initial_data\":{\"text\":\"\"}}";
        var bad = tooLarge("blueprint", "all", "initial_data");

        var answer =
                client.post("/api/v1/bulk", "{\"jobs\":[" + good + "," + bad + "," + good + "]}");

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.object().number("accepted").orElseThrow().asLong()).isEqualTo(2);
        var refused = (JsonObject) answer.object().array("results").orElseThrow().get(1);
        assertThat(refused.number("http_status").orElseThrow().asLong()).isEqualTo(413);
        assertThat(refused.toString()).contains("Value too large", "payloads.max-bytes");
    }

    private static String tooLarge(String name, String value, String large) {
        var text = JsonObject.of("text", JsonValue.of("x".repeat(MAX)));
        return JsonObject.of(name, JsonValue.of(value)).with(large, text).toString();
    }
}
