package dev.artel.server.embedded;

import dev.artel.actions.BuiltInActions;
import dev.artel.config.ActionSettings;
import dev.artel.config.NamedSecret;
import dev.artel.gateway.access.OwnWorkers;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/// The worker of the orchestrator itself, which does the built-in actions. To the dispatcher it is one like all others.
public final class EmbeddedWorker implements AutoCloseable {
    /// Its name in the fleet.
    public static final String ID = OwnWorkers.ACTIONS.value();

    private static final Duration DRAIN = Duration.ofSeconds(2);

    private final BuiltInActions actions;
    private final Worker worker;

    private EmbeddedWorker(BuiltInActions actions, Worker worker) {
        this.actions = actions;
        this.worker = worker;
    }

    /// Begins to do actions.
    ///
    /// @param folder where they keep files
    /// @param secrets those that requests may name
    public static EmbeddedWorker start(
            ActionSettings settings,
            Path folder,
            Supplier<Map<String, NamedSecret>> secrets,
            SessionShell session,
            TaskAssignments assignments) {
        var actions = new BuiltInActions(settings, folder, secrets);
        var builder =
                Worker.named(ID)
                        .orchestrator(
                                new EmbeddedWireProvider(session, assignments, actions::over),
                                EmbeddedWireProvider.ADDRESS)
                        .type("built-in actions")
                        .maxConcurrentTasks(settings.slots())
                        .drainTimeout(DRAIN)
                        .withoutShutdownHook();
        actions.addTo(builder, settings.slots());
        var worker = builder.build();
        worker.start();
        return new EmbeddedWorker(actions, worker);
    }

    /// Lets tasks end that are about to; the others are done by the next process.
    @Override
    public void close() {
        worker.close();
        actions.close();
    }
}
