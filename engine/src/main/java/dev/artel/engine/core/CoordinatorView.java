package dev.artel.engine.core;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import java.time.Instant;
import java.util.SequencedMap;
import java.util.SequencedSet;

/// What a coordinator holds at a moment.
///
/// @param queued how many offers wait for a worker
/// @param reserved how many grants are under way
/// @param expiries the leases that are live or linger, each with the time at which it is over, or since when
/// @param timers how many timers are set
/// @param slots for each worker the tokens that occupy its slots: reserved, live or lingering
/// @param crowds for each worker how many slots each category takes up that has a limit; workers without are missing
/// @param limits for each key of a limit how many of those tokens count against it; keys without any are missing
public record CoordinatorView(
        int queued,
        int reserved,
        SequencedMap<LeaseToken, Instant> expiries,
        int timers,
        SequencedMap<WorkerId, SequencedSet<LeaseToken>> slots,
        SequencedMap<WorkerId, SequencedMap<String, Integer>> crowds,
        SequencedMap<String, Integer> limits) {
    /// The tokens that are live or linger.
    public SequencedSet<LeaseToken> leases() {
        return expiries.sequencedKeySet();
    }
}
