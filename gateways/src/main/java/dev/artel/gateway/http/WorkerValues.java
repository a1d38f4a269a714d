package dev.artel.gateway.http;

import dev.artel.kernel.store.ObjectStore;
import java.time.Duration;

/// Large values that workers fetch and put by themselves.
///
/// @param objects where they are
/// @param maxBytes larger ones are refused
/// @param maxPuts how many may come in at once, also slowly
/// @param term how long an address is good that a worker is given
/// @param puts which values were put under which leases
public record WorkerValues(
        ObjectStore objects, long maxBytes, int maxPuts, Duration term, PutValues puts) {
    /// Values of at most `maxBytes`, 256 at once, with addresses that are good for an hour.
    public static WorkerValues of(ObjectStore objects, long maxBytes, PutValues puts) {
        return new WorkerValues(objects, maxBytes, 256, Duration.ofHours(1), puts);
    }
}
