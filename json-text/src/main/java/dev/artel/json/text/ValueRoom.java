package dev.artel.json.text;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Room in memory for the values of large texts that peers send over one wire, from before a text is read until all that follows from it is
/// done: peers choose how many of them are under way at once, and the heap does not grow with that. Safe for use by many threads.
///
/// An owner has at most half of what the others leave, so that one that holds its room for long keeps none from theirs. One owner at a time
/// that has nothing may go beyond that, up to three quarters of all, so that also a value that is larger than any share comes to its turn; beside
/// it, others that have nothing may have three quarters of what is left. Owners go beyond their share in turns: the one that has been without room
/// for longest comes first, also when it has given up and comes again soon. Those of one owner have room in the order in which they came; of several owners the
/// first that may have it.
public final class ValueRoom {
    /// Which part of the heap the values of one wire have: one divided by it.
    private static final int PART = 8;

    /// Values below this part of the room never wait for those that were passed over.
    private static final int SMALL_PART = 16;

    /// One that was passed over so often has the others wait for a while, until it has room.
    private static final int MOST_PASSED = 16;

    private static final Duration HOLD_UP = Duration.ofSeconds(2);

    /// So long an owner that has given up keeps its turn: a task that went back to its queue comes again within it.
    static final Duration REMEMBERED = Duration.ofSeconds(15);

    /// How many owners that have given up keep their turn.
    private static final int MOST_REMEMBERED = 1_000;

    /// Nothing of the room.
    public static final Place NONE = new Place(() -> {});

    private final long most;
    private final LongSupplier now;
    private final ReentrantLock lock = new ReentrantLock();

    /// All below are guarded by [#lock].
    private final FairShares shares;

    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /// The owner that has more than its share.
    private @Nullable String beyond;

    /// The owners that were without room, that for longest first, and by [#now] when each came or gave up last.
    private final Map<String, Long> without = new LinkedHashMap<>();

    /// Of the heap of this process, an eighth.
    public ValueRoom() {
        this(Runtime.getRuntime().maxMemory() / PART);
    }

    /// Of so much memory.
    ///
    /// @param bytes how many bytes all values have together
    public ValueRoom(long bytes) {
        this(bytes, System::nanoTime);
    }

    /// @param now returns the time in nanoseconds, from whenever, by which turns are remembered
    ValueRoom(long bytes, LongSupplier now) {
        this.now = now;
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
                    remember(owner);
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
        var began = System.nanoTime();
        forget();
        var behind = new HashSet<String>();
        var isHeldUp = false;
        var passing = new ArrayDeque<Waiting>();
        for (var each = waiting.iterator(); each.hasNext(); ) {
            var one = each.next();
            var waits = isHeldUp && one.weight > most / SMALL_PART;
            if (behind.contains(one.owner) || waits || !mayHave(one)) {
                if (behind.add(one.owner) && shares.of(one.owner) == 0) {
                    without.putIfAbsent(one.owner, now.getAsLong());
                }
                passing.add(one);
                isHeldUp |= holdsUp(one, began);
                continue;
            }
            each.remove();
            without.remove(one.owner);
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
        if (shares.of(one.owner) > 0) {
            return false;
        }
        var left = most - shares.taken();
        if (beyond != null) {
            return one.weight <= left / 4 * 3;
        }
        if (one.weight <= left && isNext(one.owner)) {
            beyond = one.owner;
            return true;
        }
        return false;
    }

    /// Whether no other owner has been without room for longer.
    private boolean isNext(String owner) {
        var first = without.keySet().iterator();
        return !first.hasNext() || first.next().equals(owner);
    }

    private void remember(String owner) {
        without.replace(owner, now.getAsLong());
    }

    /// Forgets owners that have given up, and did not come again.
    private void forget() {
        if (without.isEmpty()) {
            return;
        }
        var here = new HashSet<String>();
        waiting.forEach(one -> here.add(one.owner));
        var end = now.getAsLong() - REMEMBERED.toNanos();
        without.entrySet()
                .removeIf(each -> !here.contains(each.getKey()) && each.getValue() - end <= 0);
        var more = without.size() - here.size() - MOST_REMEMBERED;
        for (var each = without.keySet().iterator(); more > 0 && each.hasNext(); ) {
            if (!here.contains(each.next())) {
                each.remove();
                more--;
            }
        }
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

    /// How much all values have together.
    public long size() {
        return most;
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
