package dev.artel.store.sqlite;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventCodec;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.EventStore.OpenTail;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.StoredEvents;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Reads many open jobs together, in two scans. For one call and one thread.
final class OpenTails {
    /// A job with more events than these behind its fold is read alone.
    private static final int LONGEST = 256;

    private static final String JOBS =
            "SELECT job_key, id, version FROM job INDEXED BY job_open"
                    + " WHERE closed = 0 AND job_key > ?1 ORDER BY job_key LIMIT ?2";
    private static final String FOLDS =
            "SELECT j.job_key, f.state FROM job j INDEXED BY job_open"
                    + " CROSS JOIN fold f ON f.job_key = j.job_key"
                    + " WHERE j.closed = 0 AND j.job_key > ?1 AND j.job_key <= ?2";
    private static final String APPENDS =
            "SELECT j.job_key, a.position, a.version, a.events FROM job j INDEXED BY job_open"
                    + " LEFT JOIN fold f ON f.job_key = j.job_key"
                    + " CROSS JOIN append a ON a.job_key = j.job_key AND a.version >= coalesce("
                    + "(SELECT max(b.version) FROM append b WHERE b.job_key = j.job_key"
                    + " AND b.version <= f.version + 1), 1)"
                    + " WHERE j.closed = 0 AND j.job_key > ?1 AND j.job_key <= ?2"
                    + " AND j.version - coalesce(f.version, 0) <= ?3"
                    + " ORDER BY j.job_key, a.version";

    private final Reader reader;
    private final EventCodec codec;
    private final Map<Long, Found> found = new LinkedHashMap<>();

    OpenTails(Reader reader, EventCodec codec) {
        this.reader = reader;
        this.codec = codec;
    }

    private static final class Found {
        final JobId id;
        final long version;
        Optional<Job> fold = Optional.empty();
        final List<StoredEvents> appends = new ArrayList<>();
        boolean isUnreadable;

        Found(JobId id, long version) {
            this.id = id;
            this.version = version;
        }

        /// All of it or nothing: a fold may be replaced between the scans.
        OpenTail tail() {
            var last = fold.map(Job::version).orElse(0L);
            for (var append : appends) {
                if (append.version() > last + 1) {
                    return new OpenTail(id, Optional.empty(), Optional.empty());
                }
                last = Math.max(last, append.version() + append.events().size() - 1);
            }
            return isUnreadable || last < version
                    ? new OpenTail(id, Optional.empty(), Optional.empty())
                    : new OpenTail(id, fold, Optional.of(appends));
        }
    }

    EventStore.OpenTails read(long after, int limit) throws SQLException {
        var last = jobs(after, limit);
        if (!found.isEmpty()) {
            folds(after, last);
            appends(after, last);
        }
        return new EventStore.OpenTails(
                found.values().stream().map(Found::tail).toList(),
                found.size() < limit ? OptionalLong.empty() : OptionalLong.of(last));
    }

    private long jobs(long after, int limit) throws SQLException {
        var statement = reader.prepared(JOBS);
        statement.setLong(1, after);
        statement.setLong(2, limit);
        var last = after;
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                last = rows.getLong(1);
                found.put(last, new Found(new JobId(rows.getString(2)), rows.getLong(3)));
            }
        }
        return last;
    }

    private void folds(long after, long last) throws SQLException {
        var statement = reader.prepared(FOLDS);
        statement.setLong(1, after);
        statement.setLong(2, last);
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                var job = found.get(rows.getLong(1));
                if (job != null) {
                    try {
                        job.fold =
                                codec.decodeFold(rows.getBytes(2))
                                        .filter(it -> it.id().equals(job.id));
                    } catch (StackOverflowError | LinkageError unreadable) {
                        // Said when it is read alone.
                        job.isUnreadable = true;
                    }
                }
            }
        }
    }

    private void appends(long after, long last) throws SQLException {
        var statement = reader.prepared(APPENDS);
        statement.setLong(1, after);
        statement.setLong(2, last);
        statement.setLong(3, LONGEST);
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                var job = found.get(rows.getLong(1));
                if (job != null && !job.isUnreadable) {
                    try {
                        var events = codec.decode(rows.getBytes(4));
                        job.appends.add(new StoredEvents(rows.getLong(2), rows.getLong(3), events));
                    } catch (StoreCorrupt | StackOverflowError | LinkageError unreadable) {
                        // Said when it is read alone.
                        job.isUnreadable = true;
                    }
                }
            }
        }
    }
}
