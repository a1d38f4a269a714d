package dev.artel.store.sqlite;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The jobs that were appended to last, and what a transaction that is not committed yet makes of them.
final class RecentJobs {
    private static final int COMMITTED = 10_000;

    private final Map<String, RecentJob> committed =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, RecentJob> eldest) {
                    return size() > COMMITTED;
                }
            };

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
        committed.put(id, job);
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
        changed.forEach((id, change) -> committed.put(id, change.after()));
        changed.clear();
    }

    void rollback() {
        changed.clear();
    }

    void forget(String id) {
        committed.remove(id);
    }
}
