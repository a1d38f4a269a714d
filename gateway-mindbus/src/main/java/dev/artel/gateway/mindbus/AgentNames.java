package dev.artel.gateway.mindbus;

import dev.artel.kernel.attempt.WorkerId;
import java.util.Optional;

/// What the orchestrator knows of the names that agents come with. Safe for use by many threads.
public interface AgentNames {
    /// Knows nothing: each agent may come.
    AgentNames ANY =
            new AgentNames() {
                @Override
                public Optional<String> refusal(WorkerId name) {
                    return Optional.empty();
                }

                @Override
                public boolean isOnAnotherWire(WorkerId name) {
                    return false;
                }
            };

    /// Why no agent may have this name, in a sentence; empty if one may.
    Optional<String> refusal(WorkerId name);

    /// Another number when a name may be judged otherwise than before.
    default long revision() {
        return 0;
    }

    /// Whether a worker of this name is there on another wire, and has not left.
    boolean isOnAnotherWire(WorkerId name);
}
