package dev.artel.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a blueprint sets as the content of its data stores before the first job.
final class InitialValuesTest {
    @TempDir private Path folder;

    private static Blueprint blueprint(String version, JsonObject values) {
        return Blueprint.named("counting")
                .version(version)
                .dataStore("numbers", values)
                .start("count", InitialValuesTest::count)
                .build();
    }

    /// Adds to `sum`, removes `once`, and returns what was there.
    private static Action count(Step step) {
        var numbers = step.store("numbers");
        var found = JsonObject.builder();
        numbers.list("", "", 10).forEach(entry -> found.put(entry.key(), entry.value()));
        numbers.put("sum", JsonValue.of(41));
        numbers.remove("once");
        return Action.finish(found.build());
    }

    private String run(Blueprint... blueprints) {
        try (var node =
                ArtelNode.start(TestNodes.CONFIG.withData(folder), Blueprints.of(blueprints))) {
            var client = TestClient.of(node);
            var id = client.submit("{\"blueprint\":\"counting\"}");
            var job = client.get("/api/v1/jobs/" + id + "?wait=60").object();
            return job.object("result").orElseThrow().toString();
        }
    }

    /// Trap: each start sets the values of a shared store back to the first ones.
    @Test
    void eachKeyIsSetOnce_whateverBecomesOfIt_andALaterVersionMayAddSome() {
        var values = JsonObject.of("once", JsonValue.of("x"), "sum", JsonValue.of(1));
        var first = blueprint("1", values);
        assertThat(run(first)).isEqualTo("{\"once\":\"x\",\"sum\":1}");
        assertThat(run(first)).isEqualTo("{\"sum\":41}");

        var second =
                blueprint("2", values.with("sum", JsonValue.of(7)).with("more", JsonValue.of(2)));
        assertThat(run(first, second)).isEqualTo("{\"more\":2,\"sum\":41}");
    }
}
