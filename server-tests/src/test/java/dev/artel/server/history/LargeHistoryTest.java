package dev.artel.server.history;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.AliceAndBob;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What clients read has a budget of bytes, and what is large has an address of its own.
final class LargeHistoryTest {
    private static final int TASKS = 80;
    private static final int MOST = 5 << 20;
    private static final String TEXT = "x".repeat(900_000);

    @TempDir private Path folder;

    private ArtelNode node;
    private TestClient alice;
    private TestClient bob;

    private static Blueprint many() {
        return Blueprint.named("many")
                .start(
                        "spread",
                        step ->
                                Action.dispatchParallel(
                                                Collections.nCopies(
                                                        TASKS,
                                                        TaskSpec.of("big", JsonObject.EMPTY)),
                                                "join")
                                        .with(JsonObject.of("copy", JsonValue.of(TEXT))))
                .leadingTo("join")
                .state("join", step -> Action.finish(step.data()))
                .build();
    }

    @BeforeEach
    void start() throws Exception {
        var data = folder.resolve("data");
        AliceAndBob.writeTo(data);
        node =
                ArtelNode.start(
                        TestNodes.CONFIG
                                .withData(data)
                                .withGateway(TestNodes.CONFIG.gateway().withMaxBodyBytes(2 << 20)),
                        Blueprints.of(many()));
        alice = AliceAndBob.alice(node);
        bob = AliceAndBob.bob(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String played(JsonObject result) {
        var id = alice.submit("{\"blueprint\":\"many\",\"initial_data\":{}}");
        var worker = new TestWorker(node, "w", "big");
        for (var i = 0; i < TASKS; i++) {
            worker.report(worker.next(), result.with("n", JsonValue.of(i)));
        }
        var ended = alice.get("/api/v1/jobs/" + id + "?wait=60&fields=status").object();
        assertThat(ended.string("status")).contains("finished");
        return id;
    }

    private List<JsonObject> history(String id) {
        var events = new ArrayList<JsonObject>();
        var path = "/api/v1/jobs/" + id + "/history";
        var next = "?limit=1000";
        while (!next.isEmpty()) {
            var query = next;
            // On a busy machine a turn may not come in time: then it is asked again, as clients do.
            var page =
                    await("a turn to read")
                            .until(() -> alice.get(path + query), it -> it.status() != 429);
            assertThat(page.status()).as(page.text().substring(0, 20)).isEqualTo(200);
            assertThat(page.text().length()).isLessThan(MOST);
            page.items().forEach(event -> events.add((JsonObject) event));
            next = page.next().map(cursor -> "?limit=1000&cursor=" + cursor).orElse("");
        }
        return events;
    }

    /// Trap: one page of a history has all results of a fan-out in it, and in memory.
    @Test
    void aHistoryOfLargeResults_hasTheirAddresses_andEightReadersAreAnswered() throws Exception {
        var id = played(JsonObject.of("text", JsonValue.of(TEXT)));
        try (var readers = Executors.newFixedThreadPool(8)) {
            Callable<List<JsonObject>> read = () -> history(id);
            for (var each : readers.invokeAll(Collections.nCopies(8, read))) {
                assertThat(each.get())
                        .filteredOn(
                                event -> event.string("type").orElse("").equals("task.succeeded"))
                        .hasSize(TASKS)
                        .allSatisfy(event -> {
                            var data = event.object("data").orElseThrow();
                            assertThat(data.names()).containsExactly("text", "n");
                            assertThat(data.object("text").flatMap(it -> it.object("large_value")))
                                    .isPresent();
                        });
            }
        }

        var large =
                history(id).stream()
                        .flatMap(event -> event.object("data").stream())
                        .flatMap(data -> data.object("text").stream())
                        .flatMap(text -> text.object("large_value").stream())
                        .findFirst()
                        .orElseThrow();
        var href = large.string("href").orElseThrow();
        assertThat(alice.get(href).json()).isEqualTo(JsonValue.of(TEXT));
        assertThat(large.number("bytes")).contains(JsonNumber.of(alice.get(href).text().length()));
        assertThat(bob.get(href).status()).isEqualTo(404);
        assertThat(bob.get(href).text()).isEqualTo(bob.get(href.replace(id, NOBODYS)).text());
        assertThat(alice.get(href.substring(0, href.length() - 64) + "0".repeat(64)).status())
                .isEqualTo(404);
    }

    private static final String NOBODYS = "00000000-0000-7000-8000-000000000000";

    /// Trap: values that each stay in their event are together more than fits.
    @Test
    void pagesEndByBytes_andGoOnBehindTheirLastEvent() {
        var id = played(JsonObject.of("text", JsonValue.of("y".repeat(60_000))));
        var client = alice;

        var once = history(id);
        var inPieces =
                IntStream.range(0, once.size())
                        .mapToObj(i ->
                                (JsonObject)
                                        client.get(
                                                        "/api/v1/jobs/"
                                                                + id
                                                                + "/history?limit=1&after="
                                                                + i)
                                                .items()
                                                .get(0))
                        .toList();

        assertThat(once).isEqualTo(inPieces);
        assertThat(alice.get("/api/v1/jobs/" + id + "/history?limit=1000").items().size())
                .as("events of the first page")
                .isLessThan(once.size());
    }

    @Test
    void aJob_showsValuesUpToALimit_andWhatFields_select() {
        var id = played(JsonObject.of("text", JsonValue.of("small")));

        var job = alice.get("/api/v1/jobs/" + id).object();

        assertThat(job.object("state_history").flatMap(data -> data.string("copy"))).contains(TEXT);
        assertThat(job.object("result").flatMap(data -> data.string("copy"))).contains(TEXT);
        var some = alice.get("/api/v1/jobs/" + id + "?fields=id,task_counts");
        assertThat(some.text()).hasSizeLessThan(1_000);
        assertThat(some.object().names()).containsExactly("id", "task_counts");
    }
}
