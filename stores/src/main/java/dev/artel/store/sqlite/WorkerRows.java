package dev.artel.store.sqlite;

import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.fleet.Drain;
import dev.artel.kernel.fleet.FleetChange;
import dev.artel.kernel.fleet.Reputation;
import dev.artel.kernel.fleet.WorkerRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads and writes the rows of workers.
final class WorkerRows {
    private static final String COLUMNS =
            "id, version, first_seen, last_seen, good, bad, succeeded, failed, lost,"
                    + " drained_at, drained_by, drain_reason";
    private static final String WRITE =
            "INSERT OR REPLACE INTO worker ("
                    + COLUMNS
                    + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private WorkerRows() {}

    /// Applies `changes`; the caller commits.
    static List<WorkerRecord> apply(Connection connection, List<FleetChange> changes)
            throws SQLException {
        var records = new LinkedHashMap<WorkerId, WorkerRecord>();
        for (var change : changes) {
            var known = records.get(change.worker());
            if (known == null) {
                known = find(connection, change.worker()).orElse(null);
            }
            records.put(
                    change.worker(),
                    known == null ? WorkerRecord.begin(change) : known.after(change));
        }
        try (var write = connection.prepareStatement(WRITE)) {
            for (var record : records.values()) {
                fill(write, record);
                write.addBatch();
            }
            write.executeBatch();
        }
        return List.copyOf(records.values());
    }

    private static void fill(PreparedStatement write, WorkerRecord record) throws SQLException {
        var reputation = record.reputation();
        var drain = record.drain();
        write.setString(1, record.id().value());
        write.setLong(2, record.version());
        write.setLong(3, record.firstSeen().toEpochMilli());
        write.setLong(4, record.lastSeen().toEpochMilli());
        write.setDouble(5, reputation.good());
        write.setDouble(6, reputation.bad());
        write.setLong(7, reputation.succeeded());
        write.setLong(8, reputation.failed());
        write.setLong(9, reputation.lost());
        write.setObject(10, drain.map(order -> order.at().toEpochMilli()).orElse(null));
        write.setString(11, drain.map(Drain::by).orElse(null));
        write.setString(12, drain.flatMap(Drain::reason).orElse(null));
    }

    static Optional<WorkerRecord> find(Connection connection, WorkerId worker) throws SQLException {
        try (var select =
                connection.prepareStatement("SELECT " + COLUMNS + " FROM worker WHERE id = ?")) {
            select.setString(1, worker.value());
            return read(select).stream().findFirst();
        }
    }

    static List<WorkerRecord> list(Connection connection, Optional<WorkerId> after, int limit)
            throws SQLException {
        try (var select =
                connection.prepareStatement(
                        "SELECT " + COLUMNS + " FROM worker WHERE id > ? ORDER BY id LIMIT ?")) {
            select.setString(1, after.map(WorkerId::value).orElse(""));
            select.setInt(2, limit);
            return read(select);
        }
    }

    /// Removes workers; the caller commits.
    static int forget(Connection connection, Instant before, int limit) throws SQLException {
        try (var delete =
                connection.prepareStatement(
                        "DELETE FROM worker WHERE id IN (SELECT id FROM worker"
                                + " WHERE drained_at IS NULL AND last_seen < ? LIMIT ?)")) {
            delete.setLong(1, before.toEpochMilli());
            delete.setInt(2, limit);
            return delete.executeUpdate();
        }
    }

    private static List<WorkerRecord> read(PreparedStatement select) throws SQLException {
        try (var found = select.executeQuery()) {
            var records = new ArrayList<WorkerRecord>();
            while (found.next()) {
                records.add(read(found));
            }
            return records;
        }
    }

    private static WorkerRecord read(ResultSet row) throws SQLException {
        return new WorkerRecord(
                new WorkerId(row.getString(1)),
                Instant.ofEpochMilli(row.getLong(3)),
                Instant.ofEpochMilli(row.getLong(4)),
                Optional.ofNullable(drain(row)),
                new Reputation(
                        row.getDouble(5),
                        row.getDouble(6),
                        row.getLong(7),
                        row.getLong(8),
                        row.getLong(9)),
                row.getLong(2));
    }

    private static @Nullable Drain drain(ResultSet row) throws SQLException {
        var at = row.getLong(10);
        return row.wasNull()
                ? null
                : new Drain(
                        row.getString(11),
                        Optional.ofNullable(row.getString(12)),
                        Instant.ofEpochMilli(at));
    }
}
