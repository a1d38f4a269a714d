package dev.artel.store.sqlite;

import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.fleet.FleetChange;
import dev.artel.kernel.fleet.WorkerRecord;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Remembers workers in the file of a [SqliteEventStore], through its one writer.
final class SqliteFleet implements Fleet {
    private final SqliteEventStore store;
    private final Readers readers;

    SqliteFleet(SqliteEventStore store, Readers readers) {
        this.store = store;
        this.readers = readers;
    }

    @Override
    public List<WorkerRecord> apply(List<FleetChange> changes) {
        return changes.isEmpty()
                ? List.of()
                : store.write("noting workers", writer -> apply(writer, changes));
    }

    private static List<WorkerRecord> apply(Writer writer, List<FleetChange> changes)
            throws SQLException {
        try {
            var records = WorkerRows.apply(writer.connection(), changes);
            writer.connection().commit();
            return records;
        } catch (SQLException | RuntimeException e) {
            writer.abandon(e);
            throw e;
        }
    }

    @Override
    public Optional<WorkerRecord> find(WorkerId worker) {
        return readers.read(
                "finding worker " + worker, reader -> WorkerRows.find(reader.connection(), worker));
    }

    @Override
    public List<WorkerRecord> list(Optional<WorkerId> after, int limit) {
        return readers.read(
                "listing workers", reader -> WorkerRows.list(reader.connection(), after, limit));
    }

    @Override
    public int forget(Instant before, int limit) {
        return store.write("forgetting workers", writer -> forget(writer, before, limit));
    }

    private static int forget(Writer writer, Instant before, int limit) throws SQLException {
        try {
            var forgotten = WorkerRows.forget(writer.connection(), before, limit);
            writer.connection().commit();
            return forgotten;
        } catch (SQLException | RuntimeException e) {
            writer.abandon(e);
            throw e;
        }
    }
}
