package dev.artel.server.access;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.server.AliceAndBob;
import dev.artel.server.ArtelNode;
import dev.artel.server.DescribedRoute;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a client gets to know, and may do, of the jobs of others: nothing. The routes are those of the description of
/// the API, which has all that is served: a route of tomorrow is tried without anybody thinking of it.
final class OthersJobsTest {
    private static final String NOBODYS = "00000000-0000-7000-8000-000000000000";

    /// What differs between any two answers, or is of the connection.
    private static final Set<String> OF_EACH_ANSWER = Set.of("date", "x-request-id", "connection");

    @TempDir private static Path folder;
    private static ArtelNode node;
    private static TestClient alice;
    private static TestClient bob;
    private static TestClient operator;
    private static String job;

    @BeforeAll
    static void start() throws Exception {
        var data = folder.resolve("data");
        AliceAndBob.writeTo(data);
        node = ArtelNode.start(TestNodes.CONFIG.withData(data), SampleBlueprints.all());
        alice = AliceAndBob.alice(node);
        bob = AliceAndBob.bob(node);
        operator = TestClient.of(node);
        job =
                alice.submit(
                        "{\"blueprint\":\"echo\",\"initial_data\":{\"secret\":\"of alice\"},"
                                + "\"labels\":{\"whose\":\"alices\"}}");
        // Nothing more happens to it by itself.
        await().until(() ->
                alice.get("/api/v1/jobs/" + job).text().contains("\"waiting_for_worker\""));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static List<DescribedRoute> ofJobs() {
        return DescribedRoute.all(node).stream().filter(DescribedRoute::namesAJob).toList();
    }

    /// Trap: the stream of the fleet keeps from clients which operator drains a worker, and the list of workers shows it.
    @Test
    void whoDrainsAWorker_isForOperatorsAlone() {
        new TestClient(node.uri(), "X-Worker-Token", node.workerToken())
                .post(
                        "/_worker/workers/register",
                        "{\"worker_id\":\"drained\",\"supported_tasks\":[\"draw\"]}");
        assertThat(operator.post("/api/v1/workers/drained/drain", "{\"reason\":\"disk\"}").status())
                .isEqualTo(200);

        for (var path : List.of("/api/v1/workers/drained", "/api/v1/workers")) {
            assertThat(operator.get(path).text()).contains("\"by\":", "disk");
            assertThat(alice.get(path).text()).contains("disk").doesNotContain("\"by\":");
        }
    }

    /// Trap: one route of many forgets to ask whose the job is.
    @Test
    void noRouteThatNamesAJob_isForAnotherClient_norRevealsThatTheJobIsThere() {
        var before = alice.get("/api/v1/jobs/" + job + "/history").text();

        assertThat(ofJobs()).hasSizeGreaterThanOrEqualTo(18);
        for (var route : ofJobs()) {
            var body = route.hasBody() ? route.body().toString() : "";
            var path = route.filled(job);
            var answer = bob.send(route.method(), path, body);
            assertThat(answer.status()).as(route + " " + answer.text()).isEqualTo(404);
            assertThat(answer.error()).as(route.toString()).isEqualTo("Job not found");
            var ofNone = bob.send(route.method(), path.replace(job, NOBODYS), body);
            assertThat(ofNone.text()).as(route.toString()).isEqualTo(answer.text());
        }

        assertThat(alice.get("/api/v1/jobs/" + job + "/history").text()).isEqualTo(before);
    }

    /// Trap: a body or a parameter that is looked at only once the job is found reveals that there is such a job. The way of
    /// those who have a link is tried as well.
    @Test
    void whateverIsSent_theAnswerIsThatOfAJobThatIsNotThere() {
        var over = alice.submit("{\"blueprint\":\"echo\"}");
        alice.post("/api/v1/jobs/" + over + "/cancel", "{}");
        var byId =
                DescribedRoute.all(node).stream()
                        .filter(route ->
                                route.namesAJob()
                                        || route.path().equals("/_public/webhooks/approval/{id}"))
                        .toList();

        assertThat(byId).hasSizeGreaterThanOrEqualTo(20);
        for (var route : byId) {
            for (var sent : sent(route)) {
                var ofNone = ofNobody(route, sent);
                for (var its : List.of(job, over)) {
                    assertThat(answerTo(route, sent, its)).as(route + " " + sent).isEqualTo(ofNone);
                }
            }
        }
    }

    /// A query and a body.
    private record Sent(String query, String body) {}

    private static List<Sent> sent(DescribedRoute route) {
        var all = new ArrayList<Sent>();
        var good = route.hasBody() ? route.body().toString() : "";
        all.add(new Sent("?nonsense=1", good));
        route.queries().forEach(name -> all.add(new Sent("?" + name + "=-1", good)));
        if (route.hasBody()) {
            for (var body : List.of("", "{", "[]", "{}", "{\"nonsense\":1}", good)) {
                all.add(new Sent("", body));
            }
        }
        return all;
    }

    private static String ofNobody(DescribedRoute route, Sent sent) {
        return answerTo(route, sent, NOBODYS);
    }

    /// All of the answer that could distinguish jobs.
    private static String answerTo(DescribedRoute route, Sent sent, String id) {
        var answer = bob.send(route.method(), route.filled(id) + sent.query(), sent.body());
        var headers = new TreeMap<>(answer.headers().map());
        headers.keySet().removeIf(OF_EACH_ANSWER::contains);
        return (answer.status() + " " + headers + " " + answer.text()).replace(id, "ID");
    }

    /// The routes are good for something: the client itself gets no answer that there is no such job.
    @Test
    void theClientItself_isNotRefused() {
        var own = alice.submit("{\"blueprint\":\"echo\"}");
        for (var route : ofJobs()) {
            if (route.ends()) {
                var body = route.hasBody() ? route.body().toString() : "";
                var answer = alice.send(route.method(), route.filled(own), body);
                assertThat(answer.text()).as(route.toString()).doesNotContain("Job not found");
            }
        }
    }

    @Test
    void noList_hasAnythingOfTheJobsOfOthers() {
        for (var route : DescribedRoute.all(node)) {
            if (route.method().equals("GET") && route.isOfClients() && route.ends()) {
                var path = route.filled(job).replace("{name}", "echo");
                for (var query :
                        List.of(
                                "",
                                "?client=alice",
                                "?label.whose=alices",
                                "?q=alices",
                                "?parent=" + job)) {
                    assertThat(bob.get(path + query).text())
                            .as(route + query)
                            .doesNotContain("of alice", "alices")
                            .doesNotContain(route.path().contains("{") ? "no such text" : job);
                }
            }
        }
        assertThat(operator.get("/api/v1/jobs?q=alices").text()).contains(job);
    }

    /// Acts on many jobs at once leave those of others alone, however the filter is chosen.
    @Test
    void noActOnMany_isOnTheJobsOfOthers() {
        for (var route : DescribedRoute.all(node)) {
            if (!route.method().equals("GET")
                    && route.isOfClients()
                    && !route.path().contains("{id}")) {
                for (var query : List.of("", "?client=alice", "?label.whose=alices")) {
                    var body = route.hasBody() ? route.body().toString() : "";
                    var answer = bob.send(route.method(), route.filled(job) + query, body);
                    assertThat(answer.text()).as(route + query).doesNotContain(job, "alices");
                }
            }
        }
    }
}
