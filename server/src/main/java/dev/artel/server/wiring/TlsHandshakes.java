package dev.artel.server.wiring;

import dev.artel.gateway.access.AddressBlock;
import dev.artel.json.text.FairShares;

/// The memory of handshakes of TLS that are under way: peers without any right choose how many there are and how much of them has come. An
/// address has half of what others leave. Safe for use by many threads.
final class TlsHandshakes {
    /// Which part of the heap all of them have: one divided by it.
    private static final int PART = 8;

    /// What one takes before anything has come.
    static final int BASE = 16 << 10;

    private final FairShares shares;

    TlsHandshakes() {
        this(Runtime.getRuntime().maxMemory() / PART);
    }

    /// @param most how many bytes all of them have
    TlsHandshakes(long most) {
        shares = new FairShares(most);
    }

    /// One that has begun. Safe for use by many threads.
    final class Handshake {
        private final String address;
        private final long began = System.nanoTime();
        private long held;
        private boolean isOver;

        private Handshake(String address) {
            this.address = address;
        }

        /// So many bytes more have come.
        ///
        /// @return whether there is room for them
        boolean hasRoomFor(int bytes) {
            synchronized (shares) {
                if (isOver) {
                    return true;
                }
                var more = bytes + (held == 0 ? BASE : 0);
                if (!shares.hasRoom(address, more)) {
                    return false;
                }
                shares.take(address, more);
                held += more;
                return true;
            }
        }

        /// It is done, has failed, or its connection is gone.
        void end() {
            synchronized (shares) {
                isOver = true;
                shares.free(address, held);
                held = 0;
            }
        }

        /// Whether it has been under way for longer than `nanos`.
        boolean isLate(long now, long nanos) {
            synchronized (shares) {
                return !isOver && now - began > nanos;
            }
        }
    }

    /// A handshake with a peer at `address`.
    Handshake begin(String address) {
        return new Handshake(AddressBlock.of(address));
    }

    /// How many bytes all of them have.
    long taken() {
        synchronized (shares) {
            return shares.taken();
        }
    }
}
