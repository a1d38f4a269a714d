package dev.artel.server.cards;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.LogLines;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Process cards that come over HTTP and from files.
final class CardApiTest {
    private static final String CARDS = "/api/v1/admin/cards";

    @TempDir private Path folder;
    private Path jars;
    private Path watched;

    @BeforeEach
    void makeFolders() throws IOException {
        jars = Files.createDirectories(folder.resolve("jars"));
        watched = Files.createDirectories(folder.resolve("watched"));
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(
                folder.resolve("data").resolve("clients.toml"),
                "[plain]\ntoken = \"token-of-plain-0123456\"\n");
    }

    private ArtelNode start(boolean upload) throws IOException {
        var file = folder.resolve("artel.yaml");
        Files.writeString(
                file,
                """
                http.port: 0
                data: %s
                blueprints.folder: %s
                blueprints.cards: %s
                blueprints.upload: %s
                """
                        .formatted(folder.resolve("data"), jars, watched, upload));
        var known =
                Blueprints.of(
                        Blueprint.named("own")
                                .version("1.0.0")
                                .start("begin", step -> Action.finish(step.initialData()))
                                .build());
        return TestNodes.launched(file, jars, known);
    }

    /// A card that ends at once with `result`.
    private static String card(String name, String version, String result) {
        return """
        metadata: {name: %s, version: %s}
        spec:
          steps:
            - {id: end, type: complete, result: {text: %s}}
        """
                .formatted(name, version, result);
    }

    private static Answer upload(TestClient client, String card) {
        return client.post(CARDS, card, "Content-Type", "application/yaml");
    }

    private static String code(Answer answer) {
        return answer.status() + " " + answer.object().string("code").orElse("");
    }

    private static String result(TestClient client, String submission) {
        var job = client.submit(submission);
        return client.get("/api/v1/jobs/" + job + "?wait=60")
                .object()
                .object("result")
                .flatMap(result -> result.string("text"))
                .orElse("none");
    }

    private static List<String> versions(TestClient client, String name) {
        return client.get(CARDS + "/" + name).object().array("versions").orElseThrow().stream()
                .map(each -> ((JsonObject) each).string("version").orElseThrow())
                .toList();
    }

    private static List<String> texts(JsonObject json, String name) {
        return json.array(name).orElse(JsonArray.EMPTY).stream()
                .map(each -> ((JsonString) each).value())
                .toList();
    }

    @Test
    void aCard_isTakenUp_listed_shown_run_andThereAfterARestart() throws IOException {
        var text = card("greet", "1.0.0", "hello");
        try (var node = start(true)) {
            var client = TestClient.of(node);

            var answer = upload(client, text);

            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            assertThat(answer.object().string("version")).contains("1.0.0");
            assertThat(answer.object().string("source")).contains("upload");
            assertThat(upload(client, text).status()).isEqualTo(200);
            assertThat(result(client, "{\"blueprint\":\"greet\"}")).isEqualTo("hello");
        }
        try (var node = start(false)) {
            var client = TestClient.of(node);

            assertThat(client.get(CARDS).items().toString()).contains("\"name\":\"greet\"");
            assertThat(versions(client, "greet")).containsExactly("1.0.0");
            assertThat(client.get(CARDS + "/greet/versions/1.0.0").text()).isEqualTo(text);
            assertThat(result(client, "{\"blueprint\":\"greet\"}")).isEqualTo("hello");
        }
        assertThat(Files.readString(folder.resolve("data").resolve("audit.jsonl")))
                .contains("took up card greet 1.0.0");
    }

    @Test
    void aCardInJson_isACard() throws IOException {
        try (var node = start(true)) {
            var client = TestClient.of(node);

            var answer =
                    client.post(
                            CARDS,
                            "{\"metadata\":{\"name\":\"json\",\"version\":\"1.0.0\"},\"spec\":{\"steps\":[{\"id\":\"end\",\"type\":\"complete\"}]}}",
                            "Content-Type",
                            "application/json");

            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        }
    }

