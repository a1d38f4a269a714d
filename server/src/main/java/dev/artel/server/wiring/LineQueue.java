package dev.artel.server.wiring;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Lines that wait to be written, bounded by their number and by their bytes: who is logged chooses how long a line is. Safe for use by many
/// threads.
final class LineQueue {
    private final BlockingQueue<byte[]> lines;
    private final long mostBytes;
    private final AtomicLong bytes = new AtomicLong();

    LineQueue(int most, long mostBytes) {
        this.lines = new ArrayBlockingQueue<>(most);
        this.mostBytes = mostBytes;
    }

    /// Adds `line`, which is not changed any more. Does not wait.
    ///
    /// @return whether there was room
    boolean offer(byte[] line) {
        if (bytes.addAndGet(line.length) <= mostBytes && lines.offer(line)) {
            return true;
        }
        bytes.addAndGet(-line.length);
        return false;
    }

    /// The first line; null if there is none within `millis`.
    byte @Nullable [] poll(long millis) throws InterruptedException {
        return taken(lines.poll(millis, TimeUnit.MILLISECONDS));
    }

    /// The first line; null if there is none now.
    byte @Nullable [] poll() {
        return taken(lines.poll());
    }

    private byte @Nullable [] taken(byte @Nullable [] line) {
        if (line != null) {
            bytes.addAndGet(-line.length);
        }
        return line;
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }
}
