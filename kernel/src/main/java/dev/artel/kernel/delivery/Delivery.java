package dev.artel.kernel.delivery;

import dev.artel.kernel.job.Alarm;
import dev.artel.kernel.job.EffectId;
import java.time.Instant;
import java.util.Optional;

/// Where the current attempt of an open task stands.
public sealed interface Delivery {
    /// The number of the attempt, from 1.
    int attempt();

    /// Waits for a worker.
    ///
    /// @param offer the effect that asks for a worker
    /// @param notBefore carries the backoff
    /// @param deadline when the wait is too long; empty: never
    record Queued(int attempt, EffectId offer, Instant notBefore, Optional<Alarm> deadline)
            implements Delivery {}

    /// A worker has it.
    ///
    /// @param hold the effect that keeps the lease
    /// @param timeout the alarm for an attempt that runs too long
    record Leased(EffectId hold, Lease lease, Alarm timeout) implements Delivery {
        @Override
        public int attempt() {
            return lease.attempt();
        }
    }
}
