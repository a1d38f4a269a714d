package dev.artel.store.sqlite;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Drain;
import dev.artel.kernel.fleet.FleetChange;
import dev.artel.kernel.fleet.Registration;
import dev.artel.kernel.fleet.Reputation;
import dev.artel.kernel.fleet.WorkerRecord;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    private static final String OLD =
            " IN (SELECT id FROM worker WHERE drained_at IS NULL AND last_seen < ?"
                    + " ORDER BY id LIMIT ?)";

    private static final String UNCHANGED =
            " IN (SELECT id FROM worker WHERE id = ? AND version = ? AND drained_at IS NULL)";

    /// How many bytes registrations take in memory that are read together: a few kilobytes of text may be megabytes.
    private static final long MOST_WEIGHT = Runtime.getRuntime().maxMemory() / 16;

    /// Those that take more have half of that.
    private static final long HEAVY = 64L << 10;

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
        writeRegistrations(connection, changes);
        return List.copyOf(records.values());
    }

    private static void writeRegistrations(Connection connection, List<FleetChange> changes)
            throws SQLException {
        try (var write =
                connection.prepareStatement(
                        "INSERT OR REPLACE INTO registration (worker, characters, words)"
                                + " VALUES (?, ?, ?)")) {
            for (var change : changes) {
                if (change instanceof FleetChange.Registered(var worker, var words, var _)) {
                    var text = words.toString();
                    write.setString(1, worker.value());
                    write.setInt(2, text.length());
                    write.setString(3, text);
                    write.executeUpdate();
                }
            }
        }
    }

    static List<Registration> registrations(Connection connection, int limit) throws SQLException {
        return registrations(connection, limit, MOST_WEIGHT);
    }

    /// Without those for which there is no room.
    ///
    /// @param most how many bytes all of them may take
    static List<Registration> registrations(Connection connection, int limit, long most)
            throws SQLException {
        try (var select =
                connection.prepareStatement(
                        "SELECT worker, words FROM registration JOIN worker ON id = worker"
                                + " ORDER BY last_seen DESC, id LIMIT ?")) {
            select.setInt(1, limit);
            try (var found = select.executeQuery()) {
                var registrations = new ArrayList<Registration>();
                var taken = 0L;
                while (found.next()) {
                    var words = found.getString(2).getBytes(StandardCharsets.UTF_8);
                    var weight = ForeignJson.weight(words);
                    if (taken + weight <= (weight > HEAVY ? most / 2 : most)) {
                        taken += weight;
                        registrations.add(
                                new Registration(
                                        new WorkerId(found.getString(1)),
                                        (JsonObject) JsonText.read(words)));
                    }
                }
                return registrations;
            }
        }
    }

    /// Removes registrations; the caller commits.
    static int forgetRegistrations(
            Connection connection, Set<WorkerId> needed, int most, long characters)
            throws SQLException {
        var names = JsonArray.ofStrings(needed.stream().map(WorkerId::value).toList()).toString();
        try (var delete =
                connection.prepareStatement(
                        "DELETE FROM registration WHERE worker NOT IN (SELECT worker FROM (SELECT worker,"
                                + " row_number() OVER best AS place, sum(characters) OVER best AS total"
                                + " FROM registration JOIN worker ON id = worker"
                                + " WINDOW best AS (ORDER BY worker IN (SELECT value FROM json_each(?)) DESC,"
                                + " succeeded + failed + lost > 0 DESC, last_seen DESC, id"
                                + " ROWS UNBOUNDED PRECEDING))"
                                + " WHERE place <= ? AND total <= ?)"
                                + " AND worker NOT IN (SELECT value FROM json_each(?))")) {
            delete.setString(1, names);
            delete.setInt(2, most);
            delete.setLong(3, characters);
            delete.setString(4, names);
            return delete.executeUpdate();
        }
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
        try (var registrations =
                        connection.prepareStatement("DELETE FROM registration WHERE worker" + OLD);
                var known = connection.prepareStatement("DELETE FROM worker WHERE id" + OLD)) {
            for (var delete : List.of(registrations, known)) {
                delete.setLong(1, before.toEpochMilli());
                delete.setInt(2, limit);
            }
            registrations.executeUpdate();
            return known.executeUpdate();
        }
    }

    static int forget(Connection connection, List<WorkerRecord> records) throws SQLException {
        try (var registrations =
                        connection.prepareStatement(
                                "DELETE FROM registration WHERE worker" + UNCHANGED);
                var known =
                        connection.prepareStatement("DELETE FROM worker WHERE id" + UNCHANGED)) {
            var forgotten = 0;
            for (var record : records) {
                for (var delete : List.of(registrations, known)) {
                    delete.setString(1, record.id().value());
                    delete.setLong(2, record.version());
                }
                registrations.executeUpdate();
                forgotten += known.executeUpdate();
            }
            return forgotten;
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
