package dev.artel.worker.wire;

import dev.artel.protocol.TaskAssignment;
import java.util.List;

/// What a wire reports to the worker behind it. Each call returns at once; any thread may make it.
public interface WireEvents {
    /// The orchestrator sends a task.
    ///
    /// @return whether the worker takes it; otherwise the wire refuses it
    boolean pushed(TaskAssignment task);

    /// A task is to be stopped, and its end to be reported.
    ///
    /// @param id of the hand-out, the lease or the job
    void cancelled(String id);

    /// The outcome of a task is no longer wanted.
    void lost(String lease, String reason);

    /// The leases of the tasks that are in work, or whose outcome is not confirmed.
    List<String> held();

    /// The worker is to finish what it has and to end.
    ///
    /// @param reason for people
    default void shutDown(String reason) {}

    /// The connection has ended by itself.
    void broken(TaskWire wire, String cause);
}
