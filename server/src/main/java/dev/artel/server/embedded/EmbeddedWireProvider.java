package dev.artel.server.embedded;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.text.ValueRoom;
import dev.artel.kernel.job.JobId;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireAddress;
import dev.artel.worker.wire.WireEvents;
import dev.artel.worker.wire.WireProvider;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Wires to the orchestrator of the same process.
public final class EmbeddedWireProvider implements WireProvider {
    /// The scheme of the only address.
    public static final String SCHEME = "embedded";

    /// The only address.
    public static final URI ADDRESS = URI.create(SCHEME + ":orchestrator");

    private final SessionShell session;
    private final TaskAssignments assignments;
    private final Consumer<String> over;
    private final PushedRoom room;

    /// Wires where each job has a client of its own.
    ///
    /// @param assignments how tasks are written, on all wires
    /// @param over takes the name of each task whose result is kept
    public EmbeddedWireProvider(
            SessionShell session, TaskAssignments assignments, Consumer<String> over) {
        this(session, assignments, over, new PushedRoom(new ValueRoom(), JobId::value));
    }

    /// @param room for the parameters of all tasks
    EmbeddedWireProvider(
            SessionShell session,
            TaskAssignments assignments,
            Consumer<String> over,
            PushedRoom room) {
        this.session = session;
        this.assignments = assignments;
        this.over = over;
        this.room = room;
    }

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public void check(URI uri) {
        if (!uri.equals(ADDRESS)) {
            throw new IllegalArgumentException("the address must be " + ADDRESS + ", was " + uri);
        }
    }

    @Override
    public Optional<URI> http(URI uri) {
        return Optional.empty();
    }

    @Override
    public TaskWire wire(WireAddress address, WireEvents events) {
        return new EmbeddedTaskWire(session, assignments, address.workerId(), events, over, room);
    }
}
