package dev.artel.gateway.zeromq;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.atomic.LongAdder;

/// What the sockets have met with since they are open. Safe for use by many threads.
public final class ZeroMqCounts {
    private final Map<WirePort, LongAdder> received = adders();
    private final Map<WirePort, LongAdder> bad = adders();
    private final LongAdder unreachable = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder unread = new LongAdder();
    private final LongAdder cut = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder overdue = new LongAdder();
    private final LongAdder failures = new LongAdder();

    ZeroMqCounts() {}

    private static Map<WirePort, LongAdder> adders() {
        var adders = new EnumMap<WirePort, LongAdder>(WirePort.class);
        for (var port : WirePort.values()) {
            adders.put(port, new LongAdder());
        }
        return adders;
    }

    void receivedOn(WirePort port) {
        count(received, port).increment();
    }

    void badOn(WirePort port) {
        count(bad, port).increment();
    }

    void isUnreachable() {
        unreachable.increment();
    }

    void isDropped() {
        dropped.increment();
    }

    void isUnread() {
        unread.increment();
    }

    void isCut() {
        cut.increment();
    }

    void isRefused() {
        refused.increment();
    }

    void isOverdue() {
        overdue.increment();
    }

    void hasFailed() {
        failures.increment();
    }

    private static LongAdder count(Map<WirePort, LongAdder> counts, WirePort port) {
        var adder = counts.get(port);
        if (adder == null) {
            throw new IllegalStateException("no count for " + port);
        }
        return adder;
    }

    /// How many messages came in, by the name of the socket.
    public SequencedMap<String, Long> received() {
        return sums(received);
    }

    /// How many messages could not be read, by the name of the socket.
    public SequencedMap<String, Long> bad() {
        return sums(bad);
    }

    private static SequencedMap<String, Long> sums(Map<WirePort, LongAdder> counts) {
        var sums = new LinkedHashMap<String, Long>();
        counts.forEach((port, adder) -> sums.put(port.word(), adder.sum()));
        return sums;
    }

    /// How many messages had no way to their worker.
    public long unreachable() {
        return unreachable.sum();
    }

    /// How many messages were dropped since too many waited of the same worker.
    public long dropped() {
        return dropped.sum();
    }

    /// How many messages were dropped since their worker does not read those that wait.
    public long unread() {
        return unread.sum();
    }

    /// How many connections ended since a frame was larger than any that is read.
    public long cut() {
        return cut.sum();
    }

    /// How many connections were refused, since there was no place for them.
    public long refused() {
        return refused.sum();
    }

    /// How many connections ended since no message of a worker came over them.
    public long overdue() {
        return overdue.sum();
    }

    /// How many times the thread of the sockets met with an error, and went on.
    public long failures() {
        return failures.sum();
    }
}
