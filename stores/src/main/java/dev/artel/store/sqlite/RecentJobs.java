package dev.artel.store.sqlite;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The jobs that were appended to last, as many of them as there is room for, and what a transaction that is not committed yet makes of
/// them.
final class RecentJobs {
    private static final int MOST = 10_000;

    /// Which part of the heap they have: one divided by it.
    private static final int PART = 32;

    private final Map<String, RecentJob> committed = new LinkedHashMap<>(16, 0.75f, true);
    private final long room;
    private long weight;

    RecentJobs() {
        this(Runtime.getRuntime().maxMemory() / PART);
    }

    /// @param room how many bytes they take at most
    RecentJobs(long room) {
        this.room = room;
    }

    /// In the order of first change.
    private final Map<String, Change> changed = new LinkedHashMap<>();

    /// What the transaction at hand makes of a job.
    ///
    /// @param before null for a new one
    record Change(@Nullable RecentJob before, RecentJob after) {}

    @Nullable RecentJob find(String id) {
        var change = changed.get(id);
        return change == null ? committed.get(id) : change.after();
    }

    /// What was read from the store.
    void remember(String id, RecentJob job) {
        var former = committed.put(id, job);
        weight += job.weight() - (former == null ? 0 : former.weight());
        var eldest = committed.values().iterator();
        while (committed.size() > MOST || (weight > room && committed.size() > 1)) {
            weight -= eldest.next().weight();
            eldest.remove();
        }
    }

    /// How many are remembered.
    int size() {
        return committed.size();
    }

    /// @param known what [#find] gave, or the store has
    void change(String id, @Nullable RecentJob known, RecentJob after) {
        var earlier = changed.get(id);
        changed.put(id, new Change(earlier == null ? known : earlier.before(), after));
    }

    Collection<Change> changes() {
        return changed.values();
    }

    void commit() {
        changed.forEach((id, change) -> remember(id, change.after()));
        changed.clear();
    }

    void rollback() {
        changed.clear();
    }

    void forget(String id) {
        var former = committed.remove(id);
        weight -= former == null ? 0 : former.weight();
    }
}
