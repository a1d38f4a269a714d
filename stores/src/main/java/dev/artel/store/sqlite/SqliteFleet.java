package dev.artel.store.sqlite;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.fleet.FleetChange;
import dev.artel.kernel.fleet.Registration;
import dev.artel.kernel.fleet.WorkerRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
                : store.write(
                        "noting workers",
                        writer -> committed(writer, rows -> WorkerRows.apply(rows, changes)));
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
    public List<Registration> registrations(int limit) {
        return readers.read(
                "reading registrations of workers",
                reader -> WorkerRows.registrations(reader.connection(), limit));
    }

    @Override
    public int forgetRegistrations(Set<WorkerId> needed, int most, long characters) {
        return store.write(
                "forgetting registrations of workers",
                writer ->
                        committed(
                                writer,
                                rows ->
                                        WorkerRows.forgetRegistrations(
                                                rows, needed, most, characters)));
    }

    @Override
    public int forget(Instant before, int limit) {
        return store.write(
                "forgetting workers",
                writer -> committed(writer, rows -> WorkerRows.forget(rows, before, limit)));
    }

    @Override
    public int forget(List<WorkerRecord> records) {
        return store.write(
                "forgetting workers that are too many",
                writer -> committed(writer, rows -> WorkerRows.forget(rows, records)));
    }

    @FunctionalInterface
    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private static <T> T committed(Writer writer, Work<T> work) throws SQLException {
        try {
            var done = work.on(writer.connection());
            writer.connection().commit();
            return done;
        } catch (SQLException | RuntimeException e) {
            writer.abandon(e);
            throw e;
        }
    }
}