    @Test
    void aCardWithProblems_isNotTakenUp_andAllAreReported() throws IOException {
        var text =
                """
                metadata: {name: wrong, version: 1.0.0}
                spec:
                  steps:
                    - {id: ask, action: greet, tiemout: 5, next: don}
                    - {id: done, type: complete, result: "${greting}"}
                """;
        try (var node = start(true)) {
            var client = TestClient.of(node);

            var refused = upload(client, text);
            var validated =
                    client.post(CARDS + "/validate", text, "Content-Type", "application/yaml")
                            .object();

            assertThat(code(refused)).isEqualTo("422 invalid_card");
            assertThat(texts(refused.object(), "problems")).hasSize(3);
            assertThat(client.get(CARDS + "/wrong").status()).isEqualTo(404);
            assertThat(validated.get("valid")).contains(JsonValue.of(false));
            assertThat(validated.array("problems").orElseThrow().toString())
                    .isEqualTo(
                            "[{\"severity\":\"warning\",\"line\":4,\"column\":32,\"path\":\"spec.steps.ask.tiemout\",\"message\":"
                                    + "\"the key 'tiemout' is not known and has no effect; did you mean 'timeout'?\",\"suggestion\":\"timeout\"},"
                                    + "{\"severity\":\"error\",\"line\":4,\"column\":50,\"path\":\"spec.steps.ask\",\"message\":"
                                    + "\"it leads to 'don', and there is no such step here; did you mean 'done'?\",\"suggestion\":\"done\"},"
                                    + "{\"severity\":\"error\",\"line\":5,\"column\":7,\"path\":\"spec.steps.done\",\"message\":"
                                    + "\"${greting} refers to 'greting', which is neither a variable of the card nor the output of a step; declare"
                                    + " it under spec.variables, or read ${input.greting}\"}]");
        }
    }

    @Test
    void anUpload_needsTheSetting_anOperator_aKnownType_andRoom() throws IOException {
        var text = card("greet", "1.0.0", "hello");
        try (var node = start(false)) {
            var client = TestClient.of(node);
            assertThat(code(upload(client, text))).isEqualTo("403 uploads_disabled");
            assertThat(code(client.method("DELETE", CARDS + "/greet/versions/1.0.0")))
                    .isEqualTo("403 uploads_disabled");
            assertThat(client.post(CARDS + "/validate", text, "Content-Type", "text/yaml").status())
                    .isEqualTo(200);
        }
        try (var node = start(true)) {
            var client = TestClient.of(node);
            var plain =
                    new TestClient(node.uri(), "Authorization", "Bearer token-of-plain-0123456");
            assertThat(code(upload(plain, text))).isEqualTo("403 forbidden");
            assertThat(code(plain.get(CARDS))).isEqualTo("403 forbidden");
            assertThat(code(client.post(CARDS, text, "Content-Type", "text/html")))
                    .isEqualTo("400 invalid_body");
            assertThat(code(upload(client, "#".repeat(CardLibrary.MOST_BYTES + 1))))
                    .isEqualTo("413 body_too_large");
            assertThat(code(upload(client, card("own", "1.0.0", "hello"))))
                    .isEqualTo("409 card_taken");
        }
    }

    /// Trap: two people save at the same moment, and one of the two cards is lost.
    @Test
    void uploadsAtOnce_areAllTakenUp_oneAfterTheOther() throws Exception {
        try (var node = start(true);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var client = TestClient.of(node);
            var uploads =
                    IntStream.range(0, 8)
                            .<Callable<Answer>>mapToObj(
                                    i -> () -> upload(client, card("race", "1.0.0", "v" + i)))
                            .toList();

            for (var each : threads.invokeAll(uploads)) {
                assertThat(each.get().status()).isEqualTo(201);
            }

            assertThat(versions(client, "race"))
                    .containsExactly(
                            "1.0.0", "1.0.0.2", "1.0.0.3", "1.0.0.4", "1.0.0.5", "1.0.0.6",
                            "1.0.0.7", "1.0.0.8");
        }
    }

