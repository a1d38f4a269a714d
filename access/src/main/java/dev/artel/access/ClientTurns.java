package dev.artel.access;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Lets each client do a few things at once; what it wants beyond them waits for these, so that no client waits for
/// another one. Safe for use by many threads.
public final class ClientTurns {
    private final int atOnce;
    private final int mostWaiting;
    private final Duration waitLimit;
    private final ReentrantLock lock = new ReentrantLock();

    /// Of those alone who do something or wait.
    private final Map<String, Place> places = new HashMap<>();

    private static final class Place {
        private final Semaphore free;
        private int users;

        Place(int atOnce) {
            free = new Semaphore(atOnce, true);
        }
    }

    /// @param atOnce how many things each may do
    /// @param mostWaiting how many of each may wait
    /// @param waitLimit how long one waits
    public ClientTurns(int atOnce, int mostWaiting, Duration waitLimit) {
        this.atOnce = atOnce;
        this.mostWaiting = mostWaiting;
        this.waitLimit = waitLimit;
    }

    /// How many things each may do at once.
    public int atOnce() {
        return atOnce;
    }

    /// Waits for a turn of `who`, which lasts until [#end].
    ///
    /// @return false if too many wait, or it did not come in time
    public boolean begin(String who) throws InterruptedException {
        var place = enter(who);
        var isTurn = false;
        try {
            isTurn =
                    place.free.getQueueLength() < mostWaiting
                            && place.free.tryAcquire(waitLimit.toMillis(), TimeUnit.MILLISECONDS);
            return isTurn;
        } finally {
            if (!isTurn) {
                leave(who);
            }
        }
    }

    /// Ends a turn that `who` has.
    public void end(String who) {
        leave(who).free.release();
    }

    private Place enter(String who) {
        lock.lock();
        try {
            var place = places.computeIfAbsent(who, _ -> new Place(atOnce));
            place.users++;
            return place;
        } finally {
            lock.unlock();
        }
    }

    private Place leave(String who) {
        lock.lock();
        try {
            var place = places.get(who);
            if (place == null) {
                throw new IllegalStateException(who + " has no turn that could end");
            }
            place.users--;
            if (place.users == 0) {
                places.remove(who);
            }
            return place;
        } finally {
            lock.unlock();
        }
    }

    /// How many there are who do something or wait.
    int known() {
        lock.lock();
        try {
            return places.size();
        } finally {
            lock.unlock();
        }
    }
}
