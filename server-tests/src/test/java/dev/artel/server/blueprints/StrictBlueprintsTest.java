package dev.artel.server.blueprints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.config.BlueprintSettings;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.StartupException;
import dev.artel.testkit.port.FreePort;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trap: a version is used again for another graph, and jobs that have begun with the first one break.
final class StrictBlueprintsTest {
    @TempDir private Path folder;

    private void start(boolean strict, Blueprint... blueprints) {
        start(TestNodes.CONFIG, strict, blueprints);
    }

    private void start(ServerConfig base, boolean strict, Blueprint... blueprints) {
        var config =
                base.withData(folder).withBlueprints(BlueprintSettings.DEFAULTS.withStrict(strict));
        try (var node = ArtelNode.start(config, Blueprints.of(blueprints))) {
            assertThat(node.engine().blueprints().names()).isNotEmpty();
        }
    }

    private static Blueprint blueprint(String version, String second) {
        return Blueprint.named("order")
                .version(version)
                .start("begin", _ -> Action.transitionTo(second))
                .leadingTo(second)
                .state(second, _ -> Action.finish(JsonObject.EMPTY))
                .build();
    }

    @Test
    void aVersionWithAnotherGraph_isAWarning_andIsRefusedIfOneIsStrict() {
        start(true, blueprint("1", "pack"), blueprint("2", "pack"));
        start(true, blueprint("1", "pack"), blueprint("2", "pack"), blueprint("3", "send"));

        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> start(true, blueprint("1", "send"), blueprint("3", "send")))
                .withMessage(
                        "blueprints have another graph than before under the same version: order 1;"
                                + " give each a new version, or start without --strict");
        start(true, blueprint("1", "pack"));

        start(false, blueprint("1", "send"));
        start(true, blueprint("1", "send"));
    }

    /// Trap: a program that embeds an orchestrator and recovers what it complained of finds its own port taken.
    @Test
    void aRefusedStart_leavesThePortFree() {
        start(true, blueprint("1", "pack"));
        var port = FreePort.next();

        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(
                        () -> start(TestNodes.CONFIG.withPort(port), true, blueprint("1", "send")));

        start(TestNodes.CONFIG.withPort(port), true, blueprint("1", "pack"));
    }
}
