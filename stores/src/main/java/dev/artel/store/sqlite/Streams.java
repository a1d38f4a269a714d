package dev.artel.store.sqlite;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventCodec;
import dev.artel.kernel.store.EventStore.Committed;
import dev.artel.kernel.store.EventStore.EventPage;
import dev.artel.kernel.store.EventStore.OpenJobs;
import dev.artel.kernel.store.StoredEvents;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;

/// Reads events.
final class Streams {
    /// The first version is found once, so that what is before it is not looked at.
    static final String STREAM =
            "SELECT a.position, a.version, a.events FROM append a"
                    + " WHERE a.job_key = (SELECT job_key FROM job WHERE id = ?1)"
                    + " AND a.version >= coalesce((SELECT max(b.version) FROM append b"
                    + " WHERE b.job_key = (SELECT job_key FROM job WHERE id = ?1)"
                    + " AND b.version <= ?2 + 1), 1)"
                    + " ORDER BY a.version LIMIT ?3";

    private static final String VERSION = "SELECT version FROM job WHERE id = ?";

    /// Of the append that holds an event.
    static final String POSITION =
            "SELECT a.position, a.version FROM append a"
                    + " WHERE a.job_key = (SELECT job_key FROM job WHERE id = ?1)"
                    + " AND a.version <= ?2 ORDER BY a.version DESC LIMIT 1";

    private static final String COMMITTED =
            "SELECT a.position, a.version, a.events, j.id, j.blueprint, j.client"
                    + " FROM append a JOIN job j ON j.job_key = a.job_key"
                    + " WHERE a.position >= coalesce((SELECT max(b.position) FROM append b"
                    + " WHERE b.position <= ?1 + 1), 0)"
                    + " ORDER BY a.position LIMIT ?2";
    private static final String LAST =
            "SELECT max(position) FROM (SELECT position - 1 AS position FROM next_position"
                    + " UNION ALL SELECT position + event_count - 1 FROM append"
                    + " WHERE position = (SELECT max(position) FROM append))";
    private static final String OPEN_IDS =
            "SELECT job_key, id FROM job WHERE closed = 0 AND job_key > ? ORDER BY job_key LIMIT ?";

    private final EventCodec codec;

    Streams(EventCodec codec) {
        this.codec = codec;
    }

    /// @param after the version behind which events are wanted
    /// @param limit how many at most
    /// @param bytes of so many bytes at most, or one
    EventPage read(Reader reader, String id, long after, int limit, long bytes)
            throws SQLException {
        var statement = reader.prepared(STREAM);
        statement.setString(1, id);
        statement.setLong(2, after);
        // The first one may hold no event after that version, and the last one only shows that
        // there
        // are more.
        statement.setLong(3, limit + 2L);
        var appends = new ArrayList<StoredEvents>();
        var room = bytes;
        try (var found = statement.executeQuery()) {
            while (found.next()) {
                var encoded = found.getBytes(3);
                var size = PageBytes.of(encoded);
                if (!appends.isEmpty() && (appends.size() == limit || size > room)) {
                    return new EventPage(appends, false);
                }
                var events = codec.decode(encoded);
                if (found.getLong(2) + events.size() - 1 > after) {
                    appends.add(new StoredEvents(found.getLong(1), found.getLong(2), events));
                    room -= size;
                }
            }
        }
        return new EventPage(appends, true);
    }

    /// Halves the versions of the job until the one at `position` is found.
    static long versionAt(Reader reader, String id, long position) throws SQLException {
        var low = 0L;
        var high = versionOf(reader, id);
        while (low < high) {
            var middle = low + (high - low + 1) / 2;
            if (positionOf(reader, id, middle) <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private static long versionOf(Reader reader, String id) throws SQLException {
        var statement = reader.prepared(VERSION);
        statement.setString(1, id);
        try (var found = statement.executeQuery()) {
            return found.next() ? found.getLong(1) : 0;
        }
    }

    /// Of the event with this version; where the job is gone by now, above all.
    private static long positionOf(Reader reader, String id, long version) throws SQLException {
        var statement = reader.prepared(POSITION);
        statement.setString(1, id);
        statement.setLong(2, version);
        try (var found = statement.executeQuery()) {
            return found.next() ? found.getLong(1) + version - found.getLong(2) : Long.MAX_VALUE;
        }
    }

    /// @param after the position behind which events are wanted
    List<Committed> committedAfter(Reader reader, long after, int limit) throws SQLException {
        var appends = new ArrayList<Committed>();
        var _ = readCommitted(reader, after, limit, Long.MAX_VALUE, appends::add);
        return appends;
    }

    /// @param after the position behind which events are wanted
    /// @param bytes of so many bytes at most, or one
    boolean readCommitted(Reader reader, long after, int limit, long bytes, Predicate<Committed> to)
            throws SQLException {
        var statement = reader.prepared(COMMITTED);
        statement.setLong(1, after);
        // The first one may hold no event behind that position, and the last one only shows that
        // there are more.
        statement.setLong(2, limit + 2L);
        var given = 0;
        var room = bytes;
        try (var found = statement.executeQuery()) {
            while (found.next()) {
                var encoded = found.getBytes(3);
                var size = PageBytes.of(encoded);
                if (given > 0 && (given == limit || size > room)) {
                    return false;
                }
                var events = codec.decode(encoded);
                if (found.getLong(1) + events.size() - 1 > after) {
                    given++;
                    room -= size;
                    var one =
                            new Committed(
                                    new JobId(found.getString(4)),
                                    found.getString(5),
                                    found.getString(6),
                                    new StoredEvents(found.getLong(1), found.getLong(2), events));
                    if (!to.test(one)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    static long lastPosition(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(LAST)) {
            found.next();
            return found.getLong(1);
        }
    }

    static OpenJobs open(Reader reader, long after, int limit) throws SQLException {
        var statement = reader.prepared(OPEN_IDS);
        statement.setLong(1, after);
        statement.setLong(2, limit);
        var jobs = new ArrayList<JobId>();
        var last = after;
        try (var found = statement.executeQuery()) {
            while (found.next()) {
                last = found.getLong(1);
                jobs.add(new JobId(found.getString(2)));
            }
        }
        return new OpenJobs(
                jobs, jobs.size() < limit ? OptionalLong.empty() : OptionalLong.of(last));
    }
}
