package dev.artel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.artel.json.JsonObject;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.DescribedRoute;
import dev.artel.server.SchemaCheck;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The description of the API states what the orchestrator does, and all of it.
final class OpenApiTest {
    private static final Path DOCUMENTS =
            Path.of(System.getProperty("basedir", "."), "../docs").toAbsolutePath().normalize();

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
        client.get("/api/v1/jobs/" + job + "?wait=60");
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
        assertThat(described())
                .as("openapi.json describes what is served; add what is new, remove what is gone")
                .containsExactlyInAnyOrderElementsOf(new TreeSet<>(TestNodes.routes(node)));
    }

    /// Trap: a path stays behind, empty, when its route moves away.
    @Test
    void everyPathThatIsDescribed_hasAMethod() {
        document.object("paths")
                .orElseThrow()
                .members()
                .forEach((path, methods) ->
                        assertThat(((JsonObject) methods).names()).as(path).isNotEmpty());
    }

    /// Trap: documents name a parameter by the name that it had before; blocks of code are run, words in a sentence are not.
    @Test
    void everyParameterThatADocumentNames_isThatOfARoute() throws IOException {
        var known = new TreeSet<String>();
        DescribedRoute.all(node).forEach(route -> known.addAll(route.queries()));

        var named = new TreeMap<String, Path>();
        try (var files = Files.walk(DOCUMENTS)) {
            for (var file : files.filter(it -> it.toString().endsWith(".md")).toList()) {
                if (!file.startsWith(DOCUMENTS.resolve("adr"))) {
                    queries(Files.readString(file)).forEach(name -> named.put(name, file));
                }
            }
        }

        assertThat(named).containsKeys("wait", "tree");
        assertThat(known)
                .as("parameters, of which documents name %s", named)
                .containsAll(named.keySet());
    }

    private static List<String> queries(String text) {
        return Pattern.compile("`[^`\n]*\\?[^`\n]*`")
                .matcher(text)
                .results()
                // The address of a broker is no route.
                .filter(code -> !code.group().contains("amqp://"))
                .flatMap(code -> Pattern.compile("[?&](\\w+)=").matcher(code.group()).results())
                .map(query -> query.group(1))
                .toList();
    }

    @Test
    void theDescription_isAValidDocument_ofOpenApi31() throws IOException {
        var factory = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
        try (var in =
                OpenApiTest.class.getResourceAsStream(
                        "/dev/artel/server/openapi-3.1-schema.json")) {
            var problems =
                    factory.getSchema(Objects.requireNonNull(in))
                            .validate(client.get("/_public/openapi.json").text(), InputFormat.JSON);

            assertThat(problems).isEmpty();
        }
    }

    /// Two templates that differ in the names of their parameters alone are one and the same (OpenAPI 3.1, section 4.8.8.2).
    @Test
    void everyOperation_hasANameOfItsOwn_andNoTwoPathsAreTheSame() {
        var names = new ArrayList<String>();
        for (var route : DescribedRoute.all(node)) {
            names.add(route.operation().string("operationId").orElse("none: " + route));
            assertThat(route.pathParameters())
                    .as(route.toString())
                    .containsExactlyInAnyOrderElementsOf(
                            Pattern.compile("\\{([^}]*)}")
                                    .matcher(route.path())
                                    .results()
                                    .map(found -> found.group(1))
                                    .toList());
        }

        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z][A-Za-z]+"));
        assertThat(document.object("paths").orElseThrow().names())
                .extracting(path -> path.replaceAll("\\{[^}]*}", "{}"))
                .doesNotHaveDuplicates();
    }

    /// Trap: each list of tomorrow has pages of its own kind.
    @Test
    void everyArrayThatIsAnswered_isAPage_exceptForTheFirstGeneration() {
        for (var route : DescribedRoute.all(node)) {
            if (!route.isOfClients() || !route.method().equals("GET")) {
                continue;
            }
            var schema = route.answer();
            assertThat(schema.string("type"))
                    .as(route.toString())
                    .isNotEqualTo(Optional.of("array"));
            if (schema.object("properties").filter(all -> all.has("items")).isPresent()) {
                assertThat(schema.object("properties").orElseThrow().names())
                        .as(route.toString())
                        .containsExactly("items", "next_cursor");
                assertThat(route.queries()).as(route.toString()).contains("limit", "cursor");
            }
        }
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
                .replace("{scope}", "blueprints")
                .replace("{name}", "echo")
                .replace("{signal}", "go")
                .replace("{approval}", "1")
                .replace("{question}", "1")
                .replace("{act}", "release")
                .replace("{call}", "1.0")
                .replace("{digest}", "0")
                .replace("{folder}", "js")
                .replace("{part}", "core")
                .replace("{file}", "none.js")
                .replace("{sha256}", "0".repeat(64))
                .replace("{version}", "1.0.0")
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
                "/api/v1/jobs/{id} | {}",
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
