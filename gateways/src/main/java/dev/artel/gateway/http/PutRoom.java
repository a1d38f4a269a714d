package dev.artel.gateway.http;

import dev.artel.json.text.FairShares;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// How many values of workers come in at once, and how many bytes of them lie in files meanwhile. Of both, those from one address have half
/// of what others leave, and few are of one lease: a value that comes in slowly has its place for as long as the limit of requests, and who
/// opens a new one each second keeps all others out. Bytes count once they have arrived. Safe for use by many threads.
final class PutRoom {
    /// A task has one result; a second value is its next try, while the first one is not known to have broken off.
    private static final int OF_LEASE = 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> byLease = new HashMap<>();
    private final FairShares places;
    private final FairShares bytes;

    /// @param most how many values come in at once
    /// @param mostBytes how many bytes of them there may be
    PutRoom(int most, long mostBytes) {
        places = new FairShares(most);
        bytes = new FairShares(mostBytes);
    }

    /// What one value has.
    final class Place implements AutoCloseable {
        private final String lease;
        private final String address;
        private long own;

        private Place(String lease, String address) {
            this.lease = lease;
            this.address = address;
        }

        /// Whether there is room for `more` bytes, which have it then.
        boolean grows(long more) {
            lock.lock();
            try {
                if (!bytes.hasRoom(address, more)) {
                    return false;
                }
                bytes.take(address, more);
                own += more;
                return true;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                byLease.computeIfPresent(
                        lease, (_, count) -> count == 1 ? null : (Integer) (count - 1));
                places.free(address, 1);
                bytes.free(address, own);
            } finally {
                lock.unlock();
            }
        }
    }

    /// A place for a value that comes in under `lease`; empty if there is none.
    Optional<Place> take(String lease, String address) {
        lock.lock();
        try {
            if (byLease.getOrDefault(lease, 0) >= OF_LEASE || !places.hasRoom(address, 1)) {
                return Optional.empty();
            }
            byLease.merge(lease, 1, Integer::sum);
            places.take(address, 1);
            return Optional.of(new Place(lease, address));
        } finally {
            lock.unlock();
        }
    }

    /// Whether no value comes in.
    boolean isEmpty() {
        lock.lock();
        try {
            return places.taken() == 0 && bytes.taken() == 0 && byLease.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
