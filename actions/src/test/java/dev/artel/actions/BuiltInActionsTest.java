package dev.artel.actions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ActionSettings;
import dev.artel.worker.Worker;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BuiltInActionsTest {
    @TempDir Path folder;

    /// Trap: all slots are taken by requests to a host that does not answer, and nothing else is done for five minutes.
    @Test
    void someSlots_areLeftForWhatNeitherComputesNorWaitsForOthers() {
        assertThat(BuiltInActions.limits(32))
                .containsEntry("requests", 24)
                .containsEntry("files", 4)
                .containsEntry("queries", BackgroundCall.MOST);
        assertThat(BuiltInActions.limits(1))
                .containsEntry("requests", 1)
                .containsEntry("files", 1)
                .containsEntry("queries", 1);
        try (var actions = new BuiltInActions(ActionSettings.DEFAULTS, folder, Map::of)) {
            var builder = Worker.named("w").orchestrator(URI.create("http://localhost:1"), "token");
            actions.addTo(builder, 32);

            // It would refuse a limit of a category without types.
            builder.build().close();
        }
    }
}
