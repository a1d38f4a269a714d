package dev.artel.worker.link;

import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Register;
import dev.artel.protocol.TaskAssignment;
import java.time.Duration;
import java.util.List;

/// What a link needs of the worker behind it. Called by several threads at a time.
public interface ConnectionCallbacks {
    /// Waits until a task could begin.
    ///
    /// @return how many could; 0 if none could in time
    int awaitFreeSlots(Duration longest) throws InterruptedException;

    /// Takes a task in. Returns at once; the outcome goes to [OrchestratorConnection#report].
    void assign(OrchestratorConnection orchestratorConnection, TaskAssignment task);

    /// Stops a task.
    ///
    /// @param id of the hand-out, the lease or the job
    void cancel(OrchestratorConnection orchestratorConnection, String id);

    /// Stops a task whose outcome is no longer wanted.
    void forget(OrchestratorConnection orchestratorConnection, String lease, String reason);

    /// The worker is to finish what it has and to end. Returns at once.
    void shutDown(OrchestratorConnection orchestratorConnection, String reason);

    /// The leases of the tasks that came from `link` and have no outcome yet.
    List<String> leases(OrchestratorConnection orchestratorConnection);

    /// How the worker introduces itself.
    Register introduction(Duration lease, boolean websocket);

    /// How the worker stands now, without the tasks it holds.
    Heartbeat.Full heartbeat(ProtocolVersion protocolVersion);
}
