package dev.artel.server.feed;

import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.EventStore.Committed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// The last committed events, read from the store once for all who follow them. A reader that is further behind reads
/// from the store. Safe for use by many threads.
public final class RecentEvents {
    private static final int KEPT = 4_096;
    private static final int PIECE = 512;

    private final EventStore store;
    private final Deque<Committed> newest = new ArrayDeque<>();

    /// Below this position nothing is kept; -1: nothing was read yet.
    private long from = -1;

    private long last;

    /// The events of `store`.
    public RecentEvents(EventStore store) {
        this.store = store;
    }

    /// The position of the last event that there is.
    long lastPosition() {
        return store.lastPosition();
    }

    /// The appends that hold events after `position`, in order, some of them.
    List<Committed> after(long position) {
        synchronized (newest) {
            if (from >= 0 && position >= from) {
                if (position >= last) {
                    readOn();
                }
                return kept(position);
            }
        }
        var read = store.committedAfter(position, PIECE);
        if (read.size() < PIECE) {
            beginAt(position);
        }
        return read;
    }

    /// A reader has come to the end: from here on it is kept.
    private void beginAt(long position) {
        synchronized (newest) {
            if (from < 0) {
                from = position;
                last = position;
            }
        }
    }

    private void readOn() {
        for (var one : store.committedAfter(last, PIECE)) {
            newest.add(one);
            last = one.last();
            if (newest.size() > KEPT) {
                from = newest.remove().last();
            }
        }
    }

    private List<Committed> kept(long position) {
        var found = new ArrayList<Committed>();
        var backwards = newest.descendingIterator();
        while (backwards.hasNext()) {
            var one = backwards.next();
            if (one.last() <= position) {
                break;
            }
            found.add(one);
        }
        return found.reversed();
    }
}
