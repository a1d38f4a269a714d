package dev.artel.gateway.mindbus;

import java.util.concurrent.atomic.LongAdder;

/// What the bus has met with since it is open. Safe for use by many threads.
public final class BusCounts {
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder bad = new LongAdder();
    private final LongAdder unroutable = new LongAdder();
    private final LongAdder late = new LongAdder();

    BusCounts() {}

    void isSent() {
        sent.increment();
    }

    void isReceived() {
        received.increment();
    }

    void isBad() {
        bad.increment();
    }

    void isUnroutable() {
        unroutable.increment();
    }

    void isLate() {
        late.increment();
    }

    /// How many messages were sent.
    public long sent() {
        return sent.sum();
    }

    /// How many messages came in.
    public long received() {
        return received.sum();
    }

    /// How many messages could not be read; they are in the dead-letter queue.
    public long bad() {
        return bad.sum();
    }

    /// How many commands no queue took.
    public long unroutable() {
        return unroutable.sum();
    }

    /// How many replies came late, twice, or to no command.
    public long late() {
        return late.sum();
    }
}
