package dev.artel.store.sqlite;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventCodec;
import dev.artel.kernel.store.EventStore.OpenJob;
import dev.artel.kernel.store.StoredEvents;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Reads events.
final class Streams {
    private static final String STREAM =
            "SELECT a.position, a.version, a.events FROM append a"
                    + " WHERE a.job_key = (SELECT job_key FROM job WHERE id = ?1)"
                    + " AND a.version >= coalesce((SELECT max(b.version) FROM append b"
                    + " WHERE b.job_key = a.job_key AND b.version <= ?2 + 1), 1)"
                    + " ORDER BY a.version";
    private static final String OPEN =
            "SELECT j.job_key, a.position, a.version, a.events, j.id"
                    + " FROM job j INDEXED BY job_open CROSS JOIN append a ON a.job_key = j.job_key"
                    + " WHERE j.closed = 0 ORDER BY j.job_key, a.version";

    private final EventCodec codec;

    Streams(EventCodec codec) {
        this.codec = codec;
    }

    /// @param after the version behind which events are wanted
    List<StoredEvents> read(Reader reader, String id, long after) throws SQLException {
        var statement = reader.prepared(STREAM);
        statement.setString(1, id);
        statement.setLong(2, after);
        var appends = new ArrayList<StoredEvents>();
        try (var found = statement.executeQuery()) {
            while (found.next()) {
                var events = codec.decode(found.getBytes(3));
                if (found.getLong(2) + events.size() - 1 > after) {
                    appends.add(new StoredEvents(found.getLong(1), found.getLong(2), events));
                }
            }
        }
        return appends;
    }

    void readOpen(Connection connection, Consumer<OpenJob> sink) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(OPEN)) {
            var more = found.next();
            while (more) {
                var key = found.getLong(1);
                var id = new JobId(found.getString(5));
                var appends = new ArrayList<StoredEvents>();
                do {
                    appends.add(
                            new StoredEvents(
                                    found.getLong(2),
                                    found.getLong(3),
                                    codec.decode(found.getBytes(4))));
                    more = found.next();
                } while (more && found.getLong(1) == key);
                sink.accept(new OpenJob(id, List.copyOf(appends)));
            }
        }
    }
}
