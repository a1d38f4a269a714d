package dev.artel.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BulkTest {
    @AutoClose private static final ArtelNode node = TestNodes.inMemory();
    private static final TestClient client = TestClient.of(node);

    @Test
    void eachJobStandsForItself() {
        var answer =
                client.post(
                        "/api/v1/bulk",
                        """
                        {"jobs":[{"blueprint":"echo","idempotency_key":"k"},{"blueprint":"none"},{"blueprint":"echo",
                        "reputation":7},7,{"blueprint":"echo","idempotency_key":"k"}]}\
                        """);

        assertThat(answer.status()).isEqualTo(200);
        var results = answer.object().array("results").orElseThrow();
        var first = (JsonObject) results.get(0);
        assertThat(answer.object().get("accepted")).hasToString("Optional[2]");
        assertThat(answer.object().get("refused")).hasToString("Optional[3]");
        assertThat(client.get("/api/v1/jobs/" + first.string("job_id").orElseThrow()).status())
                .isEqualTo(200);
        assertThat(results.get(4)).isEqualTo(first);
        assertThat(results.get(1))
                .hasToString(
                        "{\"status\":\"refused\",\"http_status\":404,\"error\":\"Blueprint not found\",\"code\":\"blueprint_not_found\",\"detail\":\"there is"
                                + " no blueprint 'none'; there are [chain3, echo, fanout, map, square]\"}");
        assertThat(((JsonObject) results.get(2)).string("detail"))
                .hasValueSatisfying(
                        text -> assertThat(text).startsWith("unknown field reputation"));
        assertThat(((JsonObject) results.get(3)).string("detail"))
                .contains("the body must be an object, was number");
    }

    /// Trap: each unknown field of each job repeats the list of all that are known, and the answer has 25 times the size of the request.
    @Test
    void jobsOfManyUnknownFields_areAnsweredWithTheFirstOfThem_andTheListOnce() {
        var fields =
                IntStream.range(0, 4_000)
                        .mapToObj("\"%d\":1"::formatted)
                        .collect(Collectors.joining(","));
        var job = "{\"signal\":{%1$s},\"budget\":{%1$s},%1$s}".formatted(fields);

        var answer = client.post("/api/v1/bulk", "{\"jobs\":[" + job + "," + job + "]}");

        assertThat(answer.object().get("refused")).hasToString("Optional[2]");
        assertThat(answer.text())
                .contains("unknown fields 0, 1, 2")
                .contains(" 18, 19 and 3980 more; there are [blueprint,")
                .contains("unknown fields signal.0, signal.1")
                .contains(" and 3980 more of budget; there are [cost_usd")
                .hasSizeLessThan(5_000);
    }

    @Test
    void aThousandJobs_areDurableTogether() {
        var jobs =
                IntStream.range(0, 1000)
                        .mapToObj(_ -> "{\"blueprint\":\"chain3\"}")
                        .collect(Collectors.joining(","));

        var answer = client.post("/api/v1/bulk", "{\"jobs\":[" + jobs + "]}");
        var more = client.post("/api/v1/bulk", "{\"jobs\":[" + jobs + ",{}]}");

        assertThat(answer.object().get("accepted")).hasToString("Optional[1000]");
        assertThat(more.status()).isEqualTo(400);
        assertThat(more.detail()).isEqualTo("jobs must have 1 to 1000 entries, had 1001");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | the body must be an object with an array jobs, was array",
                "{} | the body must be an object with an array jobs, was object",
                "{\"jobs\":{}} | the body must be an object with an array jobs, was object",
                "{\"jobs\":[]} | jobs must have 1 to 1000 entries, had 0",
                "{\"jobs\":[{}],\"as\":\"admin\"} | unknown field as; there is [jobs]"
            })
    void whatIsNoBulk_isRefused(String body, String detail) {
        var answer = client.post("/api/v1/bulk", body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo("Invalid JSON body");
        assertThat(answer.detail()).isEqualTo(detail);
    }

    @Test
    void aBodyOfMoreThanEightMegabytes_isRefused() {
        var answer = client.post("/api/v1/bulk", " ".repeat((8 << 20) + 1));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.error()).isEqualTo("Body too large");
    }

    /// Trap: a JSON bomb, deep or with very many labels, must not cost more than reading it.
    @Test
    void bombs_areRefused() {
        var labels =
                IntStream.range(0, 10_000)
                        .mapToObj(i -> "\"l" + i + "\":\"x\"")
                        .collect(Collectors.joining(","));

        var many =
                client.post("/api/v1/jobs", "{\"blueprint\":\"echo\",\"labels\":{" + labels + "}}");
        var deep = client.post("/api/v1/bulk", "{\"jobs\":" + "[".repeat(1_000_000));

        assertThat(many.status()).isEqualTo(400);
        assertThat(many.detail()).isEqualTo("labels must have at most 50, had 10000");
        assertThat(deep.status()).isEqualTo(400);
        assertThat(deep.detail())
                .endsWith(
                        "a value is nested deeper than 100, or a number is longer than 1000 characters");
    }
}
