package dev.artel.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SubmitTest {
    @AutoClose private static final ArtelNode node = TestNodes.inMemory();
    private static final TestClient client = TestClient.of(node);

    @Test
    void aSubmission_isAcceptedWithTheJobsId() {
        var answer = client.post("/api/v1/jobs", "{\"blueprint\":\"echo\"}");

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.object().string("status")).contains("accepted");
        assertThat(answer.header("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
        var id = answer.object().string("job_id").orElseThrow();
        assertThat(client.get("/api/v1/jobs/" + id).status()).isEqualTo(200);
    }

    @Test
    void everythingThatCanBeSet_isKept() {
        var id =
                client.submit(
                        """
                        {"blueprint":"echo","initial_data":{"x":1},"priority":2.5,"labels":{"team":"red"},
                        "deadline":"2099-01-31T12:00:00.123456Z","cancel_grace_seconds":1,"idempotency_key":"all"}\
                        """);

        var job = client.get("/api/v1/jobs/" + id).object();
        assertThat(job.get("initial_data")).hasToString("Optional[{\"x\":1}]");
        assertThat(job.get("priority")).hasToString("Optional[2.5]");
        assertThat(job.get("labels")).hasToString("Optional[{\"team\":\"red\"}]");
        assertThat(job.string("deadline")).contains("2099-01-31T12:00:00.123Z");
    }

    @Test
    void moreNamesThanAJobMayHave_areRefused() {
        var names = JsonObject.builder();
        for (var i = 0; i <= 10_000; i++) {
            names.put("n" + i, i);
        }
        var body = JsonObject.builder().put("blueprint", "echo").put("initial_data", names.build());

        var answer = client.post("/api/v1/jobs", body.build().toString());

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.detail())
                .isEqualTo(
                        "the initial data have 10001 names, and those of a job have at most 10000;"
                                + " put what belongs together under one name");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                             | blueprint is missing",
                "[1]                                            | the body must be an object, was array",
                "{\"blueprint\":7}                              | blueprint must be a string, was number",
                "{\"blueprint\":\"echo\",\"prioritty\":1}       | unknown field prioritty; there are [blueprint, version, initial_data, idempotency_key, priority, deadline, deadline_seconds, labels, cancel_grace_seconds, webhook_url, webhook_events, budget, signal]",
                "{\"blueprint\":\"echo\",\"priority\":\"high\"} | priority must be a number, was string",
                "{\"blueprint\":\"echo\",\"priority\":1e400}    | priority must be from -1000000000 to 1000000000, was 1E+400",
                "{\"blueprint\":\"echo\",\"labels\":[]}         | labels must be an object, was array",
                "{\"blueprint\":\"echo\",\"labels\":{\"a\":1}}  | labels.a must be a string, was number",
                "{\"blueprint\":\"echo\",\"deadline\":\"soon\"} | deadline must be an instant such as 2030-01-31T12:00:00Z, was 'soon'",
                "{\"blueprint\":\"echo\",\"deadline\":\"+1000000-01-01T00:00:00Z\"} | deadline must be an instant such as 2030-01-31T12:00:00Z, was '+1000000-01-01T00:00:00Z'",
                "{\"blueprint\":\"echo\",\"deadline_seconds\":0} | deadline_seconds must be from 0.001 to 316224000, was 0",
                "{\"blueprint\":\"echo\",\"deadline\":\"2099-01-01T00:00:00Z\",\"deadline_seconds\":1} | deadline and deadline_seconds exclude each other",
                "{\"blueprint\":\"echo\",\"cancel_grace_seconds\":-1} | cancel_grace_seconds must be from 0 to 86400, was -1",
                "{\"blueprint\":\"echo\",\"idempotency_key\":\"\"} | idempotency_key must have 1 to 200 characters, had 0",
                "{\"blueprint\":null,\"priority\":true}         | blueprint must be a string, was null; priority must be a number, was boolean"
            })
    void whatIsWrong_isReportedByName(String body, String detail) {
        var answer = client.post("/api/v1/jobs", body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo("Invalid job");
        assertThat(answer.detail()).isEqualTo(detail);
    }

    @Test
    void anUnknownBlueprint_isNotFound() {
        var answer = client.post("/api/v1/jobs", "{\"blueprint\":\"nope\"}");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.error()).isEqualTo("Blueprint not found");
        assertThat(answer.detail())
                .isEqualTo(
                        "there is no blueprint 'nope'; there are [chain3, echo, fanout, map, square]");
        assertThat(client.post("/api/v1/jobs/nope", "{}").status()).isEqualTo(404);
    }

    @Test
    void theSameKey_givesTheSameJob_alsoWithARelativeDeadline() {
        var body = "{\"blueprint\":\"echo\",\"deadline_seconds\":900,\"idempotency_key\":\"k1\"}";
        var first = client.submit(body);

        assertThat(client.submit(body)).isEqualTo(first);
        var byHeader =
                client.post(
                        "/api/v1/jobs",
                        "{\"blueprint\":\"echo\",\"deadline_seconds\":900}",
                        "Idempotency-Key",
                        "k1");
        assertThat(byHeader.object().string("job_id")).contains(first);
    }

    @Test
    void aKeyForAnotherRequest_isRefused() {
        client.submit("{\"blueprint\":\"echo\",\"idempotency_key\":\"k2\"}");

        var answer =
                client.post(
                        "/api/v1/jobs",
                        "{\"blueprint\":\"echo\",\"idempotency_key\":\"k2\",\"priority\":1}");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.error()).isEqualTo("Idempotency key reused");
        assertThat(answer.detail()).isNotEmpty();
    }

    @Test
    void twoKeys_mustAgree() {
        var answer =
                client.post(
                        "/api/v1/jobs",
                        "{\"blueprint\":\"echo\",\"idempotency_key\":\"a\"}",
                        "Idempotency-Key",
                        "b");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail())
                .isEqualTo("idempotency_key differs from the header Idempotency-Key");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"x\":1}                                   | {\"x\":1}",
                "[1,2]                                       | {\"data\":[1,2]}",
                "\"text\"                                    | {\"data\":\"text\"}",
                "{\"priority\":3}                            | {\"priority\":3}",
                "{\"initial_data\":{\"y\":2},\"priority\":3} | {\"y\":2}",
                "{\"initial_data\":[]}                       | {\"data\":[]}"
            })
    void theOldEndpointOfABlueprint_takesDataBareOrWrapped(String body, String data) {
        var answer = client.post("/api/jobs/echo", body);

        assertThat(answer.status()).isEqualTo(202);
        var id = answer.object().string("job_id").orElseThrow();
        assertThat(client.get("/api/v1/jobs/" + id).object().get("initial_data"))
                .hasToString("Optional[" + data + "]");
    }

    /// Trap: an application forwards the JSON of its user, who adds members that decide about the job.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[1,2] | {\"data\":[1,2]}",
                "{\"initial_data\":{\"y\":2},\"priority\":3,\"labels\":{\"a\":\"b\"}} |",
                "{\"webhook_url\":\"https://evil.example/\",\"idempotency_key\":\"k\",\"priority\":9} |",
                "{\"initial_data\":{},\"blueprint\":\"fanout\",\"no_such_field\":1} |"
            })
    void theBodyForABlueprint_isItsDataAndDecidesNothingElse(String body, String data) {
        var answer = client.post("/api/v1/jobs/echo", body);

        assertThat(answer.status()).isEqualTo(202);
        var id = answer.object().string("job_id").orElseThrow();
        var job = client.get("/api/v1/jobs/" + id).object();
        assertThat(job.get("initial_data"))
                .hasToString("Optional[" + (data == null ? body : data) + "]");
        assertThat(job.string("blueprint_name")).contains("echo");
        assertThat(job.get("priority")).hasToString("Optional[0.0]");
        assertThat(job.object("labels").orElse(JsonObject.EMPTY).size()).isZero();
        assertThat(client.get("/api/v1/jobs/" + id + "/webhooks").items().size()).isZero();
        assertThat(client.post("/api/v1/jobs/echo", body).object().string("job_id"))
                .isNotEqualTo(Optional.of(id));
    }

    @Test
    void theQuery_saysWhatElseThereIsToSayOfAJob() {
        var answer =
                client.post(
                        "/api/v1/jobs/echo?priority=5&label=order=4711&label=eu=&version=1"
                                + "&deadline_seconds=3600",
                        "{\"x\":1}");

        assertThat(answer.status()).isEqualTo(202);
        var job =
                client.get("/api/v1/jobs/" + answer.object().string("job_id").orElseThrow())
                        .object();
        assertThat(job.get("priority")).hasToString("Optional[5.0]");
        assertThat(job.get("labels")).hasToString("Optional[{\"order\":\"4711\",\"eu\":\"\"}]");
        assertThat(job.has("deadline")).isTrue();
        assertThat(job.get("initial_data")).hasToString("Optional[{\"x\":1}]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prio=1              | there is no parameter 'prio'; this route has version, priority,",
                "priority=high       | priority must be a number, was string",
                "priority=1&priority=2 | parameter priority must be there once",
                "label=a             | label must be NAME=VALUE, each name once, was 'a'",
                "webhook_events=job_finished | webhook_events chooses the calls of webhook_url",
                "initial_data=1      | there is no parameter 'initial_data'; this route has"
            })
    void aQueryThatCannotBeUnderstood_isRefused(String query, String detail) {
        var answer = client.post("/api/v1/jobs/echo?" + query, "{}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).startsWith(detail);
    }

    @Test
    void theOldEndpointOfABlueprint_refusesUnknownFieldsBesideInitialData() {
        var answer = client.post("/api/jobs/echo", "{\"initial_data\":{},\"webhook\":\"u\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).startsWith("unknown field webhook; there are [blueprint,");
        assertThat(
                        client.post("/api/jobs/echo", "{\"initial_data\":{},\"blueprint\":\"x\"}")
                                .detail())
                .isEqualTo("blueprint is 'x' here and 'echo' in the path");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``           | the body is empty; send a JSON value",
                "{\"a\":      | malformed JSON at line 1, column 6: the text ends in the middle of a value",
                "{\"a\":1} x  | malformed JSON at line 1, column 9: found what is no JSON",
                "{\"a\":1,\"a\":2} | malformed JSON at line 1, column 8: found the member \"a\" twice in one object",
                "{\"a\":\"\\ud800\"} | malformed JSON at line 1, column 6: found half of a surrogate pair in a string"
            })
    void malformedJson_isReportedWithItsPlace(String body, String detail) {
        for (var path : new String[] {"/api/v1/jobs", "/api/v1/jobs/echo"}) {
            var answer = client.post(path, body);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.error()).isEqualTo("Invalid JSON body");
            assertThat(answer.detail()).startsWith(detail);
        }
    }

    @Test
    void jsonThatIsNoUtf8_orTooDeep_isRefused() {
        var noUtf8 = client.post("/api/v1/jobs", new byte[] {'"', (byte) 0xff, '"'});
        var deep = client.post("/api/v1/jobs", "[".repeat(200_000));

        assertThat(noUtf8.status()).isEqualTo(400);
        assertThat(noUtf8.detail()).contains("UTF-8");
        assertThat(deep.status()).isEqualTo(400);
        assertThat(deep.detail())
                .endsWith(
                        "a value is nested deeper than 100, or a number is longer than 1000 characters");
    }

    @Test
    void aBodyOverTheLimit_isRefused() {
        var answer = client.post("/api/v1/jobs", " ".repeat((1 << 20) + 1));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.error()).isEqualTo("Body too large");
        assertThat(answer.detail()).isEqualTo("at most 1048576 bytes are taken");
        assertThat(answer.header("Connection")).contains("close");
    }
}
