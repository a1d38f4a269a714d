package dev.artel.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.waits.Await;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FindJobsTest {
    private static ArtelNode node;
    private static TestClient client;
    private static List<String> jobs;

    @BeforeAll
    static void start() {
        node = TestNodes.inMemory();
        client = TestClient.of(node);
        jobs =
                IntStream.range(0, 5)
                        .mapToObj(i ->
                                client.submit(
                                        "{\"blueprint\":\"echo\",\"labels\":{\"order\":\"Nr-4711\",\"n\":\"x"
                                                + i
                                                + "\"}}"))
                        .toList()
                        .reversed();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static List<String> ids(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.items().stream()
                .map(job -> ((JsonObject) job).string("id").orElseThrow())
                .toList();
    }

    private static Answer list(String query) {
        return client.get("/api/v1/jobs?" + query);
    }

    @Test
    void aList_isReadPageByPage_alongItsCursors() {
        var found = new ArrayList<String>();
        var query = "limit=2&label.order=Nr-4711";
        var page = list(query);
        found.addAll(ids(page));
        while (page.next().isPresent()) {
            page = list(query + "&cursor=" + page.next().get());
            found.addAll(ids(page));
        }

        assertThat(found).isEqualTo(jobs);
    }

    @Test
    void clientsOfTheFirstGeneration_getAnArray_andGoOnByOffset() {
        var page = client.get("/api/jobs?limit=2&offset=1&label.order=Nr-4711");

        assertThat(((JsonArray) page.json()).stream())
                .extracting(row -> ((JsonObject) row).string("id").orElseThrow())
                .containsExactly(jobs.get(1), jobs.get(2));
        assertThat(client.get("/api/jobs?offset=10001").detail())
                .isEqualTo("offset is a whole number from 0 to 10000");
        assertThat(client.get("/api/jobs/" + jobs.getFirst() + "/history").text())
                .startsWith("[{\"version\":1,");
        assertThat(client.get("/api/workers").json()).isInstanceOf(JsonArray.class);
    }

    @Test
    void eachStatusOfTheDocument_isAFilter_andClientsOfTheFirstGenerationMayNameOthers() {
        var statuses =
                client.get("/_public/openapi.json")
                        .object()
                        .object("components")
                        .flatMap(it -> it.object("schemas"))
                        .flatMap(it -> it.object("Status"))
                        .flatMap(it -> it.array("enum"))
                        .orElseThrow();

        assertThat(statuses.stream())
                .hasSizeGreaterThan(10)
                .allSatisfy(status ->
                        assertThat(list("status=" + ((JsonString) status).value()).status())
                                .isEqualTo(200));
        assertThat(client.get("/api/jobs?status=foo").text()).isEqualTo("[]");
    }

    /// Trap: a cursor of one list means something else in another.
    @Test
    void aCursorOfAnotherList_isRefused() {
        var cursor = list("limit=1").next().orElseThrow();

        assertThat(client.get("/api/v1/quarantine?cursor=" + cursor).status()).isEqualTo(200);
        for (var other :
                List.of("/workers", "/blueprints", "/jobs/" + jobs.getFirst() + "/history")) {
            var answer = client.get("/api/v1" + other + "?cursor=" + cursor);
            assertThat(answer.status()).as(other).isEqualTo(400);
            assertThat(answer.object().string("code")).contains("invalid_cursor");
        }
    }

    @Test
    void aListThatIsInMemory_isReadPageByPage() {
        var names = new ArrayList<String>();
        var page = client.get("/api/v1/blueprints?limit=2");
        names.addAll(names(page));
        while (page.next().isPresent()) {
            page = client.get("/api/v1/blueprints?limit=2&cursor=" + page.next().get());
            names.addAll(names(page));
        }

        assertThat(names).isEqualTo(names(client.get("/api/v1/blueprints"))).isSorted();
        assertThat(names).hasSizeGreaterThan(2).doesNotHaveDuplicates();
    }

    private static List<String> names(Answer answer) {
        return answer.items().stream()
                .map(each -> ((JsonObject) each).string("name").orElseThrow())
                .toList();
    }

    @Test
    void jobsAreFoundByWords_andTime_andClient() {
        assertThat(ids(list("q=4711+nr"))).isEqualTo(jobs);
        assertThat(ids(list("q=x3"))).containsExactly(jobs.get(1));
        assertThat(ids(list("q=4712"))).isEmpty();
        assertThat(ids(list("from=2020-01-01T00:00:00Z&until=2999-01-01T00:00:00Z")))
                .isEqualTo(jobs);
        assertThat(ids(list("until=2020-01-01T00:00:00Z"))).isEmpty();
        assertThat(ids(list("client=default"))).isEqualTo(jobs);
        assertThat(ids(list("client=nobody"))).isEmpty();
        assertThat(ids(list("label.n=x1&label.order=Nr-4711"))).containsExactly(jobs.get(3));
    }

    @Test
    void onlyTheMembersThatAreAskedFor_areAnswered() {
        var row = (JsonObject) list("fields=id,status&limit=1").items().get(0);
        var job = client.get("/api/v1/jobs/" + jobs.getFirst() + "?fields=status,version").object();
        var light = client.get("/api/v1/jobs/" + jobs.getFirst() + "?fields=status").object();
        var path = "/api/v1/jobs/" + jobs.getFirst() + "/tasks/0?fields=type&fields=task";
        var task =
                Await.await("the task of a job that has just begun")
                        .until(() -> client.get(path), it -> it.status() == 200)
                        .object();

        assertThat(row.names()).containsExactly("id", "status");
        assertThat(job.names()).containsExactly("status", "version");
        assertThat(light.names()).containsExactly("status");
        assertThat(task.names()).containsExactly("task", "type");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit=x | Invalid limit/offset parameter | limit is a whole number from 1 to 1000",
                "status=foo | Invalid status parameter | there is no status 'foo'; there are pending, running, awaiting_retry, waiting_for_worker, waiting_for_parallel_tasks, waiting_for_sub_job, waiting_for_human, waiting_for_signal, waiting, compensating, quarantined, finished, failed, cancelled",
                "cursor=abc | Invalid cursor parameter | take it from next_cursor of the page before, of the same list",
                "cursor=-7 | Invalid cursor parameter | take it from next_cursor of the page before, of the same list",
                "cursor=99999999999999999999 | Invalid cursor parameter | take it from next_cursor of the page before, of the same list",
                "q=+ | Invalid q parameter | q has words of 1 to 200 characters altogether, had 1",
                "from=yesterday | Invalid from parameter | from is an instant such as 2030-01-31T12:00:00Z, was 'yesterday'",
                "until=-1000000000-01-01T00:00:00Z | Invalid until parameter | until is an instant such as 2030-01-31T12:00:00Z, was '-1000000000-01-01T00:00:00Z'",
                "fields=id,secret | Invalid fields parameter | there is no field 'secret'; there are [id, blueprint_name, current_state, status, error_message, parent_job_id, priority, labels, created_at, updated_at]",
                "statuss=failed | Unknown parameter | there is no parameter 'statuss'; this route has status, blueprint, client, label.NAME, q, from, until, parent, limit, cursor, fields; did you mean status?",
            })
    void whatNobodyCanAnswer_isRefusedWithTheReason(String query, String error, String detail) {
        var answer = list(query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo(error);
        assertThat(answer.detail()).isEqualTo(detail);
    }

    @Test
    void moreLabelsThanAnybodyNeeds_andVeryLongWords_areRefused() {
        var labels =
                IntStream.range(0, 90)
                        .mapToObj(i -> "label.l" + i + "=x")
                        .reduce((a, b) -> a + "&" + b)
                        .orElseThrow();

        assertThat(list(labels).error()).isEqualTo("Too many labels");
        assertThat(list("q=" + "x".repeat(201)).error()).isEqualTo("Invalid q parameter");
    }

    @ParameterizedTest
    @CsvSource({
        "' OR 1=1 --",
        "\" OR *",
        "a* NEAR b",
        "..%2F..%2Fetc",
        "%00",
        "{curly}",
        "(a AND b",
        "-x:y"
    })
    void wordsThatMeanSomethingToADatabase_areOnlyWords(String words) {
        var query = URLEncoder.encode(words, StandardCharsets.UTF_8);

        assertThat(ids(list("q=" + query))).isEmpty();
        assertThat(ids(list("status=failed&blueprint=" + query))).isEmpty();
        assertThat(list("status=" + query).status()).isEqualTo(400);
        assertThat(ids(list("label.a=" + query))).isEmpty();
    }

    @Test
    void theDashboard_countsJobsAndWorkers() {
        Await.await()
                .untilAsserted(() -> {
                    var dashboard = client.get("/api/v1/dashboard").object();
                    assertThat(dashboard.object("workers").orElseThrow().has("total")).isTrue();
                    assertThat(dashboard.object("jobs").orElseThrow().names())
                            .containsExactly("queued", "waiting_for_worker");
                    assertThat(dashboard.object("jobs").orElseThrow().get("waiting_for_worker"))
                            .hasToString("Optional[5]");
                });
    }

    /// Trap: anybody who knew the address could read which jobs are in quarantine.
    @Test
    void theListOfQuarantinedJobs_isForClientsOnly() {
        var anybody = new TestClient(node.uri(), "", "");

        assertThat(client.get("/_public/jobs/quarantined").text()).isEqualTo("[]");
        assertThat(anybody.get("/_public/jobs/quarantined").status()).isEqualTo(401);
    }

    @Test
    void aGraph_isReturnedInDot_orInJson() {
        var dot = client.get("/api/v1/blueprints/echo/graph");
        var json = client.get("/api/v1/blueprints/echo/graph?format=json").object();

        assertThat(dot.header("Content-Type")).contains("text/vnd.graphviz; charset=utf-8");
        assertThat(dot.text())
                .startsWith("digraph \"echo\" {")
                .contains("\"send\" [penwidth=2];", "\"send\" -> \"end\";")
                .endsWith("}\n");
        assertThat(json.string("name")).contains("echo");
        assertThat(json.array("states").orElseThrow().get(0))
                .hasToString(
                        "{\"name\":\"send\",\"start\":true,\"end\":false,\"failed\":false,\"next\":[\"end\"]}");
        assertThat(client.get("/api/v1/blueprints/nothing/graph").error())
                .isEqualTo("Blueprint not found");
        assertThat(client.get("/api/v1/blueprints/echo/graph?format=png").error())
                .isEqualTo("Invalid format parameter");
        assertThat(client.get("/api/v1/blueprints").items().toString())
                .contains("\"name\":\"echo\"", "\"name\":\"map\"");
    }

    /// Trap: the graph of the newest version was shown for jobs of older ones.
    @Test
    void aGraph_isThatOfTheVersion_thatIsAskedFor() {
        node.engine()
                .blueprints()
                .register(
                        Blueprint.named("echo")
                                .version("0.9")
                                .start("older", _ -> Action.transitionTo("end"))
                                .leadingTo("end")
                                .end("end")
                                .build());

        var newest = client.get("/api/v1/blueprints/echo/graph?format=json").object();
        var older = client.get("/api/v1/blueprints/echo/graph?version=0.9&format=json").object();
        var none = client.get("/api/v1/blueprints/echo/graph?version=7");

        assertThat(newest.string("version")).isNotEqualTo(older.string("version"));
        assertThat(newest.toString()).doesNotContain("older");
        assertThat(older.string("version")).contains("0.9");
        assertThat(older.toString()).contains("\"name\":\"older\"");
        assertThat(client.get("/api/v1/blueprints/echo/graph?version=0.9").text())
                .contains("\"older\" -> \"end\";");
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.object().string("detail").orElseThrow())
                .startsWith("there is no version 7 of blueprint 'echo'; there are [0.9, ");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/jobs/..%2F..%2Fetc%2Fpasswd",
        "/api/v1/blueprints/..%2F..%2Fartel-data/graph",
        "/_public/..%2F..%2Ftokens.json",
        "/_public/docs/../../tokens.json",
        "/%2e%2e/%2e%2e/tokens.json"
    })
    void aPathThatClimbs_leadsNowhere(String path) {
        var answer = client.get(path);

        assertThat(answer.status()).isIn(400, 404);
        assertThat(answer.text()).doesNotContain("client-token-of-the-tests");
    }
}
