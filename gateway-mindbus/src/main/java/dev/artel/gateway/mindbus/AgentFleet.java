package dev.artel.gateway.mindbus;

import dev.artel.kernel.attempt.WorkerId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// How the fleet holds back agents of the bus. Safe for use by many threads.
public interface AgentFleet {
    /// An agent has had its commands for now and gets the next ones then; must not wait.
    void limited(WorkerId agent, Instant until);

    /// Agents get nothing more until [#resumed]; durable when the call returns, all of it or nothing.
    ///
    /// @param by who wants that
    void paused(List<WorkerId> agents, String by, Optional<String> reason);

    /// Agents get tasks again; durable when the call returns, all of it or nothing.
    ///
    /// @param by who wants that
    void resumed(List<WorkerId> agents, String by);
}
