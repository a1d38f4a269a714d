package dev.artel.config;

/// For how much that lasts there is room, for all clients together: each may have as much as it leaves to all others.
///
/// @param streams how many streams of events are open at once
/// @param waits how many requests wait for the end of a job at once
public record SharedRoom(int streams, int waits) {
    /// 1,000 streams and 20,000 waits.
    public static final SharedRoom DEFAULTS = new SharedRoom(1_000, 20_000);

    /// Refuses no room.
    public SharedRoom {
        if (streams < 1) {
            throw new IllegalArgumentException(
                    "http.max-streams must be at least 1, was " + streams);
        }
        if (waits < 1) {
            throw new IllegalArgumentException("http.max-waits must be at least 1, was " + waits);
        }
    }

    /// This, with another number of streams.
    public SharedRoom withStreams(int other) {
        return new SharedRoom(other, waits);
    }

    /// This, with another number of waits.
    public SharedRoom withWaits(int other) {
        return new SharedRoom(streams, other);
    }
}
