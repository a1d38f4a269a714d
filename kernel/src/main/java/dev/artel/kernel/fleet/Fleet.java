package dev.artel.kernel.fleet;

import dev.artel.kernel.attempt.WorkerId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Remembers workers.
///
/// - Safe for use by many threads, also of several orchestrators: a change is applied to what is there at that moment.
/// - All methods throw [dev.artel.kernel.store.StoreException].
///
/// Contract tests: `dev.artel.testkit.store.FleetContract`.
public interface Fleet {
    /// Applies `changes` in their order, all or none; durable when the call returns.
    ///
    /// @return the records of the workers that they are about, each once, in the order of their first mention
    List<WorkerRecord> apply(List<FleetChange> changes);

    /// What is known of a worker.
    Optional<WorkerRecord> find(WorkerId worker);

    /// The known workers in the order of their names.
    ///
    /// @param after begins behind this name; empty: with the first
    /// @param limit how many at most
    List<WorkerRecord> list(Optional<WorkerId> after, int limit);

    /// The latest registrations of workers, those first that were seen last.
    ///
    /// @param limit of how many workers at most
    List<Registration> registrations(int limit);

    /// Forgets registrations, but for those of `needed` and of others up to a bound: of at most `most` workers, and as long as their texts
    /// together have at most `characters`. Kept first are those of workers that have done tasks, then those of workers that were seen last. The
    /// workers themselves stay known.
    ///
    /// @param needed whose registrations are kept, and count
    /// @return of how many workers it was forgotten
    int forgetRegistrations(Set<WorkerId> needed, int most, long characters);

    /// Forgets workers that were last seen before `before`, at most `limit`, and their registrations. Those that an operator
    /// drains are kept: the order stands until it is taken back.
    ///
    /// @return how many were forgotten
    int forget(Instant before, int limit);

    /// Forgets workers, and their registrations, unless something about them has changed since `records`. Those that an operator
    /// drains are kept.
    ///
    /// @return how many were forgotten
    int forget(List<WorkerRecord> records);
}
