package dev.artel.store.sqlite;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.store.KeyValueStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Keeps versioned values in the file of an event store; every write is a commit of its own.
final class SqliteKeyValueStore implements KeyValueStore {
    private static final String GET =
            "SELECT key, version, value FROM key_value WHERE space = ? AND key = ?";
    private static final String LIST =
            "SELECT key, version, value FROM key_value WHERE space = ?1 AND key > ?2"
                    + " AND key >= ?3 AND key < ?3 || char(1114111) ORDER BY key LIMIT ?4";
    private static final String NEXT_VERSION =
            "UPDATE key_value_version SET version = version + 1 RETURNING version";
    private static final String PUT =
            "INSERT INTO key_value (space, key, version, value) VALUES (?, ?, ?, ?)"
                    + " ON CONFLICT (space, key)"
                    + " DO UPDATE SET version = excluded.version, value = excluded.value";
    private static final String REMOVE = "DELETE FROM key_value WHERE space = ? AND key = ?";

    private final Readers readers;
    private final Writing writing;

    /// Runs something on the connection that writes, alone.
    interface Writing {
        <T> T write(String attempted, Act<T> act);
    }

    /// What is done; it commits.
    interface Act<T> {
        T on(Connection connection) throws SQLException;
    }

    SqliteKeyValueStore(Readers readers, Writing writing) {
        this.readers = readers;
        this.writing = writing;
    }

    @Override
    public Optional<Entry> get(String space, String key) {
        return readers.read(
                "reading '" + key + "' of " + space,
                reader -> find(reader.connection(), space, key));
    }

    @Override
    public OptionalLong put(String space, String key, long expected, JsonValue value) {
        var text = JsonText.write(value);
        return writing.write(
                "writing '" + key + "' of " + space,
                connection -> {
                    if (!isAt(find(connection, space, key), expected)) {
                        connection.rollback();
                        return OptionalLong.empty();
                    }
                    var version = nextVersion(connection);
                    try (var put = connection.prepareStatement(PUT)) {
                        put.setString(1, space);
                        put.setString(2, key);
                        put.setLong(3, version);
                        put.setBytes(4, text);
                        put.executeUpdate();
                    }
                    connection.commit();
                    return OptionalLong.of(version);
                });
    }

    @Override
    public boolean remove(String space, String key, long expected) {
        return writing.write(
                "removing '" + key + "' of " + space,
                connection -> {
                    var found = find(connection, space, key);
                    if (found.isEmpty() || !isAt(found, expected)) {
                        connection.rollback();
                        return false;
                    }
                    try (var remove = connection.prepareStatement(REMOVE)) {
                        remove.setString(1, space);
                        remove.setString(2, key);
                        remove.executeUpdate();
                    }
                    connection.commit();
                    return true;
                });
    }

    @Override
    public List<Entry> list(String space, String prefix, String after, int limit) {
        return readers.read(
                "listing " + space,
                reader -> {
                    try (var list = reader.connection().prepareStatement(LIST)) {
                        list.setString(1, space);
                        list.setString(2, after);
                        list.setString(3, prefix);
                        list.setInt(4, limit);
                        return entries(list);
                    }
                });
    }

    private static boolean isAt(Optional<Entry> found, long expected) {
        return expected == ANY_VERSION || found.map(Entry::version).orElse(NO_ENTRY) == expected;
    }

    private static Optional<Entry> find(Connection connection, String space, String key)
            throws SQLException {
        try (var get = connection.prepareStatement(GET)) {
            get.setString(1, space);
            get.setString(2, key);
            return entries(get).stream().findFirst();
        }
    }

    private static List<Entry> entries(PreparedStatement query) throws SQLException {
        var entries = new ArrayList<Entry>();
        try (var found = query.executeQuery()) {
            while (found.next()) {
                entries.add(entry(found));
            }
        }
        return entries;
    }

    private static Entry entry(ResultSet row) throws SQLException {
        return new Entry(row.getString(1), row.getLong(2), JsonText.readWritten(row.getBytes(3)));
    }

    private static long nextVersion(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var next = statement.executeQuery(NEXT_VERSION)) {
            next.next();
            return next.getLong(1);
        }
    }
}
