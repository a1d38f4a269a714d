package dev.artel.kernel.engine;

import dev.artel.kernel.attempt.LeaseToken;
import java.time.Duration;
import java.util.List;

/// The answer to a renewal of named leases.
public sealed interface RenewReply {
    /// Renewed, but for some.
    ///
    /// @param lost the leases that the worker does not hold
    record Renewed(List<LeaseToken> lost) implements RenewReply {
        /// Copies `lost`.
        public Renewed {
            lost = List.copyOf(lost);
        }
    }

    /// The engine does not know which are held: nothing may be concluded, and the request may be repeated.
    record TryLater(Duration after, String detail) implements RenewReply {}
}