    @Test
    void anotherContentOfTheSameVersion_isARevision_andJobsGoOnWithTheirs() throws IOException {
        var first =
                """
                metadata: {name: wait, version: 1.0.0}
                spec:
                  steps:
                    - {id: hold, event: go}
                    - {id: end, type: complete, result: {text: old}}
                """;
        String old;
        try (var node = start(true)) {
            var client = TestClient.of(node);
            upload(client, first);
            old = client.submit("{\"blueprint\":\"wait\"}");

            var revised = upload(client, card("wait", "1.0.0", "new"));

            assertThat(revised.object().string("version")).contains("1.0.0.2");
            assertThat(revised.object().string("written")).contains("1.0.0");
            assertThat(result(client, "{\"blueprint\":\"wait\"}")).isEqualTo("new");
            assertThat(code(client.method("DELETE", CARDS + "/wait/versions/1.0.0")))
                    .isEqualTo("409 card_in_use");
        }
        try (var node = start(true)) {
            var client = TestClient.of(node);

            client.post("/api/v1/jobs/" + old + "/signals/go", "{\"id\":\"s\"}");

            var ended = client.get("/api/v1/jobs/" + old + "?wait=60").object();
            assertThat(ended.object("result").flatMap(it -> it.string("text")))
                    .as("%s", ended)
                    .contains("old");
            assertThat(result(client, "{\"blueprint\":\"wait\"}")).isEqualTo("new");
            assertThat(client.method("DELETE", CARDS + "/wait/versions/1.0.0").status())
                    .isEqualTo(200);
            assertThat(code(client.method("DELETE", CARDS + "/wait/versions/1.0.0")))
                    .isEqualTo("404 card_not_found");
        }
        try (var node = start(true)) {
            assertThat(versions(TestClient.of(node), "wait")).containsExactly("1.0.0.2");
        }
    }

    @Test
    void aJobThatGoesOnWithItsPlan_isThatOfThePlan_alsoAfterARestart() throws IOException {
        String job;
        try (var node = start(true)) {
            var client = TestClient.of(node);
            upload(
                    client,
                    """
                    metadata: {name: planner, version: 1.0.0}
                    spec:
                      steps:
                        - {id: go, type: replan, card: "${input.card}"}
                    """);
            job =
                    client.submit(
                            """
                            {"blueprint": "planner", "initial_data": {"word": "well", "card": {
                              "metadata": {"name": "planned", "version": "1.0.0"},
                              "spec": {"steps": [
                                {"id": "hold", "type": "wait", "event": "go"},
                                {"id": "end", "type": "complete", "result": {"text": "${input.word}"}}]}}}}\
                            """);
            await().until(() ->
                    client.get("/api/v1/jobs/" + job)
                            .object()
                            .string("blueprint_name")
                            .orElse("")
                            .equals("planned"));
        }
        try (var node = start(true)) {
            var client = TestClient.of(node);

            client.post("/api/v1/jobs/" + job + "/signals/go", "{\"id\":\"s\"}");

            var ended = client.get("/api/v1/jobs/" + job + "?wait=60").object();
            assertThat(ended.object("result").flatMap(result -> result.string("text")))
                    .contains("well");
            assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                    .contains("\"type\":\"definition.replaced\"")
                    .contains("\"blueprint\":\"planner\"")
                    .contains("0.0.0-sha256.");
        }
    }

    @Test
    void anEditedFile_isTakenUpAtAReload_andGoesBackWithAnotherEdit() throws IOException {
        Files.writeString(jars.resolve("greet.yaml"), card("greet", "1.0.0", "one"));
        try (var node = start(true)) {
            var client = TestClient.of(node);
            assertThat(result(client, "{\"blueprint\":\"greet\"}")).isEqualTo("one");

            Files.writeString(jars.resolve("greet.yaml"), card("greet", "1.0.0", "second"));
            var reloaded = client.post("/api/v1/admin/reload", "").object();

            assertThat(texts(reloaded, "changed")).containsExactly("card greet 1.0.0.2");
            assertThat(result(client, "{\"blueprint\":\"greet\"}")).isEqualTo("second");

            Files.writeString(jars.resolve("greet.yaml"), "metadata: {name: greet");
            var refused = client.post("/api/v1/admin/reload", "");

            assertThat(code(refused)).isEqualTo("409 configuration_invalid");
            assertThat(texts(refused.object(), "problems"))
                    .singleElement()
                    .asString()
                    .startsWith("greet.yaml:1:23: error: this is no YAML");
            assertThat(result(client, "{\"blueprint\":\"greet\"}")).isEqualTo("second");
        }
        Files.writeString(jars.resolve("greet.yaml"), card("greet", "1.0.0", "one"));
        try (var node = start(true)) {
            var client = TestClient.of(node);
            assertThat(versions(client, "greet")).containsExactly("1.0.0", "1.0.0.2", "1.0.0.3");
            assertThat(result(client, "{\"blueprint\":\"greet\"}")).isEqualTo("one");
        }
    }

