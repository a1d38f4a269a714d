package dev.artel.gateway.zeromq;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// How many results and calls of each peer have no answer yet. Safe for use by many threads.
final class InFlight {
    private static final int MOST = 1_000;

    private final ConcurrentMap<PeerName, Integer> counts = new ConcurrentHashMap<>();

    /// Begins another one, which [#end] follows.
    ///
    /// @return whether there was room for it
    boolean begin(PeerName peer) {
        var isTaken = new boolean[1];
        counts.compute(
                peer,
                (_, count) -> {
                    var before = count == null ? 0 : count;
                    isTaken[0] = before < MOST;
                    return isTaken[0] ? (Integer) (before + 1) : count;
                });
        return isTaken[0];
    }

    void end(PeerName peer) {
        counts.computeIfPresent(peer, (_, count) -> count <= 1 ? null : (Integer) (count - 1));
    }
}
