package dev.artel.kernel.fleet;

import dev.artel.kernel.attempt.WorkerId;
import java.time.Instant;
import java.util.Optional;

/// What is remembered of a worker over its restarts and those of the orchestrator. None of it is taken from what the
/// worker sends, which is a [Registration]: its name is the one that it was authenticated under.
///
/// @param firstSeen when it was there for the first time
/// @param lastSeen when it was there last, as far as it was noted: of a worker that is there, up to a minute ago
/// @param drain the order of an operator that it gets no more tasks
/// @param version how many changes were made of it, from 1
public record WorkerRecord(
        WorkerId id,
        Instant firstSeen,
        Instant lastSeen,
        Optional<Drain> drain,
        Reputation reputation,
        long version) {
    /// The record of a worker of which nothing but `change` is known.
    public static WorkerRecord begin(FleetChange change) {
        return new WorkerRecord(
                        change.worker(),
                        change.at(),
                        change.at(),
                        Optional.empty(),
                        Reputation.NEW,
                        0)
                .after(change);
    }

    /// This record after `change`, which is about the same worker.
    public WorkerRecord after(FleetChange change) {
        if (!change.worker().equals(id)) {
            throw new IllegalArgumentException(
                    "a change of worker " + change.worker() + " was applied to worker " + id);
        }
        return switch (change) {
            case FleetChange.Seen(var _, var at) -> seen(at);
            case FleetChange.Registered(var _, var _, var at) -> seen(at);
            case FleetChange.Judged(var _, var outcomes, var _) ->
                    new WorkerRecord(
                            id,
                            firstSeen,
                            lastSeen,
                            drain,
                            reputation.after(outcomes),
                            version + 1);
            case FleetChange.Drained(var _, var order) -> drained(Optional.of(order));
            case FleetChange.Undrained _ -> drained(Optional.empty());
        };
    }

    private WorkerRecord seen(Instant at) {
        var latest = at.isAfter(lastSeen) ? at : lastSeen;
        return new WorkerRecord(id, firstSeen, latest, drain, reputation, version + 1);
    }

    private WorkerRecord drained(Optional<Drain> order) {
        return new WorkerRecord(id, firstSeen, lastSeen, order, reputation, version + 1);
    }
}
