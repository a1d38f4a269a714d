package dev.artel.server.jobs;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.GuardLimits;
import dev.artel.blueprint.StateHandler;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A job that runs many others of one blueprint, as clients see it.
final class ManyChildrenTest {
    private static final List<String> ENDS = List.of("finished", "failed", "cancelled");

    private final InMemoryPayloadStore payloads = new InMemoryPayloadStore();
    private final Storage storage =
            new Storage(new InMemoryEventStore(), payloads, new InMemoryFleet());
    private ArtelNode node = start();
    private TestClient client = TestClient.of(node);

    /// A child, of which number 13 fails.
    private static Blueprint page(String name, boolean waits, boolean large) {
        return Blueprint.named(name)
                .start(
                        "begin",
                        _ -> waits ? Action.awaitSignal("go", "end") : Action.transitionTo("end"))
                .leadingTo("end")
                .state(
                        "end",
                        step -> {
                            var n = step.value("n").orElseThrow();
                            if (n.equals(JsonValue.of(13))) {
                                return Action.fail("unlucky");
                            }
                            return Action.finish(
                                    JsonObject.of(
                                            "n",
                                            n,
                                            "text",
                                            JsonValue.of(large ? "x".repeat(100_000) : "")));
                        })
                .build();
    }

    private static List<JsonObject> pages(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> JsonObject.of("n", JsonValue.of(n)))
                .toList();
    }

    /// A fan-out of child jobs in an annotated class.
    @BlueprintDefinition(name = "book", guards = @GuardLimits(treeSteps = 20_000))
    static final class Book {
        @StateHandler(value = "spread", start = true, leadsTo = "join", window = 25)
        List<ChildCall<JsonValue>> spread() {
            return pages(2_000).stream().map(page -> ChildCall.of("page", page)).toList();
        }

        @StateHandler("join")
        JsonObject join(List<dev.artel.blueprint.ChildResult<JsonObject>> children) {
            var inOrder =
                    IntStream.range(0, children.size())
                            .allMatch(n ->
                                    children.get(n)
                                                    .result()
                                                    .flatMap(it -> it.get("n"))
                                                    .filter(JsonValue.of(n)::equals)
                                                    .isPresent()
                                            || n == 13);
            return JsonObject.builder()
                    .put("count", children.size())
                    .put("in_order", inOrder)
                    .build();
        }
    }

    private static Blueprint settled(String name, String child, int count) {
        return Blueprint.named(name)
                .start(
                        "spread",
                        _ ->
                                Action.runBlueprints(child, pages(count), "join")
                                        .withWindow(3)
                                        .withPolicy(JoinPolicy.SETTLED)
                                        .each(run -> run.within(Duration.ofMinutes(5))))
                .leadingTo("join")
                .state(
                        "join",
                        step ->
                                Action.finish(
                                        JsonObject.of(
                                                "outcomes",
                                                new JsonArray(
                                                        step.children().stream()
                                                                .map(child1 ->
                                                                        (JsonValue)
                                                                                JsonValue.of(
                                                                                        child1
                                                                                                .outcome()))
                                                                .toList()))))
                .build();
    }

    /// Returns how many large values were read to count those that finished, and then reads one.
    private Blueprint counting() {
        return Blueprint.named("large")
                .start("spread", _ -> Action.runBlueprints("large-page", pages(10), "join"))
                .leadingTo("join")
                .state(
                        "join",
                        step -> {
                            var before = payloads.reads();
                            var finished =
                                    step.children().stream()
                                            .filter(ChildResult::hasFinished)
                                            .count();
                            var reads = payloads.reads() - before;
                            var one = (JsonObject) step.children().get(7).result().orElseThrow();
                            return Action.finish(
                                    JsonObject.builder()
                                            .put("finished", finished)
                                            .put("reads", reads)
                                            .put(
                                                    "characters",
                                                    one.string("text").orElseThrow().length())
                                            .build());
                        })
                .build();
    }

    private ArtelNode start() {
        return ArtelNode.start(
                TestNodes.CONFIG,
                Blueprints.of(
                        page("page", false, false),
                        page("slow-page", true, false),
                        page("large-page", false, true),
                        dev.artel.blueprint.Blueprint.annotated(Book.class),
                        settled("leaflet", "page", 20),
                        settled("slow", "slow-page", 7),
                        counting()),
                storage);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String submit(String blueprint) {
        return client.submit("{\"blueprint\":\"" + blueprint + "\"}");
    }

    private JsonObject ended(String job) {
        return await("the end of job " + job)
                .until(
                        () -> client.get("/api/v1/jobs/" + job + "?wait=60").object(),
                        found -> ENDS.contains(found.string("status").orElse("")));
    }

    private JsonObject look(String job) {
        return client.get("/api/v1/jobs/" + job).object();
    }

    @Test
    void aFailureOfOne_failsAJobThatNeedsAll_whenTheOthersHaveEnded() {
        var job = ended(submit("book"));

        assertThat(job.string("status")).contains("failed");
        assertThat(job.string("error_message").orElseThrow())
                .startsWith("1 of 2,000 children did not finish; the first of them is child 13");
        assertThat(job.object("child_counts").orElseThrow())
                .isEqualTo(
                        JsonObject.of("finished", JsonValue.of(1_999), "failed", JsonValue.of(1)));
    }

    @Test
    void howEachEnded_isInItsPlace() {
        var outcomes =
                ended(submit("leaflet"))
                        .object("result")
                        .orElseThrow()
                        .array("outcomes")
                        .orElseThrow();

        assertThat(outcomes.size()).isEqualTo(20);
        assertThat(outcomes.get(12)).isEqualTo(JsonValue.of("finished"));
        assertThat(outcomes.get(13)).isEqualTo(JsonValue.of("failed"));
    }

    /// Trap: a handler that asks how many have finished has all that they brought in memory.
    @Test
    void aHandlerThatOnlyCounts_readsNoLargeResult() {
        var result = ended(submit("large")).object("result").orElseThrow();

        assertThat(result.get("finished")).contains(JsonValue.of(10));
        assertThat(result.get("reads")).contains(JsonValue.of(0));
        assertThat(result.get("characters")).contains(JsonValue.of(100_000));
    }

    @Test
    void theWindow_theExplanation_theHistory_andARestart() {
        var job = submit("slow");
        await().untilAsserted(() ->
                assertThat(look(job).object("child_counts").orElseThrow())
                        .isEqualTo(
                                JsonObject.of(
                                        "running", JsonValue.of(3), "planned", JsonValue.of(4))));

        assertThat(look(job).string("status")).contains("waiting_for_sub_job");
        assertThat(look(job).array("children").orElseThrow().size()).isEqualTo(3);
        var text =
                client.get("/api/v1/jobs/" + job + "/explain")
                        .object()
                        .string("text")
                        .orElseThrow();
        assertThat(text)
                .startsWith(
                        "it waits for 7 of 7 children of blueprint slow-page: 0 have finished, 0 have"
                                + " not, 3 live (at most 3 at once), 4 wait for their turn");
        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs/" + job + "/explain").text())
                        .contains("it waits for signal 'go'"));
        assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                .contains("\"children.requested\"");
        stop();
        node = start();
        client = TestClient.of(node);
        for (var n = 0; n < 7; n++) {
            var place = n;
            await().until(() -> livingChild(job, place).isPresent());
            client.post(
                    "/api/v1/jobs/" + livingChild(job, n).orElseThrow() + "/signals/go",
                    "{\"id\":\"s\",\"payload\":{}}");
        }
        assertThat(ended(job).string("status")).contains("finished");
    }

    private Optional<String> livingChild(String job, int number) {
        for (var child : look(job).array("children").orElse(JsonArray.EMPTY).values()) {
            var line = (JsonObject) child;
            if (line.number("number").orElseThrow().asLong() == number
                    && line.string("status").orElseThrow().equals("running")) {
                return line.string("job_id");
            }
        }
        return Optional.empty();
    }

    @Test
    void aCancel_cancelsThoseThatLive_andStartsNoOthers() {
        var job = submit("slow");
        await().until(() -> livingChild(job, 2).isPresent());
        var child = livingChild(job, 2).orElseThrow();

        client.post("/api/v1/jobs/" + job + "/cancel", "{}");

        assertThat(ended(job).string("status")).contains("cancelled");
        assertThat(ended(child).string("status")).contains("cancelled");
        assertThat(look(job).object("child_counts").orElseThrow().number("withdrawn")).isPresent();
        assertThat(client.get("/api/v1/jobs?parent=" + job).items().size()).isEqualTo(3);
    }
}
