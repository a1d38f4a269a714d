package dev.artel.worker.wire;

import dev.artel.json.JsonObject;
import dev.artel.protocol.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A way to talk to one orchestrator. Bodies, statuses and their meaning are those of HTTP on every wire. It is used again after it
/// broke or was left: [#register] connects. Implementations are safe for use by many threads.
public interface TaskWire extends AutoCloseable {
    /// The name that the fleet has for it: `http`, `websocket`, `zeromq`.
    String name();

    /// Whether the orchestrator sends tasks by itself, to [WireEvents#pushed]; otherwise the worker polls.
    boolean pushes();

    /// Finds out whether the orchestrator can be reached, without registering.
    ///
    /// @throws IOException if not
    void probe(Duration timeout) throws IOException, InterruptedException;

    /// Connects where that is needed, and registers the worker. What it held on another wire it holds on this one.
    ///
    /// @param introduction the body of a registration over HTTP
    /// @param held the leases of the tasks that are in work, or whose outcome is not confirmed
    /// @return as over HTTP; with `lease_ms` if the orchestrator knows leases
    /// @throws IOException if there is no connection, or no answer
    OrchestratorResponse register(JsonObject introduction, List<String> held, Duration timeout)
            throws IOException, InterruptedException;

    /// Asks something and waits for the answer.
    ///
    /// @param taskId of the task that it is about; empty for none
    /// @param body JSON in UTF-8, or empty
    /// @return as over HTTP; 413 for what is too large for a message of this wire
    /// @throws IOException if there is no connection, or no answer in time; the orchestrator may have done it
    OrchestratorResponse send(WireOperation operation, String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException;

    /// Waits for tasks, on a wire that does not push them.
    ///
    /// @param inline larger parameters come as references; below 0: none do
    /// @param hold how long the orchestrator may wait for a task; null: as long as it likes
    default OrchestratorResponse poll(
            int max, int inline, @Nullable Duration hold, Duration timeout)
            throws IOException, InterruptedException {
        throw new UnsupportedOperationException("tasks are pushed over " + name());
    }

    /// Sends progress at once, without waiting for anything.
    ///
    /// @return whether it could; otherwise it goes along with the renewals
    default boolean send(Progress progress) {
        return false;
    }

    /// Leaves the wire, since the worker has registered over another one. What is in flight may come to its end.
    void leave();

    /// Ends what is in flight; the wire is not used again.
    @Override
    void close();
}
