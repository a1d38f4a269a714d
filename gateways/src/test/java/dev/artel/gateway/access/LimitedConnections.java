package dev.artel.gateway.access;

import dev.artel.kernel.attempt.WorkerId;
import java.time.Duration;
import java.util.Optional;

/// Workers ask as often as they like, and have few connections.
public final class LimitedConnections implements WorkerLimits {
    private final TokenConnections connections;

    /// @param most of a token for all workers
    public LimitedConnections(int most) {
        connections = new TokenConnections(() -> most);
    }

    @Override
    public TokenConnections connections() {
        return connections;
    }

    @Override
    public Optional<Duration> take(WorkerId worker, Kind kind) {
        return Optional.empty();
    }

    @Override
    public void giveBack(WorkerId worker, Kind kind) {}
}
