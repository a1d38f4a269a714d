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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;

/// Reads many open jobs together, in two scans, as long as they take up few bytes. For one call and one thread.
final class OpenTails {
    /// A job with more events than these behind its fold is read alone.
    private static final int LONGEST = 256;

    /// Folds are kept compressed; each counts as so many times its bytes.
    private static final int OF_A_FOLD = 16;

    private static final String JOBS =
            "SELECT job_key, id, version FROM job INDEXED BY job_open"
                    + " WHERE closed = 0 AND job_key > ?1 ORDER BY job_key LIMIT ?2";
    private static final String FOLDS =
            "SELECT j.job_key, f.state FROM job j INDEXED BY job_open"
                    + " CROSS JOIN fold f ON f.job_key = j.job_key"
                    + " WHERE j.closed = 0 AND j.job_key > ?1 AND j.job_key <= ?2"
                    + " ORDER BY j.job_key";
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
    private final SequencedMap<Long, Found> found = new LinkedHashMap<>();
    private final long most;
    private OptionalLong next = OptionalLong.empty();

    /// @param most how many bytes folds and appends take up together
    OpenTails(Reader reader, EventCodec codec, long most) {
        this.reader = reader;
        this.codec = codec;
        this.most = most;
    }

    private static final class Found {
        final JobId id;
        final long version;
        Optional<Job> fold = Optional.empty();
        final List<StoredEvents> appends = new ArrayList<>();
        long foldBytes;
        boolean isReadAlone;

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
            return isReadAlone || last < version
                    ? new OpenTail(id, Optional.empty(), Optional.empty())
                    : new OpenTail(id, fold, Optional.of(appends));
        }
    }

    EventStore.OpenTails read(long after, int limit) throws SQLException {
        jobs(after, limit);
        if (!found.isEmpty()) {
            folds(after);
            appends(after);
        }
        return new EventStore.OpenTails(found.values().stream().map(Found::tail).toList(), next);
    }

    /// The page ends before `job`. The first one of a page is in it and is read alone.
    private void endBefore(long job) {
        if (found.firstEntry().getKey() == job) {
            found.firstEntry().getValue().isReadAlone = true;
            endAfter(job);
            return;
        }
        while (found.lastEntry().getKey() >= job) {
            found.pollLastEntry();
        }
        next = OptionalLong.of(found.lastEntry().getKey());
    }

    private void endAfter(long job) {
        if (found.lastEntry().getKey() > job) {
            found.keySet().removeIf(key -> key > job);
            next = OptionalLong.of(job);
        }
    }

    private void jobs(long after, int limit) throws SQLException {
        var statement = reader.prepared(JOBS);
        statement.setLong(1, after);
        statement.setLong(2, limit);
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                found.put(
                        rows.getLong(1), new Found(new JobId(rows.getString(2)), rows.getLong(3)));
            }
        }
        if (found.size() == limit) {
            next = OptionalLong.of(found.lastEntry().getKey());
        }
    }

    private void folds(long after) throws SQLException {
        var statement = reader.prepared(FOLDS);
        statement.setLong(1, after);
        statement.setLong(2, found.lastEntry().getKey());
        var bytes = 0L;
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                var key = rows.getLong(1);
                var job = found.get(key);
                if (job != null) {
                    try {
                        var encoded = rows.getBytes(2);
                        job.foldBytes = (long) encoded.length * OF_A_FOLD;
                        bytes += job.foldBytes;
                        if (bytes > most) {
                            endBefore(key);
                            return;
                        }
                        job.fold = codec.decodeFold(encoded).filter(it -> it.id().equals(job.id));
                    } catch (StackOverflowError | LinkageError unreadable) {
                        // Reported when it is read alone.
                        job.isReadAlone = true;
                    } catch (OutOfMemoryError full) {
                        // So is this, with the name of the job, and with less of others in memory.
                        job.isReadAlone = true;
                        endAfter(key);
                        return;
                    }
                }
            }
        }
    }

    private void appends(long after) throws SQLException {
        var statement = reader.prepared(APPENDS);
        statement.setLong(1, after);
        statement.setLong(2, found.lastEntry().getKey());
        statement.setLong(3, LONGEST);
        var bytes = 0L;
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                var key = rows.getLong(1);
                var job = found.get(key);
                if (job != null && !job.isReadAlone) {
                    try {
                        var encoded = rows.getBytes(4);
                        bytes +=
                                PageBytes.of(encoded) + (job.appends.isEmpty() ? job.foldBytes : 0);
                        if (bytes > most) {
                            endBefore(key);
                            return;
                        }
                        var events = codec.decode(encoded);
                        job.appends.add(new StoredEvents(rows.getLong(2), rows.getLong(3), events));
                    } catch (StoreCorrupt | StackOverflowError | LinkageError unreadable) {
                        // Reported when it is read alone.
                        job.isReadAlone = true;
                    } catch (OutOfMemoryError full) {
                        // So is this, with the name of the job, and with less of others in memory.
                        job.isReadAlone = true;
                        endAfter(key);
                        return;
                    }
                }
            }
        }
    }
}
