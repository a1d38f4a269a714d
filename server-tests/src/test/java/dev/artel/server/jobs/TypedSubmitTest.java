package dev.artel.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Versions, typed initial data, conditions and data stores, over HTTP.
final class TypedSubmitTest {
    private static final AtomicInteger CHECKED = new AtomicInteger();

    record Order(String item, int amount) {
        Order {
            if (amount < 0) {
                CHECKED.incrementAndGet();
                throw new IllegalArgumentException("less than nothing");
            }
        }
    }

    private ArtelNode node;
    private TestClient client;

    @BeforeEach
    void start() {
        var storage =
                new Storage(
                        new InMemoryEventStore(),
                        new InMemoryPayloadStore(),
                        new InMemoryFleet(),
                        new InMemoryKeyValueStore());
        var known = Blueprints.of(order("1.9"), order("1.10"), counter());
        node = ArtelNode.start(TestNodes.CONFIG, known, storage);
        client = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private static Blueprint order(String version) {
        return Blueprint.named("order")
                .version(version)
                .initialData(Order.class)
                .start("begin")
                .when("initial_data.amount > 100", _ -> Action.transitionTo("large"))
                .otherwise(_ -> Action.transitionTo("small"))
                .leadingTo("large", "small")
                .state("large", _ -> end("large", version))
                .state("small", _ -> end("small", version))
                .build();
    }

    private static Action end(String size, String version) {
        return Action.finish(JsonObject.of("ended", JsonValue.of(size + " " + version)));
    }

    private static Blueprint counter() {
        return Blueprint.named("counter")
                .dataStore("hits")
                .start(
                        "count",
                        step ->
                                Action.finish(
                                        JsonObject.of(
                                                "hits",
                                                step.store("hits")
                                                        .update(
                                                                "all",
                                                                JsonValue.of(0),
                                                                TypedSubmitTest::plusOne))))
                .build();
    }

    private static JsonValue plusOne(JsonValue value) {
        return JsonValue.of(((JsonNumber) value).asLong() + 1);
    }

    private JsonObject done(String body) {
        var id = client.submit(body);
        return client.get("/api/v1/jobs/" + id + "?wait=60").object();
    }

    @Test
    void theNewestVersion_isTheDefault_andOthersAreNamed() {
        var newest =
                done("{\"blueprint\":\"order\",\"initial_data\":{\"item\":\"x\",\"amount\":1}}");
        var older =
                done(
                        "{\"blueprint\":\"order\",\"version\":\"1.9\",\"initial_data\":{\"item\":\"x\",\"amount\":101}}");

        assertThat(newest.get("result")).hasToString("Optional[{\"ended\":\"small 1.10\"}]");
        assertThat(newest.string("blueprint_version")).contains("1.10");
        assertThat(older.get("result")).hasToString("Optional[{\"ended\":\"large 1.9\"}]");
        assertThat(older.string("blueprint_version")).contains("1.9");
    }

    @Test
    void aVersionThatIsNotThere_isNotFound() {
        var answer = client.post("/api/v1/jobs", "{\"blueprint\":\"order\",\"version\":\"2\"}");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.error()).isEqualTo("Blueprint not found");
        assertThat(answer.detail())
                .isEqualTo("there is no version 2 of blueprint 'order'; there are [1.9, 1.10]");
    }

    /// Trap: initial data are looked at one problem at a time, or when the job has begun.
    @Test
    void initialDataThatDoNotFit_areRefusedWithEverythingThatIsWrong() {
        var answer = client.post("/api/v1/jobs/order", "{\"item\":5,\"amount\":\"1\",\"more\":1}");

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.error()).isEqualTo("Invalid initial data");
        assertThat(answer.detail())
                .isEqualTo(
                        "initial_data.item: expected a string, found JSON number;"
                                + " initial_data.amount: expected a whole number of 32 bits, found"
                                + " JSON string; initial_data.more: is not known; there are [item,"
                                + " amount]");
    }

    @Test
    void whatIsWrong_canBeReadOneByOne() {
        var answer = client.post("/api/v1/jobs/order", "{\"item\":5}");

        assertThat(answer.object().array("problems").orElseThrow())
                .hasToString(
                        "[\"initial_data.item: expected a string, found JSON number\","
                                + "\"initial_data.amount: expected a whole number of 32 bits, found"
                                + " nothing\"]");
    }

    /// Trap: an author's code runs once to find out whether there are problems, and again to list them.
    @Test
    void initialDataThatDoNotFit_areCheckedOnce() {
        CHECKED.set(0);

        var answer = client.post("/api/v1/jobs/order", "{\"item\":\"x\",\"amount\":-1}");

        assertThat(answer.object().array("problems").orElseThrow().toString())
                .contains("less than nothing");
        assertThat(CHECKED).hasValue(1);
    }

    @Test
    void aBlueprint_showsWhatItWants() {
        var order = client.get("/api/v1/blueprints/order").object();
        var older = client.get("/api/v1/blueprints/order?version=1.9").object();

        assertThat(order.string("version")).contains("1.10");
        assertThat(order.array("versions").orElseThrow()).hasToString("[\"1.9\",\"1.10\"]");
        var schema = order.object("initial_data").orElseThrow();
        assertThat(schema.array("required").orElseThrow()).hasToString("[\"item\",\"amount\"]");
        assertThat(schema.object("properties").orElseThrow().names())
                .containsExactly("item", "amount");
        assertThat(older.string("version")).contains("1.9");
        assertThat(client.get("/api/v1/blueprints/counter").object().get("data_stores"))
                .hasToString("Optional[[\"hits\"]]");
        assertThat(client.get("/api/v1/blueprints/none").status()).isEqualTo(404);
    }

    @Test
    void initialDataThatAreNoObject_areRefused() {
        var answer = client.post("/api/v1/jobs/order", "[1]");

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.detail()).isEqualTo("initial_data: expected an object, found JSON array");
    }

    @Test
    void aDataStore_isSharedByTheJobsOfABlueprint() {
        done("{\"blueprint\":\"counter\"}");
        var second = done("{\"blueprint\":\"counter\"}");

        assertThat(second.get("result")).hasToString("Optional[{\"hits\":2}]");
    }
}
