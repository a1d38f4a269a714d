package dev.artel.worker.server;

import dev.artel.json.text.FairShares;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// How much memory large messages may take that arrive over WebSockets and are not handled yet: of all connections together, and of those
/// from one address half of what others leave; one message at a time may go beyond that, so that those that have each a part of what there
/// is do not all wait for each other. Who sends the greater part of a message and then nothing more takes memory for as long as
/// the connection may be silent, over each of its connections. A part waits for its room before the next one is read. Safe for use by
/// many threads.
final class ArrivalRoom {
    /// What a message may have without room, as long as all such take little together.
    static final int FREE = 64 << 10;

    /// As many messages of this size as there are connections take next to nothing.
    private static final int NEGLIGIBLE = 8 << 10;

    /// What a byte takes while a buffer grows.
    private static final int PER_BYTE = 2;

    /// Which part of the heap all of them may take: one divided by it.
    private static final int PART = 8;

    /// The same of those that need no room.
    private static final int PART_OF_SMALL = 16;

    /// Of this process, whose heap it is.
    static final ArrivalRoom OF_PROCESS =
            new ArrivalRoom(
                    Runtime.getRuntime().maxMemory() / PART,
                    Runtime.getRuntime().maxMemory() / PART_OF_SMALL,
                    Duration.ofSeconds(10));

    private final long most;
    private final long mostSmall;
    private final Duration longest;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final FairShares shares;

    /// Those that wait, in their order.
    private final SequencedSet<Share> waiting = new LinkedHashSet<>();

    /// What messages take that need no room; under the lock.
    private long small;

    /// The one that may have more than its address; null: the next one that waits.
    private @Nullable Share ahead;

    /// @param most how many bytes there may be
    /// @param mostSmall how many bytes of messages there may be that need no room
    /// @param longest how long a part waits
    ArrivalRoom(long most, long mostSmall, Duration longest) {
        this.most = most;
        this.mostSmall = mostSmall;
        shares = new FairShares(most);
        this.longest = longest;
    }

    /// The part of a connection from `address`.
    Share begin(String address) {
        return new Share(address);
    }

    /// The part of one connection.
    final class Share {
        private final String address;
        private long own;
        private long ownSmall;
        private boolean isClosed;

        private Share(String address) {
            this.address = address;
        }

        /// Waits until there is room for a message of which `bytes` have arrived.
        ///
        /// @return false if there is none in time, or the connection is closed
        boolean takes(long bytes) {
            if (bytes <= NEGLIGIBLE) {
                return true;
            }
            lock.lock();
            try {
                if (bytes <= FREE && isSmall(bytes)) {
                    return true;
                }
                // One alone has its room, however large it is.
                var counted = bytes <= FREE ? bytes : bytes - FREE;
                var more = Math.min(PER_BYTE * counted, most / 2) - own;
                if (more > 0 && !isThereInTime(more)) {
                    return false;
                }
                shares.take(address, more);
                own += Math.max(0, more);
                return true;
            } finally {
                lock.unlock();
            }
        }

        /// Whether it needs no room.
        private boolean isSmall(long bytes) {
            var more = PER_BYTE * bytes - ownSmall;
            if (more > 0 && small + more > mostSmall) {
                return false;
            }
            small += Math.max(0, more);
            ownSmall += Math.max(0, more);
            return true;
        }

        private boolean isThereInTime(long more) {
            var left = longest.toNanos();
            waiting.add(this);
            try {
                while (!isClosed && !isThere(more)) {
                    if (left <= 0) {
                        return false;
                    }
                    left = changed.awaitNanos(left);
                }
                return !isClosed;
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                waiting.remove(this);
            }
        }

        private boolean isThere(long more) {
            if (shares.hasRoom(address, more)) {
                return true;
            }
            if (ahead == null && waiting.getFirst() == this) {
                ahead = this;
            }
            return ahead == this;
        }

        /// The message is handled, or given up.
        void free() {
            lock.lock();
            try {
                small -= ownSmall;
                ownSmall = 0;
                if (own > 0) {
                    shares.free(address, own);
                    own = 0;
                    ahead = ahead == this ? null : ahead;
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }

        /// The connection ends: nothing more has room.
        void close() {
            lock.lock();
            try {
                isClosed = true;
                free();
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// How many bytes have room now.
    long taken() {
        lock.lock();
        try {
            return shares.taken() + small;
        } finally {
            lock.unlock();
        }
    }
}