    /// Trap: the file of the first version makes a third one of itself after each restart.
    @Test
    void whatWasUploadedSince_staysTheNewest_besideAFileThatHasNotChanged() throws IOException {
        Files.writeString(jars.resolve("greet.yaml"), card("greet", "1.0.0", "file"));
        try (var node = start(true)) {
            upload(TestClient.of(node), card("greet", "1.0.0", "upload"));
        }
        try (var node = start(true)) {
            var client = TestClient.of(node);
            assertThat(versions(client, "greet")).containsExactly("1.0.0", "1.0.0.2");
            assertThat(result(client, "{\"blueprint\":\"greet\"}")).isEqualTo("upload");
        }
    }

    @Test
    void theWatchedFolder_isTakenUpByItself() throws IOException {
        try (var log = LogLines.of(CardUpdates.class.getName());
                var node = start(true)) {
            var client = TestClient.of(node);
            Files.writeString(watched.resolve("hot.yaml"), card("hot", "1.0.0", "one"));
            await().until(() -> client.get(CARDS + "/hot").status() == 200);

            Files.writeString(watched.resolve("hot.yaml"), card("hot", "1.0.0", "second"));
            await().untilAsserted(() ->
                    assertThat(versions(client, "hot")).containsExactly("1.0.0", "1.0.0.2"));
            assertThat(result(client, "{\"blueprint\":\"hot\"}")).isEqualTo("second");

            Files.writeString(watched.resolve("hot.yaml"), card("hot", "one", "third"));
            Files.writeString(watched.resolve("twin-1.yaml"), card("twin", "1.0.0", "one"));
            Files.writeString(watched.resolve("twin-2.yaml"), card("twin", "1.0.0", "two"));
            await().untilAsserted(() ->
                    assertThat(texts(client.get("/readyz").object(), "problems"))
                            .containsExactly(
                                    "hot.yaml:1:32: error: metadata.version: it must be like 1.0 or 1.2.3, was 'one'",
                                    "twin-2.yaml: "
                                            + watched.resolve("twin-1.yaml")
                                            + " has twin version 1.0.0 as well; give one of the two another name or"
                                            + " version"));
            assertThat(result(client, "{\"blueprint\":\"hot\"}")).isEqualTo("second");
            assertThat(result(client, "{\"blueprint\":\"twin\"}")).isEqualTo("one");
            await("the readiness knows it before the log").until(() -> log.texts().size() >= 2);
            assertThat(log.texts())
                    .hasSize(2)
                    .contains(
                            "a card is not used; what was in force stays so [problem=\"hot.yaml:1:32: error: metadata.version: it"
                                    + " must be like 1.0 or 1.2.3, was 'one'\"]");

            Files.delete(watched.resolve("twin-1.yaml"));
            Files.delete(watched.resolve("hot.yaml"));
            await().untilAsserted(() ->
                    assertThat(result(client, "{\"blueprint\":\"twin\"}")).isEqualTo("two"));
            await().until(() -> !client.get("/readyz").object().has("problems"));
        }
    }

