package dev.artel.gateway.mindbus;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Until when the events of agents have been read: what was at the broker by then is done with. The sign of life of an agent that seems silent may
/// stand in the queue behind what others have sent. Safe for use by many threads.
final class ReadEvents {
    private final int ahead;
    private Instant until = Instant.MIN;

    /// How many have come and are not done with.
    private int unsettled;

    private long settled;

    /// When the broker counted what is being read now; null if all of it has been read.
    private @Nullable Instant counted;

    /// How many are done with when what was counted has been read.
    private long needed;

    /// @param ahead how many the broker may have sent that have not come yet, and count as waiting no more
    ReadEvents(int ahead) {
        this.ahead = ahead;
    }

    /// One has come.
    synchronized void received() {
        unsettled++;
    }

    /// One is done with.
    synchronized void settled() {
        unsettled--;
        settled++;
        if (counted != null && settled >= needed) {
            until = counted;
            counted = null;
        }
    }

    /// So many wait at the broker.
    ///
    /// @param asked just before the broker was asked
    synchronized void waiting(int messages, Instant asked) {
        if (messages == 0 && unsettled == 0) {
            until = asked;
            counted = null;
        } else if (counted == null) {
            counted = asked;
            needed = settled + messages + ahead;
        }
    }

    /// What was at the broker by then has been read.
    synchronized Instant until() {
        return until;
    }
}
