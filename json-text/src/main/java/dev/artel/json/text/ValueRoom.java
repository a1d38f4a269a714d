package dev.artel.json.text;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/// Room in memory for the values of large texts that peers send over one wire, from before a text is read until all that follows from it is
/// done: peers choose how many of them are under way at once, and the heap does not grow with that. Safe for use by many threads.
public final class ValueRoom {
    /// Which part of the heap the values of one wire have: one divided by it.
    private static final int PART = 8;

    /// The unit of the permits, so that they are an `int` for any heap.
    private static final int UNIT = 4 << 10;

    /// Nothing of the room.
    public static final Place NONE = new Place(() -> {});

    private final int units;
    private final Semaphore free;

    /// Of the heap of this process, an eighth.
    public ValueRoom() {
        this(Runtime.getRuntime().maxMemory() / PART);
    }

    /// Of so much memory.
    ///
    /// @param bytes how many bytes all values have together
    public ValueRoom(long bytes) {
        units = Math.clamp(bytes / UNIT, 1, Integer.MAX_VALUE);
        free = new Semaphore(units, true);
    }

    /// What one message has of the room. To close it twice frees it once.
    public static final class Place implements AutoCloseable {
        private final Runnable end;
        private final AtomicBoolean isFree = new AtomicBoolean();

        private Place(Runnable end) {
            this.end = end;
        }

        @Override
        public void close() {
            if (!isFree.getAndSet(true)) {
                end.run();
            }
        }
    }

    /// Waits until there is room for values of `weight` bytes ([ForeignJson#weightIfLarge]), interrupted or not: those that have room do not
    /// wait for more. A weight beyond all of the room takes all of it; 0 takes none and does not wait.
    ///
    /// A thread that has a place takes no other.
    public Place take(long weight) {
        if (weight <= 0) {
            return NONE;
        }
        var mine = Math.clamp(weight / UNIT, 1, units);
        free.acquireUninterruptibly(mine);
        return new Place(() -> free.release(mine));
    }

    /// Whether a thread waits for room.
    public boolean hasWaiting() {
        return free.hasQueuedThreads();
    }
}
