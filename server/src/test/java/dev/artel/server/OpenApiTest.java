package dev.artel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The description of the API says what the orchestrator does, and all of it.
final class OpenApiTest {
    private static ArtelNode node;
    private static TestClient client;
    private static JsonObject document;
    private static String job;

    @BeforeAll
    static void start() {
        node = TestNodes.inMemory();
        client = TestClient.of(node);
        document = client.get("/_public/openapi.json").object();
        job = client.submit("{\"blueprint\":\"echo\",\"initial_data\":{\"x\":1}}");
        var worker = new TestWorker(node, "w1", "echo");
        var task = worker.next();
        new TestClient(node.uri(), "X-Worker-Token", node.workerToken())
                .post(
                        "/_worker/workers/w1/tasks/"
                                + task.string("task_id").orElseThrow()
                                + "/logs",
                        "{\"lines\":[{\"message\":\"hello\"}]}");
        worker.report(task, JsonObject.EMPTY);
        client.get("/api/v1/jobs/" + job + "?wait=30");
        client.submit("{\"blueprint\":\"fanout\"}");
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static List<String> described() {
        var described = new ArrayList<String>();
        document.object("paths")
                .orElseThrow()
                .members()
                .forEach((path, methods) ->
                        ((JsonObject) methods)
                                .names()
                                .forEach(method ->
                                        described.add(
                                                method.toUpperCase(Locale.ROOT) + " " + path)));
        return described;
    }

    @Test
    void everyRouteIsDescribed_andNothingElse() {
        var served = new TreeSet<String>();
        for (var route : node.routes()) {
            served.add(route.replaceFirst(" /api/(?!v1/)", " /api/v1/"));
        }

        assertThat(described())
                .as("openapi.json describes what is served; add what is new, remove what is gone")
                .containsExactlyInAnyOrderElementsOf(served);
    }

    @Test
    void everyRouteOfClients_existsUnderBothPrefixes() {
        var routes = node.routes();

        assertThat(routes)
                .filteredOn(route -> route.contains(" /api/v1/"))
                .allSatisfy(
                        route -> assertThat(routes).contains(route.replace("/api/v1/", "/api/")));
    }

    private static JsonObject operation(String method, String path) {
        return document.object("paths")
                .flatMap(paths -> paths.object(path))
                .flatMap(methods -> methods.object(method.toLowerCase(Locale.ROOT)))
                .orElseThrow(() -> new AssertionError(method + " " + path + " is not described"));
    }

    private static void check(String method, String path, Answer answer) {
        var responses = operation(method, path).object("responses").orElseThrow();
        var described = responses.object(Integer.toString(answer.status()));
        assertThat(described)
                .as(method + " " + path + " is answered " + answer.status() + " " + answer.text())
                .isPresent();
        var response = SchemaCheck.resolve(document, described.get());
        var type = answer.header("Content-Type").orElse("").replaceFirst(";.*", "");
        if (response.object("content").isEmpty()) {
            assertThat(answer.text()).isEmpty();
            return;
        }
        var media = response.object("content").get().object(type);
        assertThat(media).as(method + " " + path + " is answered in " + type).isPresent();
        if (type.endsWith("json")) {
            var schema = media.get().object("schema").orElseThrow();
            assertThat(SchemaCheck.problems(document, schema, answer.json()))
                    .as(method + " " + path + ": " + answer.text())
                    .isEmpty();
        }
    }

    private static String filled(String path) {
        return path.replace("{id}", job)
                .replace("{task}", "0")
                .replace("{name}", "echo")
                .replace("{signal}", "go")
                .replace("{approval}", "1")
                .replace("{question}", "1")
                .replace("{act}", "release")
                .replace("{call}", "1.0")
                .replace("{sha256}", "0".repeat(64))
                .replace("{worker_id}", "w1");
    }

    /// Streams do not end, and a poll waits.
    private static boolean ends(String path) {
        return !path.endsWith("/events") && !path.endsWith("/next");
    }

    @Test
    void whatIsAnswered_isAsDescribed() {
        for (var route : described()) {
            var parts = route.split(" ", 2);
            if (parts[0].equals("GET") && ends(parts[1]) && !parts[1].startsWith("/_worker/")) {
                check("GET", parts[1], client.get(filled(parts[1])));
            }
        }
        check(
                "GET",
                "/api/v1/blueprints/{name}/graph",
                client.get("/api/v1/blueprints/echo/graph?format=json"));
        check("GET", "/api/v1/jobs", client.get("/api/v1/jobs?limit=1"));
        check(
                "GET",
                "/api/v1/jobs/{id}/events",
                client.get("/api/v1/jobs/" + job + "/events?after=99999"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v1/jobs | {\"blueprint\":\"echo\"}",
                "/api/v1/jobs | {}",
                "/api/v1/jobs | {\"blueprint\":\"none\"}",
                "/api/v1/jobs/{name} | {}",
                "/api/v1/bulk | {\"jobs\":[{\"blueprint\":\"echo\"},{}]}",
                "/api/v1/bulk | []",
                "/api/v1/jobs/{id}/cancel | {}"
            })
    void whatIsAskedFor_isAnsweredAsDescribed(String path, String body) {
        check("POST", path, client.post(filled(path), body));
    }

    @Test
    void aRequestWithoutAToken_isRefusedAsDescribed() {
        var anybody = new TestClient(node.uri(), "", "");
        for (var route : described()) {
            var parts = route.split(" ", 2);
            var isPublic = operation(parts[0], parts[1]).array("security").isPresent();
            if (!isPublic) {
                var answer = anybody.method(parts[0], filled(parts[1]));
                assertThat(answer.status()).as(route).isEqualTo(401);
                check(parts[0], parts[1], answer);
            }
        }
    }

    /// RFC 9457, and beside it what clients of the first generation look at.
    @Test
    void aRefusal_isAProblemDocument() {
        var answer = client.get("/api/v1/jobs/nobody");

        assertThat(answer.header("Content-Type"))
                .contains("application/problem+json; charset=utf-8");
        assertThat(answer.text())
                .isEqualTo(
                        "{\"error\":\"Job not found\",\"code\":\"job_not_found\",\"type\":\"urn:artel:error:job_not_found\","
                                + "\"title\":\"There is no such job, or it belongs to another client.\",\"status\":404}");
    }

    @Test
    void aPageShowsTheDescription_withoutAnythingFromElsewhere() {
        var page = client.get("/_public/docs");

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
        assertThat(page.text()).contains("openapi.json").doesNotContain("http://", "https://");
    }
}
