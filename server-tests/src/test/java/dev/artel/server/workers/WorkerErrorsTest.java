package dev.artel.server.workers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonValue;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The answers to workers whose requests are refused: problem details, and `error` for those of the first generations.
final class WorkerErrorsTest {
    @AutoClose private static final ArtelNode node = TestNodes.inMemory();
    private static final TestClient workers =
            new TestClient(node.uri(), "X-Worker-Token", node.workerToken());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "/workers/register | not json                | 400 | invalid_json | Invalid JSON body | found what is no JSON",
                "/workers/register | {}                      | 400 | invalid_body | Worker data not found in request | -",
                "/workers/register | {\"worker_type\":\"t\"} | 400 | invalid_body | Missing required field: worker_id | -",
                "/tasks/result | {\"worker_id\":\"w1\"}      | 400 | invalid_body | job_id and task_id are required | -",
                "/tasks/results | {\"worker_id\":\"w1\"}     | 400 | invalid_body | Invalid body | results",
                "/workers/w1/renew | 7                       | 400 | invalid_body | Invalid body | object",
                "/workers/register | {\"worker_id\":\"w1\",\"cost\":[]} | 400 | invalid_body | Invalid body | cost: expected a number, found an array",
                "/workers/register | {\"worker_id\":\"w1\",\"cost\":\"dear\"} | 400 | invalid_body | Invalid body | cost: expected a number, found a string"
            })
    void aRefusal_isAProblem_andHasTheOldMember(
            String path, String body, int status, String code, String error, String detail) {
        var answer = workers.post("/_worker" + path, body);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Content-Type"))
                .contains("application/problem+json; charset=utf-8");
        assertThat(answer.error()).isEqualTo(error);
        assertThat(answer.object().string("code")).contains(code);
        assertThat(answer.object().string("type")).contains("urn:artel:error:" + code);
        assertThat(answer.object().get("status")).contains(JsonValue.of(status));
        if (detail == null) {
            assertThat(answer.object().has("detail")).isFalse();
        } else {
            assertThat(answer.detail()).contains(detail);
        }
    }

    @Test
    void clientsAndWorkers_areRefusedInTheSameForm() {
        var stranger = new TestClient(node.uri(), "X-Other", "x");
        for (var answer :
                new Answer[] {
                    stranger.get("/api/v1/jobs"),
                    stranger.get("/_worker/workers/w1/tasks/next"),
                    workers.get("/_worker/nothing"),
                    workers.patch("/_worker/workers/unknown", "{}")
                }) {
            assertThat(answer.header("Content-Type"))
                    .contains("application/problem+json; charset=utf-8");
            assertThat(answer.object().names())
                    .contains("error", "code", "type", "title", "status");
            assertThat(answer.object().get("status")).contains(JsonValue.of(answer.status()));
        }
    }
}
