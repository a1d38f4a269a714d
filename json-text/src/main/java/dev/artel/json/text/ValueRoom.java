package dev.artel.json.text;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Room in memory for the values of large texts that peers send over one wire, from before a text is read until all that follows from it is
/// done: peers choose how many of them are under way at once, and the heap does not grow with that. Safe for use by many threads.
///
/// An owner has at most half of what the others leave, so that one that holds its room for long keeps none from theirs. One owner at a time
/// that has nothing may go beyond that, up to three quarters of all, so that also a value that is larger than any share comes to its turn. Those
/// of one owner have room in the order in which they came; of several owners the first that may have it.
public final class ValueRoom {
    /// Which part of the heap the values of one wire have: one divided by it.
    private static final int PART = 8;

    /// Values below this part of the room never wait for those that were passed over.
    private static final int SMALL_PART = 16;

    /// One that was passed over so often has the others wait for a while, until it has room.
    private static final int MOST_PASSED = 16;

    private static final Duration HOLD_UP = Duration.ofSeconds(2);

    /// Nothing of the room.
    public static final Place NONE = new Place(() -> {});

    private final long most;
    private final ReentrantLock lock = new ReentrantLock();

    /// All below are guarded by [#lock].
    private final FairShares shares;

    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /// The owner that has more than its share.
    private @Nullable String beyond;

    /// Of the heap of this process, an eighth.
    public ValueRoom() {
        this(Runtime.getRuntime().maxMemory() / PART);
    }

    /// Of so much memory.
    ///
    /// @param bytes how many bytes all values have together
    public ValueRoom(long bytes) {
        most = Math.max(PART, bytes);
        shares = new FairShares(most);
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

    /// One thread that waits.
    private static final class Waiting {
        final String owner;
        final long weight;
        final Condition turn;
        boolean hasRoom;
        int passed;

        /// By [System#nanoTime], until when others wait for it; null: they do not.
        @Nullable Long holdsUpUntil;

        Waiting(String owner, long weight, Condition turn) {
            this.owner = owner;
            this.weight = weight;
            this.turn = turn;
        }
    }

    /// Waits until `owner` has room for values of `weight` bytes ([ForeignJson#weightIfLarge]), interrupted or not: those that have room do not
    /// wait for more. A weight beyond three quarters of the room counts as so much; 0 takes none and does not wait.
    ///
    /// A thread that has a place takes no other.
    public Place take(String owner, long weight) {
        return take(owner, weight, Long.MAX_VALUE).orElseThrow();
    }

    /// As [#take(String, long)], for a limited time.
    ///
    /// @return empty: there was no room within that time
    public Optional<Place> take(String owner, long weight, Duration within) {
        return take(owner, weight, within.toNanos());
    }

    private Optional<Place> take(String owner, long weight, long nanos) {
        if (weight <= 0) {
            return Optional.of(NONE);
        }
        var began = System.nanoTime();
        var isInterrupted = false;
        lock.lock();
        try {
            var mine = new Waiting(owner, Math.min(weight, most - most / 4), lock.newCondition());
            waiting.addLast(mine);
            grant();
            while (!mine.hasRoom) {
                var left = nanos - (System.nanoTime() - began);
                if (left <= 0) {
                    waiting.remove(mine);
                    grant();
                    return Optional.empty();
                }
                try {
                    var _ = mine.turn.awaitNanos(Math.min(left, HOLD_UP.toNanos()));
                } catch (InterruptedException later) {
                    isInterrupted = true;
                }
                if (!mine.hasRoom && isHoldUpOver()) {
                    grant();
                }
            }
            return Optional.of(new Place(() -> free(mine)));
        } finally {
            lock.unlock();
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void free(Waiting gone) {
        lock.lock();
        try {
            shares.free(gone.owner, gone.weight);
            if (gone.owner.equals(beyond) && shares.of(gone.owner) == 0) {
                beyond = null;
            }
            grant();
        } finally {
            lock.unlock();
        }
    }

    private boolean isHoldUpOver() {
        var now = System.nanoTime();
        for (var one : waiting) {
            if (one.holdsUpUntil != null && one.holdsUpUntil - now <= 0) {
                return true;
            }
        }
        return false;
    }

    /// Gives room to all that may have it, the earliest first.
    private void grant() {
        var now = System.nanoTime();
        var behind = new HashSet<String>();
        var isHeldUp = false;
        var passing = new ArrayDeque<Waiting>();
        for (var each = waiting.iterator(); each.hasNext(); ) {
            var one = each.next();
            var waits = isHeldUp && one.weight > most / SMALL_PART;
            if (behind.contains(one.owner) || waits || !mayHave(one)) {
                behind.add(one.owner);
                passing.add(one);
                isHeldUp |= holdsUp(one, now);
                continue;
            }
            each.remove();
            shares.take(one.owner, one.weight);
            one.hasRoom = true;
            one.turn.signal();
            passing.forEach(earlier -> earlier.passed++);
        }
    }

    private boolean mayHave(Waiting one) {
        if (shares.hasRoom(one.owner, one.weight)) {
            return true;
        }
        if (beyond == null && shares.of(one.owner) == 0 && one.weight <= most - shares.taken()) {
            beyond = one.owner;
            return true;
        }
        return false;
    }

    /// Whether others wait for `one`, which does not get room now. They do so for a while alone: what it waits for may be held for long.
    private static boolean holdsUp(Waiting one, long now) {
        if (one.holdsUpUntil == null && one.passed >= MOST_PASSED) {
            one.holdsUpUntil = now + HOLD_UP.toNanos();
        }
        if (one.holdsUpUntil != null && one.holdsUpUntil - now <= 0) {
            one.holdsUpUntil = null;
            one.passed = 0;
        }
        return one.holdsUpUntil != null;
    }

    /// Whether a thread waits for room.
    public boolean hasWaiting() {
        lock.lock();
        try {
            return !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
