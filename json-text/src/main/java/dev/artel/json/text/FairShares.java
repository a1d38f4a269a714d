package dev.artel.json.text;

import java.util.HashMap;
import java.util.Map;

/// What each of many peers holds of something that all of them share: a peer has at most half of what the others leave, so that some is left
/// however many of them hold theirs for long. Not safe for use by many threads: its owner has a lock, under which it decides whether to wait.
public final class FairShares {
    private final long most;
    private final Map<String, Long> held = new HashMap<>();
    private long taken;

    /// @param most how much there is
    public FairShares(long most) {
        this.most = most;
    }

    /// Whether `peer` may have so much more.
    public boolean hasRoom(String peer, long more) {
        var own = of(peer);
        return own + more <= (most - (taken - own)) / 2;
    }

    /// `peer` has so much more.
    public void take(String peer, long more) {
        if (more > 0) {
            held.merge(peer, more, Long::sum);
            taken += more;
        }
    }

    /// `peer` has so much less, of what it took.
    public void free(String peer, long less) {
        if (less > 0) {
            held.computeIfPresent(peer, (_, own) -> own <= less ? null : (Long) (own - less));
            taken -= less;
        }
    }

    /// How much `peer` has.
    public long of(String peer) {
        return held.getOrDefault(peer, 0L);
    }

    /// How much all peers have.
    public long taken() {
        return taken;
    }
}
