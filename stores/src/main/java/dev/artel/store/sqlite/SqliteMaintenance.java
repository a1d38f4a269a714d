package dev.artel.store.sqlite;

import dev.artel.kernel.store.StoreException;
import dev.artel.store.codec.JsonEventCodec;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/// What a person does with the file of a store from outside, also while an orchestrator has it open.
public final class SqliteMaintenance {
    private static final int TIMEOUT_MILLIS = 30_000;

    private static final String NAMING =
            "SELECT a.events FROM payload_name n JOIN append a ON a.job_key = n.job_key"
                    + " WHERE n.digest = ? AND n.released IS NULL AND instr(a.events, ?) > 0";

    private final Path file;

    /// The store in `file`.
    public SqliteMaintenance(Path file) {
        this.file = file.toAbsolutePath();
    }

    /// What a look at a store found.
    ///
    /// @param damage what SQLite reports as wrong with the file; empty: nothing
    /// @param schema the version of its tables
    /// @param lastEvent when its last event happened; empty if it has none
    public record Findings(
            List<String> damage,
            String schema,
            long jobs,
            long open,
            Optional<Instant> lastEvent) {}

    /// Writes a copy of the store as it is at this moment to `copy`, which must not exist. The orchestrator goes on.
    ///
    /// @throws StoreException if it cannot be read or the copy not be written
    public void copyTo(Path copy) {
        try (var connection = connect();
                var statement = connection.prepareStatement("VACUUM INTO ?")) {
            statement.setString(1, copy.toAbsolutePath().toString());
            statement.execute();
        } catch (SQLException e) {
            throw Failures.of("copying store " + file + " to " + copy, e);
        }
    }

    /// Looks at every page of the store.
    ///
    /// @throws StoreException if it cannot be read at all
    public Findings look() {
        try (var connection = connect()) {
            return new Findings(
                    damage(connection),
                    Integer.toString(Schema.version(connection)),
                    number(connection, "SELECT count(*) FROM job"),
                    number(connection, "SELECT count(*) FROM job WHERE closed = 0"),
                    lastEvent(connection));
        } catch (SQLException e) {
            throw Failures.of("looking at store " + file, e);
        }
    }

    /// Hands the digests of the large values that jobs name to `sink`, each once, in their order; nothing where the tables
    /// are of a version that did not know them. Some of them may be none, see [#isReference].
    ///
    /// @throws StoreException if it cannot be read
    public void namedPayloads(Consumer<String> sink) {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            if (number(connection, "SELECT count(*) FROM sqlite_master WHERE name = 'payload_name'")
                    == 0) {
                return;
            }
            var rows =
                    statement.executeQuery(
                            "SELECT DISTINCT digest FROM payload_name WHERE released IS NULL"
                                    + " ORDER BY digest");
            while (rows.next()) {
                sink.accept(rows.getString(1));
            }
        } catch (SQLException e) {
            throw Failures.of("reading the names of large values in store " + file, e);
        }
    }

    /// Some entries of the key-value store.
    ///
    /// @param all how many there are
    /// @param first the first of their keys, in order
    public record Entries(long all, List<String> first) {
        /// Copies the list.
        public Entries {
            first = List.copyOf(first);
        }
    }

    /// The entries of `space` whose keys begin with `prefix`; none where the tables are of a version that did not know them.
    ///
    /// @param most how many keys are returned at most
    /// @throws StoreException if it cannot be read
    public Entries entries(String space, String prefix, int most) {
        try (var connection = connect()) {
            if (number(connection, "SELECT count(*) FROM sqlite_master WHERE name = 'key_value'")
                    == 0) {
                return new Entries(0, List.of());
            }
            var keys = new ArrayList<String>();
            try (var first =
                            entries(
                                    connection,
                                    "key",
                                    " ORDER BY key LIMIT " + most,
                                    space,
                                    prefix);
                    var rows = first.executeQuery()) {
                while (rows.next()) {
                    keys.add(rows.getString(1));
                }
            }
            try (var all = entries(connection, "count(*)", "", space, prefix);
                    var rows = all.executeQuery()) {
                return new Entries(rows.next() ? rows.getLong(1) : 0, keys);
            }
        } catch (SQLException e) {
            throw Failures.of("reading entries of " + space + " in store " + file, e);
        }
    }

    private static PreparedStatement entries(
            Connection connection, String wanted, String end, String space, String prefix)
            throws SQLException {
        var statement =
                connection.prepareStatement(
                        "SELECT "
                                + wanted
                                + " FROM key_value WHERE space = ?1 AND substr(key, 1, length(?2)) = ?2"
                                + end);
        statement.setString(1, space);
        statement.setString(2, prefix);
        return statement;
    }

    /// Whether an event does name the large value `digest`. Names are read off the bytes of events, so that none is
    /// forgotten; a value of a user that merely looks like a reference has one as well.
    ///
    /// @throws StoreException if it cannot be read
    public boolean isReference(String digest) {
        var codec = new JsonEventCodec();
        try (var connection = connect();
                var statement = connection.prepareStatement(NAMING)) {
            statement.setString(1, digest);
            statement.setBytes(2, digest.getBytes(StandardCharsets.US_ASCII));
            var rows = statement.executeQuery();
            while (rows.next()) {
                if (isNamed(digest, rows.getBytes(1), codec)) {
                    return true;
                }
            }
            return false;
        } catch (SQLException e) {
            throw Failures.of("looking for large value " + digest + " in store " + file, e);
        }
    }

    private static boolean isNamed(String digest, byte[] events, JsonEventCodec codec) {
        try {
            return codec.references(events).contains(digest);
        } catch (StoreException.StoreCorrupt unreadable) {
            return true; // that it is none cannot be proved
        }
    }

    /// Whether an orchestrator has the store open.
    public boolean isHeld() {
        var lock = file.resolveSibling(file.getFileName() + ".lock");
        if (!Files.exists(lock)) {
            return false;
        }
        try (var channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                var taken = channel.tryLock()) {
            return taken == null;
        } catch (OverlappingFileLockException ofThisProcess) {
            return true;
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static List<String> damage(Connection connection) throws SQLException {
        var found = new ArrayList<String>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("PRAGMA quick_check(20)")) {
            while (rows.next()) {
                if (!rows.getString(1).equals("ok")) {
                    found.add(rows.getString(1));
                }
            }
        }
        return found;
    }

    private static Optional<Instant> lastEvent(Connection connection) throws SQLException {
        var updated = number(connection, "SELECT coalesce(max(updated), -1) FROM job");
        return updated < 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(updated));
    }

    private static long number(Connection connection, String question) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(question)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    /// Does not make a file where there is none.
    private Connection connect() throws SQLException {
        var config = new SQLiteConfig();
        config.setBusyTimeout(TIMEOUT_MILLIS);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        return config.createConnection("jdbc:sqlite:" + file);
    }
}