    @Test
    void aDryRun_namesSteps_workers_andWhatIsLacking() throws IOException {
        var text =
                """
                metadata: {name: guide, version: 1.0.0, spec_version: "2.0"}
                spec:
                  budget: {max_cost_usd: 3.5}
                  steps:
                    - id: survey
                      branches:
                        - {id: food, action: collect, params: {city: "${input.city}"}}
                        - {id: sights, action: collect, params: {city: "${input.country.name}"}}
                    - {id: notes, subprocess_ref: transport}
                    - {id: write, action: compose, output: guide, requirements: {constraints: {language: en}}}
                    - {id: gate, condition: "${guide.ok} == true", then: end, else: survey}
                    - {id: end, type: complete}
                """;
        try (var node = start(true)) {
            var client = TestClient.of(node);
            upload(client, text);
            var _ = new TestWorker(node, "w1", "collect");
            var plan =
                    client.post(
                                    CARDS + "/plan",
                                    "{\"name\":\"guide\",\"input\":{\"city\":\"Porto\"}}")
                            .object();

            assertThat(plan.get("ready")).contains(JsonValue.of(false));
            assertThat(texts(plan, "missing_input")).containsExactly("input.country.name");
            assertThat(plan.array("steps").orElseThrow().toString())
                    .isEqualTo(
                            "[{\"id\":\"survey\",\"kind\":\"parallel\",\"ways\":[{\"when\":\"done\",\"to\":\"notes\"}],\"branches\":["
                                    + "[{\"id\":\"food\",\"kind\":\"action\",\"what\":\"collect\",\"ways\":[]}],"
                                    + "[{\"id\":\"sights\",\"kind\":\"action\",\"what\":\"collect\",\"ways\":[]}]]},"
                                    + "{\"id\":\"notes\",\"kind\":\"subprocess\",\"what\":\"transport\",\"ways\":[{\"when\":\"done\",\"to\":\"write\"}]},"
                                    + "{\"id\":\"write\",\"kind\":\"action\",\"what\":\"compose\",\"ways\":[{\"when\":\"done\",\"to\":\"gate\"}]},"
                                    + "{\"id\":\"gate\",\"kind\":\"condition\",\"what\":\"${guide.ok} == true\",\"ways\":[{\"when\":\"then\",\"to\":\"end\"},"
                                    + "{\"when\":\"else\",\"to\":\"survey\"}]},"
                                    + "{\"id\":\"end\",\"kind\":\"complete\",\"ways\":[]}]");
            var tasks = plan.array("tasks").orElseThrow();
            var collect = (JsonObject) tasks.get(0);
            assertThat(texts(collect, "steps")).containsExactly("food", "sights");
            assertThat(collect.array("eligibility").orElseThrow().toString())
                    .contains("\"worker\":\"w1\"");
            var compose = (JsonObject) tasks.get(1);
            assertThat(compose.get("ready")).contains(JsonValue.of(false));
            assertThat(compose.object("waits_because").flatMap(it -> it.string("reason")))
                    .contains("no_worker_of_type");
            assertThat(plan.array("subprocesses"))
                    .hasToString("Optional[[{\"name\":\"transport\",\"ready\":false}]]");
            assertThat(plan.object("budget").flatMap(it -> it.object("limits")))
                    .hasToString("Optional[{\"cost_usd\":\"3.50\"}]");
            assertThat(texts(plan, "lacking"))
                    .contains(
                            "there is no blueprint 'transport', which a step runs as a subprocess",
                            "the input has no 'input.country.name', to which a step refers");
            assertThat(client.get("/api/v1/jobs").items().toString()).isEqualTo("[]");
        }
    }

    @Test
    void aDryRunOfABrokenCard_isRefused() throws IOException {
        try (var node = start(false)) {
            var client = TestClient.of(node);
            assertThat(code(client.post(CARDS + "/plan", "{\"card\":\"metadata: 1\"}")))
                    .isEqualTo("422 invalid_card");
            assertThat(code(client.post(CARDS + "/plan", "{\"name\":\"none\"}")))
                    .isEqualTo("404 card_not_found");
            assertThat(code(client.post(CARDS + "/plan", "{}"))).isEqualTo("400 invalid_body");
            assertThat(code(client.post(CARDS + "/plan", "{\"card\":\"a\",\"input\":1}")))
                    .isEqualTo("400 invalid_body");
        }
    }

    @Test
    void aTextThatIsNotUtf8_isRefused() throws IOException {
        try (var node = start(false)) {
            var client = TestClient.of(node).with("Content-Type", "application/yaml");
            var bytes = "name: \u00e4".getBytes(ISO_8859_1);
            assertThat(new String(bytes, UTF_8)).contains("\ufffd");
            assertThat(code(client.post(CARDS + "/validate", bytes))).isEqualTo("400 invalid_body");
        }
    }
}
