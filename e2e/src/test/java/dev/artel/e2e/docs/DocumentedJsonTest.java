package dev.artel.e2e.docs;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.COMPLETABLE_FUTURE;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each block of JSON is what an orchestrator sends or takes. The mark before it says what it is compared with:
///
/// | mark | the block |
/// |---|---|
/// | `answer of: METHOD PATH` | has the members of the answer, all of them, with values of the same kinds |
/// | `part of answer of: METHOD PATH` | the same, and the answer may have more |
/// | `body of: METHOD PATH` | is sent, and taken with a success |
/// | `call: EVENT` | has the members of the body with which a webhook is called |
/// | `schema: NAME` | fits that schema of the OpenAPI document; for what no test brings about |
///
/// `{SCENE}` in a path is the id of a job that is in this scene, see [Scenes]. `at a.0.b` after a path is the value there in the
/// answer. The messages of `http-workers.md` are one conversation.
@Execution(ExecutionMode.SAME_THREAD)
final class DocumentedJsonTest {
    private static final Pattern ROUTE =
            Pattern.compile("([A-Z]+) (\\S+?)(?:\\{(\\w+)\\}(\\S*))?(?: at (\\S+))?");
    private static final String WORKERS = "docs/protocol/http-workers.md";

    @TempDir static Path data;

    private static Scenes scenes;

    @BeforeAll
    static void start() throws IOException {
        scenes = new Scenes(data);
        // A page of one has a next one.
        scenes.job("waiting");
        scenes.job("waiting");
    }

    @AfterAll
    static void stop() {
        scenes.close();
    }

    static List<Snippet> json() throws IOException {
        return Snippet.all().stream()
                .filter(it -> it.language().equals("json") && !it.document().equals(WORKERS))
                .toList();
    }

    private static JsonValue read(Snippet snippet) {
        return JsonText.read(snippet.code().getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("json")
    void aBlock_isWhatIsSentOrTaken(Snippet snippet) {
        var documented = read(snippet);
        var problems =
                switch (snippet.kindOfMark()) {
                    case "answer of" ->
                            JsonShape.problems(documented, answer(snippet.markedText()), false);
                    case "part of answer of" ->
                            JsonShape.problems(documented, answer(snippet.markedText()), true);
                    case "body of" -> {
                        var route = snippet.markedText().split(" ", -1);
                        scenes.ok(route[0], route[1], snippet.code());
                        yield List.<String>of();
                    }
                    case "call" ->
                            JsonShape.problems(documented, call(snippet.markedText()), false);
                    case "schema" ->
                            JsonShape.misfits(
                                    documented,
                                    scenes.ok("GET", "/_public/openapi.json", ""),
                                    snippet.markedText());
                    default ->
                            List.of(
                                    "no mark says what it is compared with, see DocumentedJsonTest");
                };
        assertThat(problems).as("%s", snippet).isEmpty();
    }

    private static JsonValue answer(String mark) {
        var route = ROUTE.matcher(mark);
        assertThat(route.matches()).as("METHOD PATH in '%s'", mark).isTrue();
        var path = route.group(2);
        if (route.group(3) != null) {
            path += scenes.job(route.group(3)) + route.group(4);
        }
        var body = route.group(1).equals("GET") || path.contains("?") ? "" : "{\"name\":\"Ada\"}";
        var answer = JsonText.read(scenes.send(route.group(1), path, body).body());
        return route.group(5) == null ? answer : at(answer, route.group(5));
    }

    private static JsonValue at(JsonValue value, String path) {
        var found = value;
        for (var name : path.split("\\.", -1)) {
            found =
                    found instanceof JsonArray array
                            ? array.values().get(Integer.parseInt(name))
                            : ((JsonObject) found)
                                    .get(name)
                                    .orElseThrow(() ->
                                            new AssertionError("no " + path + " in " + value));
        }
        return found;
    }

    private static JsonObject call(String event) {
        if (event.startsWith("worker_")) {
            scenes.ok(
                    "POST",
                    "/api/v1/webhooks",
                    "{\"url\":\"" + scenes.receiver() + "\",\"events\":[\"" + event + "\"]}");
            scenes.ok(
                    "POST",
                    "/_worker/workers/register",
                    "{\"worker_id\":\"w9\",\"supported_tasks\":[\"none\"]}");
            scenes.ok("DELETE", "/_worker/workers/w9", "");
        } else {
            scenes.job("called");
        }
        return scenes.call(event);
    }

    /// The blocks of the protocol of workers, in the order of the document, with the ids of a task that the worker really has.
    @Test
    void theMessagesOfAWorker_areTaken() throws IOException {
        var job = "j1";
        var lease = "j1.0.2.x7";
        var asked = new ArrayList<CompletableFuture<?>>();
        for (var snippet : Snippet.all()) {
            if (!snippet.language().equals("json") || !snippet.document().equals(WORKERS)) {
                continue;
            }
            var route = snippet.markedText().replace("{task}", lease).split(" ", -1);
            switch (snippet.kindOfMark()) {
                case "answer of", "part of answer of" -> {
                    var documented = (JsonObject) read(snippet);
                    if (route[1].contains("/tasks/next")) {
                        job =
                                scenes.submit(
                                        route[1].contains("inline") ? "pictures" : "wide", "Oslo");
                    }
                    var real =
                            scenes.ok(
                                    route[0],
                                    route[1],
                                    route[0].equals("GET") ? "" : "{\"worker_id\":\"w1\"}");
                    assertThat(
                                    JsonShape.problems(
                                            documented,
                                            real,
                                            snippet.kindOfMark().startsWith("part")))
                            .as("%s", snippet)
                            .isEmpty();
                    lease = real.string("lease_token").orElse(lease);
                }
                case "body of" -> {
                    var body =
                            snippet.code()
                                    .replace("j1.0.2.x7", lease)
                                    .replace("\"j1\"", "\"" + job + "\"");
                    if (route[1].endsWith("/question")) {
                        // The answer comes with that of a person, who is in no hurry.
                        var asking = job;
                        asked.add(scenes.sendLater(route[0], route[1], body));
                        await().until(() -> !scenes.items(asking, "questions").isEmpty());
                        continue;
                    }
                    var answer = scenes.ok(route[0], route[1], body);
                    assertThat(answer.string("status").orElse(""))
                            .as("%s: %s", snippet, answer)
                            .doesNotContain("ignored");
                    assertThat(answer.array("lost").orElse(JsonArray.EMPTY).stream())
                            .as("%s: %s", snippet, answer)
                            .isEmpty();
                }
                default -> throw new AssertionError(snippet + " has no mark of DocumentedJsonTest");
            }
        }
        assertThat(asked).singleElement(as(COMPLETABLE_FUTURE)).succeedsWithin(Scenes.LONGEST);
    }
}
