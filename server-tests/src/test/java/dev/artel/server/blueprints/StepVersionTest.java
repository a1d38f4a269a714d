package dev.artel.server.blueprints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import org.junit.jupiter.api.Test;

/// Handlers that several versions of a blueprint share.
final class StepVersionTest {
    private static final StepHandler SHARED =
            step -> Action.finish(JsonObject.of("version", JsonValue.of(step.version())));

    private static Blueprint version(String version) {
        return Blueprint.named("shared").version(version).start("one", SHARED).build();
    }

    @Test
    void aHandlerThatVersionsShare_knowsTheVersionOfItsJob() {
        var storage =
                new Storage(
                        new InMemoryEventStore(), new InMemoryPayloadStore(), new InMemoryFleet());
        var blueprints = Blueprints.of(version("1"), version("2"));
        try (var node = ArtelNode.start(TestNodes.CONFIG, blueprints, storage)) {
            var client = TestClient.of(node);

            var old = client.submit("{\"blueprint\":\"shared\",\"version\":\"1\"}");
            var newest = client.submit("{\"blueprint\":\"shared\"}");

            assertThat(result(client, old)).isEqualTo("1");
            assertThat(result(client, newest)).isEqualTo("2");
        }
    }

    private static String result(TestClient client, String job) {
        var ended = client.get("/api/v1/jobs/" + job + "?wait=60").object();
        return ended.object("result").orElseThrow().string("version").orElseThrow();
    }
}
