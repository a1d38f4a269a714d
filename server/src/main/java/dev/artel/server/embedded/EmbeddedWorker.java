package dev.artel.server.embedded;

import dev.artel.actions.BuiltInActions;
import dev.artel.config.ActionSettings;
import dev.artel.config.NamedSecret;
import dev.artel.gateway.access.OwnWorkers;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.text.ValueRoom;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.JobId;
import dev.artel.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
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
    /// @param clients returns for a job whose it is; called for tasks with large values alone
    public static EmbeddedWorker start(
            ActionSettings settings,
            Path folder,
            Supplier<Map<String, NamedSecret>> secrets,
            SessionShell session,
            TaskAssignments assignments,
            Function<JobId, String> clients) {
        var room = new PushedRoom(new ValueRoom(), clients);
        var actions =
                new BuiltInActions(
                        settings, folder, secrets, task -> client(task, clients), room::ended);
        var builder =
                Worker.named(ID)
                        .orchestrator(
                                new EmbeddedWireProvider(session, assignments, actions::over, room),
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

    /// @param task the lease token of an attempt
    private static String client(String task, Function<JobId, String> clients) {
        return new LeaseToken(task)
                .address()
                .map(LeaseToken.Address::job)
                .map(clients)
                .orElse(task);
    }

    /// Lets tasks end that are about to; the others are done by the next process.
    @Override
    public void close() {
        worker.close();
        actions.close();
    }
}
