package dev.artel.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.StreamId;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.Storage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Submissions that bring a signal, whether they begin the job of their key or find it.
final class SubmitWithSignalTest {
    private final Storage storage = TestNodes.storage();
    private ArtelNode node = start();
    private TestClient client = TestClient.of(node);

    /// Gathers two signals.
    private static Blueprint basket() {
        return Blueprint.named("basket")
                .start("first", _ -> Action.awaitSignal("added", "second"))
                .leadingTo("second")
                .state(
                        "second",
                        step ->
                                Action.awaitSignal("added", "end")
                                        .with(
                                                JsonObject.of(
                                                        "one", step.value("added").orElseThrow())))
                .leadingTo("end")
                .state("end", step -> Action.finish(step.data()))
                .build();
    }

    private ArtelNode start() {
        return ArtelNode.start(TestNodes.CONFIG, Blueprints.of(basket()), storage);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private static String body(String id, String payload) {
        return "{\"blueprint\":\"basket\",\"idempotency_key\":\"customer-7\",\"signal\":{\"name\":\"added\",\"id\":\""
                + id
                + "\",\"payload\":\""
                + payload
                + "\"}}";
    }

    private JsonObject ended(String job) {
        return client.get("/api/v1/jobs/" + job + "?wait=60").object();
    }

    private List<String> types(String job) {
        return client.get("/api/v1/jobs/" + job + "/history").items().stream()
                .map(event -> ((JsonObject) event).string("type").orElseThrow())
                .toList();
    }

    /// Trap: an orchestrator that dies between the submission and the signal has a job that waits forever.
    @Test
    void theFirstSubmission_beginsTheJob_andItsFirstAppendHasTheSignal() {
        var job = client.submit(body("s-1", "apple"));

        var history = client.get("/api/v1/jobs/" + job + "/history").items();
        assertThat(types(job)).startsWith("job.submitted", "state.entered", "signal.received");
        assertThat(history.get(2).toString()).contains("\"added\"");
        assertThat(storage.events().read(StreamId.of(new JobId(job)), 0).getFirst().events())
                .hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void laterSubmissions_findTheJob_andBringItTheirSignals() {
        var first = client.submit(body("s-1", "apple"));
        assertThat(client.submit(body("s-1", "apple"))).isEqualTo(first);
        stop();
        node = start();
        client = TestClient.of(node);

        assertThat(client.submit(body("s-2", "pear"))).isEqualTo(first);

        var job = ended(first);
        assertThat(job.string("status")).contains("finished");
        assertThat(job.object("result").orElseThrow().string("one")).contains("apple");
        assertThat(job.object("result").orElseThrow().string("added")).contains("pear");
        assertThat(types(first).stream().filter("signal.received"::equals)).hasSize(2);
    }

    @Test
    void aJobThatIsOver_isNotBegunAgain_andTheSignalIsRefused() {
        var job = client.submit(body("s-1", "apple"));
        client.submit(body("s-2", "pear"));
        assertThat(ended(job).string("status")).contains("finished");

        var late = client.post("/api/v1/jobs", body("s-3", "plum"));
        var again = client.post("/api/v1/jobs", body("s-2", "pear"));

        assertThat(late.status()).isEqualTo(409);
        assertThat(late.object().string("code")).contains("job_over");
        assertThat(late.detail()).contains("signal 'added' is refused", "finished");
        assertThat(again.status()).isEqualTo(202);
    }

    @Test
    void anotherRequestUnderTheKey_isRefused_andItsSignalIsNotReceived() {
        var job = client.submit(body("s-1", "apple"));

        var other =
                client.post(
                        "/api/v1/jobs",
                        body("s-2", "pear").replace("\"signal\"", "\"priority\":3,\"signal\""));

        assertThat(other.status()).isEqualTo(409);
        assertThat(other.object().string("code")).contains("idempotency_key_reused");
        assertThat(types(job).stream().filter("signal.received"::equals)).hasSize(1);
    }

    @Test
    void bulkSubmissions_bringTheirSignalsToo() {
        var answer =
                client.post(
                        "/api/v1/bulk",
                        "{\"jobs\":[" + body("s-1", "apple") + "," + body("s-2", "pear") + "]}");

        assertThat(answer.object().number("accepted").map(JsonNumber::asLong)).contains(2L);
        var job =
                ((JsonObject) answer.object().array("results").orElseThrow().get(0))
                        .string("job_id")
                        .orElseThrow();
        assertThat(ended(job).string("status")).contains("finished");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"name\":\"a\",\"id\":\"1\"} | signal needs an idempotency_key",
                "7 | signal must be an object, was number",
                "{\"id\":\"1\"} | signal.name must have 1 to 100 letters",
                "{\"name\":\"a b\",\"id\":\"1\"} | signal.name must have 1 to 100 letters",
                "{\"name\":\"a\"} | signal.id must be a text of 1 to 200 characters",
                "{\"name\":\"a\",\"id\":\"1\",\"data\":7} | unknown field signal.data; there are [name, id, payload]",
            })
    void whatIsNoSignal_isRefused(String signal, String detail) {
        var key = detail.contains("needs") ? "" : ",\"idempotency_key\":\"k\"";
        var answer =
                client.post(
                        "/api/v1/jobs",
                        "{\"blueprint\":\"basket\"" + key + ",\"signal\":" + signal + "}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).contains(detail);
    }
}
