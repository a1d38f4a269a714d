package dev.artel.store.sqlite;

import dev.artel.store.files.UsableSpace;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConfig.TempStore;
import org.sqlite.SQLiteConfig.TransactionMode;

/// Opens connections to a file.
final class Database {
    private static final Duration BUSY = Duration.ofSeconds(5);
    private static final int WRITER_CACHE_KIB = 64 * 1024;
    private static final int READER_CACHE_KIB = 16 * 1024;

    private final Path file;

    Database(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /// Brings the schema up to this version.
    void migrate() throws SQLException {
        migrate(UsableSpace::of);
    }

    /// @param room how much a folder still takes
    void migrate(CopyBeforeMigration.Room room) throws SQLException {
        prepare();
        try (var connection = connect(writing())) {
            var version = Schema.version(connection);
            if (version == Schema.FOREIGN) {
                throw StoreFile.refusal(
                        file,
                        "it has tables, and they are not those of a store",
                        "name another file",
                        null);
            }
            if (version > Schema.NEWEST) {
                throw StoreFile.refusal(
                        file,
                        "its tables are of version "
                                + version
                                + ", and this Artel knows those up to version "
                                + Schema.NEWEST,
                        "if a newer Artel wrote it, run that one",
                        null);
            }
            if (version != Schema.EMPTY && version < Schema.NEWEST) {
                new CopyBeforeMigration(file, InstantSource.system(), room)
                        .make(Integer.toString(version));
            }
            Schema.migrate(connection, version, Schema.NEWEST);
        }
    }

    /// A connection whose transactions are durable when committed.
    Connection openWriter() throws SQLException {
        var connection = connect(writing());
        try (var statement = connection.createStatement()) {
            // A checkpoint in the middle of a commit would make that one slow; see Checkpoints.
            statement.execute("PRAGMA wal_autocheckpoint = 0");
            statement.execute("PRAGMA cache_size = -" + WRITER_CACHE_KIB);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    /// A connection that waits for no lock.
    Connection openCheckpointer() throws SQLException {
        var connection = openWriter();
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 0");
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    /// A connection that only reads.
    Connection openReader() throws SQLException {
        var config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setBusyTimeout((int) BUSY.toMillis());
        config.setTempStore(TempStore.MEMORY);
        config.setCacheSize(-READER_CACHE_KIB);
        return connect(config);
    }

    /// What can only be set before there is a first table.
    private void prepare() throws SQLException {
        var config = new SQLiteConfig();
        config.setBusyTimeout((int) BUSY.toMillis());
        try (var connection = connect(config);
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA auto_vacuum = INCREMENTAL");
            statement.execute("PRAGMA journal_mode = WAL");
        }
    }

    private static SQLiteConfig writing() {
        var config = new SQLiteConfig();
        config.setJournalMode(JournalMode.WAL);
        config.setSynchronous(SynchronousMode.FULL);
        config.setBusyTimeout((int) BUSY.toMillis());
        config.setTempStore(TempStore.MEMORY);
        // The driver begins the next transaction at each commit: an immediate one would hold its
        // snapshot, and no checkpoint could empty the log. No other connection writes, so none is
        // refused.
        config.setTransactionMode(TransactionMode.DEFERRED);
        return config;
    }

    private Connection connect(SQLiteConfig config) throws SQLException {
        return config.createConnection(url());
    }

    private String url() {
        return "jdbc:sqlite:" + file;
    }
}
