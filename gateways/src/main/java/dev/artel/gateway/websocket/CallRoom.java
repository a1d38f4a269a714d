package dev.artel.gateway.websocket;

import dev.artel.json.text.FairShares;
import dev.artel.kernel.attempt.WorkerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// How many calls and results of workers are worked on at once: one that waits for the store has its place for up to a minute. The workers of
/// one token have at most half of what others leave, and of a half of all one worker has half of what the others of its token leave. Safe for
/// use by many threads.
final class CallRoom {
    /// With fewer there is not one for each worker.
    static final int LEAST = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final int most;
    private final FairShares holders;

    /// Of each holder of a token who has something, what its workers have.
    private final Map<String, FairShares> workers = new HashMap<>();

    /// @param most how many there are at once
    CallRoom(int most) {
        this.most = most;
        holders = new FairShares(most);
    }

    /// Who has a place.
    ///
    /// @param holder whose token it is
    record Peer(String holder, WorkerId worker) {}

    /// A place for one more, which `peer` has until [#free].
    ///
    /// @return why there is none, for the worker; empty: it has one
    Optional<String> take(Peer peer) {
        var worker = peer.worker().value();
        lock.lock();
        try {
            var own = workers.computeIfAbsent(peer.holder(), _ -> new FairShares(most / 2));
            if (!own.hasRoom(worker, 1) || !holders.hasRoom(peer.holder(), 1)) {
                var why = refusal(worker, own.of(worker), own.taken());
                forget(peer.holder(), own);
                return Optional.of(why);
            }
            own.take(worker, 1);
            holders.take(peer.holder(), 1);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private String refusal(String worker, long own, long ofToken) {
        return "too many calls and results are worked on: "
                + own
                + " of worker "
                + worker
                + ", "
                + ofToken
                + " under its token, "
                + holders.taken()
                + " of all workers, of "
                + most
                + " places; a worker has a quarter of these at most, and a token half of what others leave";
    }

    /// `peer` has one place less.
    void free(Peer peer) {
        lock.lock();
        try {
            holders.free(peer.holder(), 1);
            var own = workers.get(peer.holder());
            if (own != null) {
                own.free(peer.worker().value(), 1);
                forget(peer.holder(), own);
            }
        } finally {
            lock.unlock();
        }
    }

    private void forget(String holder, FairShares own) {
        if (own.taken() == 0) {
            workers.remove(holder);
        }
    }

    /// Of how many holders something is known.
    int size() {
        lock.lock();
        try {
            return workers.size();
        } finally {
            lock.unlock();
        }
    }
}
