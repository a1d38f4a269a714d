package dev.artel.server.history;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LogsTest {
    @AutoClose private static final ArtelNode node = TestNodes.inMemory();
    private static final TestClient client = TestClient.of(node);
    private static final TestClient worker =
            new TestClient(node.uri(), "X-Worker-Token", node.workerToken());

    private static Answer send(String who, String task, String body) {
        return worker.post("/_worker/workers/" + who + "/tasks/" + task + "/logs", body);
    }

    @Test
    void whatAWorkerSays_isKeptWithTheJob_asLongAsItHoldsTheLease() {
        var id = client.submit("{\"blueprint\":\"echo\"}");
        var holder = new TestWorker(node, "w1", "echo");
        var task = holder.next();
        var hand = task.string("task_id").orElseThrow();

        var kept =
                send(
                        "w1",
                        hand,
                        "{\"lines\":[{\"at\":1700000000000,\"level\":\"WARN\",\"message\":\"slow\"},{\"message\":\""
                                + "y".repeat(5000)
                                + "\"}]}");
        var foreign = send("w2", hand, "{\"lines\":[{\"message\":\"mine\"}]}");
        holder.report(task, JsonObject.EMPTY);
        client.get("/api/v1/jobs/" + id + "?wait=60");
        var late = send("w1", hand, "{\"lines\":[{\"message\":\"late\"}]}");

        assertThat(kept.text()).isEqualTo("{\"status\":\"kept\",\"lines\":2}");
        for (var refused : new Answer[] {foreign, late}) {
            assertThat(refused.status()).isEqualTo(200);
            assertThat(refused.text()).isEqualTo("{\"status\":\"ignored\",\"reason\":\"stale\"}");
        }
        var lines = client.get("/api/v1/jobs/" + id + "/logs").items();
        assertThat(lines.size()).isEqualTo(2);
        assertThat(lines.get(1))
                .hasToString(
                        "{\"task\":0,\"attempt\":1,\"number\":1,\"at\":\"2023-11-14T22:13:20Z\",\"level\":\"warn\","
                                + "\"message\":\"slow\"}");
        assertThat(((JsonObject) lines.get(0)).string("message").orElseThrow()).hasSize(4096);
        var path = "/api/v1/jobs/" + id + "/tasks/0/logs?limit=1";
        var newest = client.get(path);
        var older = client.get(path + "&cursor=" + newest.next().orElseThrow());
        assertThat(newest.items()).containsExactly(lines.get(0));
        assertThat(older.items()).containsExactly(lines.get(1));
        assertThat(client.get(path + "&cursor=" + older.next().orElseThrow()).text())
                .isEqualTo("{\"items\":[]}");
        assertThat(client.get("/api/v1/jobs/" + id + "/tasks/1/logs").error())
                .isEqualTo("Task not found");
        assertThat(client.get("/api/v1/jobs/nobody/logs").error()).isEqualTo("Job not found");
    }

    /// Trap: a worker of the generation that reports events takes 404 for an orchestrator that does not know it.
    @Test
    void anEventOfAWorker_isALineOfItsTask_andOthersDoNoHarm() {
        var id = client.submit("{\"blueprint\":\"echo\"}");
        var holder = new TestWorker(node, "w5", "echo");
        var task = holder.next();
        var event =
                """
                {"worker_id":"%s","task_id":"%s","job_id":"%s","event_type":"page_found",\
                "payload":{"n":3}}\
                """;
        var hand = task.string("task_id").orElseThrow();

        var kept = worker.post("/_worker/events", event.formatted("w5", hand, id));
        var foreign = worker.post("/_worker/events", event.formatted("w6", hand, id));
        var free = worker.post("/_worker/events", "{\"worker_id\":\"w5\",\"event\":7}");
        holder.report(task, JsonObject.EMPTY);

        assertThat(kept.text()).isEqualTo("{\"status\":\"accepted\"}");
        for (var ignored : new Answer[] {foreign, free}) {
            assertThat(ignored.status()).isEqualTo(200);
            assertThat(ignored.text())
                    .isEqualTo("{\"status\":\"ignored\",\"reason\":\"not_found\"}");
        }
        await().untilAsserted(() -> {
            var lines = client.get("/api/v1/jobs/" + id + "/logs").items();
            assertThat(lines.size()).isEqualTo(1);
            assertThat(((JsonObject) lines.get(0)).string("level")).contains("event");
            assertThat(((JsonObject) lines.get(0)).string("message"))
                    .contains("page_found {\"n\":3}");
        });
        assertThat(worker.post("/_worker/events", "[]").status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | object",
                "{\"lines\":7} | lines",
                "{\"lines\":[{\"level\":\"info\"}]} | lines[0].message",
                "{\"lines\":[{\"message\":\"x\",\"level\":\" \"}]} | lines[0].level",
                "{\"lines\":[{\"message\":\"x\",\"at\":-1}]} | lines[0].at"
            })
    void whatIsNoLog_isRefused(String body, String part) {
        var answer = send("w1", "t", body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo("Invalid body");
        assertThat(answer.detail()).contains(part);
    }

    @Test
    void moreThanAThousandLinesAtOnce_areRefused_andSoIsAForeignToken() {
        var lines = "{\"message\":\"x\"},".repeat(1000) + "{\"message\":\"x\"}";

        assertThat(send("w1", "t", "{\"lines\":[" + lines + "]}").detail()).contains("1000");
        assertThat(client.post("/_worker/workers/w1/tasks/t/logs", "{}").status()).isEqualTo(401);
    }
}
