package dev.artel.json.text;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Lets a few things of many peers go on at once: those that wait for a place have one by turns of peers, so that one that wants a thousand things at once waits for itself.
/// Where things may take long, a peer has at most half of the places that the others leave. Safe for use by many threads.
public final class FairTurns {
    private final ReentrantLock lock = new ReentrantLock();

    private final int most;
    private final boolean isShared;

    /// All below are guarded by [#lock].
    private final FairShares places;

    /// Of each peer those that wait, which are one at least; order: that of the turns.
    private final SequencedMap<String, Deque<Waiting>> waiting = new LinkedHashMap<>();

    private static final class Waiting {
        final Condition turn;
        boolean hasTurn;

        Waiting(Condition turn) {
            this.turn = turn;
        }
    }

    /// @param most how many places there are; one peer alone has half of them
    public FairTurns(int most) {
        if (most < 2) {
            throw new IllegalArgumentException("there must be two places at least, was " + most);
        }
        this(most, true);
    }

    private FairTurns(int most, boolean isShared) {
        this.most = most;
        this.isShared = isShared;
        places = new FairShares(most);
    }

    /// For things that end soon: a peer alone may have all places.
    ///
    /// @param most how many there are
    public static FairTurns ofShortThings(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("there must be a place, was " + most);
        }
        return new FairTurns(most, false);
    }

    /// One place, until it is closed, which is done once.
    @FunctionalInterface
    public interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    /// Waits for the turn of `peer`, interrupted or not: what has one ends by itself.
    public Turn begin(String peer) {
        lock.lock();
        try {
            var mine = ask(peer);
            while (!mine.hasTurn) {
                mine.turn.awaitUninterruptibly();
            }
            return () -> end(peer);
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the turn of `peer`, for `most` at most.
    ///
    /// @throws InterruptedException if this thread is interrupted before; then it has none
    /// @throws TimeoutException if it does not come
    public Turn begin(String peer, Duration most) throws InterruptedException, TimeoutException {
        lock.lockInterruptibly();
        try {
            var mine = ask(peer);
            var left = most.toNanos();
            try {
                while (!mine.hasTurn && left > 0) {
                    left = mine.turn.awaitNanos(left);
                }
            } catch (InterruptedException stopped) {
                if (mine.hasTurn) {
                    end(peer);
                } else {
                    waitNoMore(peer, mine);
                }
                throw stopped;
            }
            if (!mine.hasTurn) {
                waitNoMore(peer, mine);
                throw new TimeoutException("no turn within " + most);
            }
            return () -> end(peer);
        } finally {
            lock.unlock();
        }
    }

    private Waiting ask(String peer) {
        var mine = new Waiting(lock.newCondition());
        waiting.computeIfAbsent(peer, _ -> new ArrayDeque<>()).add(mine);
        grant();
        return mine;
    }

    private void waitNoMore(String peer, Waiting mine) {
        waiting.computeIfPresent(
                peer,
                (_, ofPeer) -> {
                    ofPeer.remove(mine);
                    return ofPeer.isEmpty() ? null : ofPeer;
                });
    }

    private boolean hasRoom(String peer) {
        return isShared ? places.hasRoom(peer, 1) : places.taken() < most;
    }

    private void end(String peer) {
        lock.lock();
        try {
            places.free(peer, 1);
            grant();
        } finally {
            lock.unlock();
        }
    }

    /// Gives places to those whose turn it is, as many as there are.
    private void grant() {
        for (var next = next(); next != null; next = next()) {
            var ofPeer = waiting.remove(next);
            if (ofPeer == null) {
                throw new IllegalStateException("nothing of " + next + " waits");
            }
            var first = ofPeer.removeFirst();
            if (!ofPeer.isEmpty()) {
                waiting.put(next, ofPeer);
            }
            places.take(next, 1);
            first.hasTurn = true;
            first.turn.signal();
        }
    }

    /// The first peer that waits and may have a place; null if there is none.
    private @Nullable String next() {
        for (var peer : waiting.sequencedKeySet()) {
            if (hasRoom(peer)) {
                return peer;
            }
        }
        return null;
    }

    /// How many places are free.
    public int free() {
        lock.lock();
        try {
            return (int) (most - places.taken());
        } finally {
            lock.unlock();
        }
    }

    /// How many things wait.
    public int waiting() {
        lock.lock();
        try {
            return waiting.values().stream().mapToInt(Deque::size).sum();
        } finally {
            lock.unlock();
        }
    }
}
