package dev.artel.access;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Room for a number of things at once, of which nobody takes all: each may have as many as are left for all others
/// (Choudhury and Hahne, Dynamic queue length thresholds, 1998). One that takes what it can gets half of the room, and the
/// next one finds room. Safe for use by many threads.
public final class Shares {
    private final int room;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> taken = new HashMap<>();
    private int all;

    /// @param room for how many things there is room
    public Shares(int room) {
        this.room = room;
    }

    /// What [#take] found.
    public enum Taken {
        /// There was room; it is taken until [#release].
        ROOM,
        /// There is room, but as much as `who` has is for others.
        SHARE_USED,
        /// There is no room at all.
        NO_ROOM
    }

    /// Takes room for one thing of `who`, if there is some for it.
    public Taken take(String who) {
        lock.lock();
        try {
            var own = taken.getOrDefault(who, 0);
            if (all >= room) {
                return Taken.NO_ROOM;
            }
            if (own >= room - all) {
                return Taken.SHARE_USED;
            }
            taken.put(who, own + 1);
            all++;
            return Taken.ROOM;
        } finally {
            lock.unlock();
        }
    }

    /// Gives back what [#take] took for `who`.
    public void release(String who) {
        lock.lock();
        try {
            taken.computeIfPresent(who, (_, own) -> own == 1 ? null : own - 1);
            all--;
        } finally {
            lock.unlock();
        }
    }
}
