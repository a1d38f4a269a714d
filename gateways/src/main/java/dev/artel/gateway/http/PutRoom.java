package dev.artel.gateway.http;

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

    private final long most;
    private final long mostBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> byLease = new HashMap<>();
    private final Map<String, Long> byAddress = new HashMap<>();
    private final Map<String, Long> bytesByAddress = new HashMap<>();
    private long taken;
    private long bytes;

    /// @param most how many values come in at once
    /// @param mostBytes how many bytes of them there may be
    PutRoom(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
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
                if (!isFair(bytesByAddress, address, more, bytes, mostBytes)) {
                    return false;
                }
                bytesByAddress.merge(address, more, Long::sum);
                bytes += more;
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
                less(byAddress, address, 1);
                less(bytesByAddress, address, own);
                taken--;
                bytes -= own;
            } finally {
                lock.unlock();
            }
        }
    }

    /// A place for a value that comes in under `lease`; empty if there is none.
    Optional<Place> take(String lease, String address) {
        lock.lock();
        try {
            if (byLease.getOrDefault(lease, 0) >= OF_LEASE
                    || !isFair(byAddress, address, 1, taken, most)) {
                return Optional.empty();
            }
            byLease.merge(lease, 1, Integer::sum);
            byAddress.merge(address, 1L, Long::sum);
            taken++;
            return Optional.of(new Place(lease, address));
        } finally {
            lock.unlock();
        }
    }

    private static boolean isFair(
            Map<String, Long> byAddress, String address, long more, long taken, long most) {
        long own = byAddress.getOrDefault(address, 0L);
        return own + more <= (most - (taken - own)) / 2;
    }

    private static void less(Map<String, Long> byAddress, String address, long given) {
        byAddress.computeIfPresent(
                address, (_, before) -> before == given ? null : (Long) (before - given));
    }

    /// Whether no value comes in.
    boolean isEmpty() {
        lock.lock();
        try {
            return taken == 0
                    && bytes == 0
                    && byLease.isEmpty()
                    && byAddress.isEmpty()
                    && bytesByAddress.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
