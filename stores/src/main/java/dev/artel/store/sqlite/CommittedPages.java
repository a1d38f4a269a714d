package dev.artel.store.sqlite;

import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConnection;

/// Follows what is committed to a store, page by page, so that a backup can keep a copy of it elsewhere that is never far
/// behind.
///
/// An open read transaction keeps SQLite from beginning the log anew before it was read: while one is open, the log can
/// be begun anew once at most, and only where that transaction has seen all of the old one. The next transaction is opened
/// before the last one ends. Safe for use by many threads.
public final class CommittedPages implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommittedPages.class);

    /// More is not kept in memory; what follows stays in the log.
    private static final long MOST = 16L << 20;

    /// A log of this size that is not taken would fill the disk: then it is given up.
    private static final long LONGEST_LOG = 1L << 30;

    private final ReentrantLock lock = new ReentrantLock();
    private final Path file;
    private final Database database;
    private final int pageSize;

    private WriteAheadLog log;
    private ChangedPages pages;
    private @Nullable Connection held;
    private boolean isLost = true;

    /// What empties the log.
    interface Emptying {
        /// Whether it was emptied.
        boolean empty() throws SQLException;
    }

    CommittedPages(Path file, Database database) throws SQLException {
        this.file = file;
        this.database = database;
        try (var connection = database.openReader();
                var statement = connection.createStatement();
                var found = statement.executeQuery("PRAGMA page_size")) {
            this.pageSize = found.getInt(1);
        }
        this.log = new WriteAheadLog(file, pageSize);
        this.pages = new ChangedPages(pageSize);
    }

    /// Follows from here on; what was committed before is only in a copy that is made from now on ([#copyTo]). To be
    /// called first, and again after something was lost.
    public void begin() {
        lock.lock();
        try {
            letGo();
            pages = new ChangedPages(pageSize);
            log = new WriteAheadLog(file, pageSize);
            held = hold();
            isLost = false;
        } catch (SQLException e) {
            throw failed("following", e);
        } finally {
            lock.unlock();
        }
    }

    /// Writes a copy of the whole store to `copy`, which must not exist. Together with all that is taken after this
    /// returned it is the store as it was when that was taken.
    public void copyTo(Path copy) {
        try (var connection = database.openReader();
                var statement = connection.createStatement()) {
            statement.execute("BEGIN");
            try (var rows = statement.executeQuery("SELECT count(*) FROM sqlite_master")) {
                rows.next();
            }
            // All at once: what is copied in steps begins again at each commit.
            var result =
                    connection
                            .unwrap(SQLiteConnection.class)
                            .getDatabase()
                            .backup("main", copy.toString(), null, 0, 0, -1);
            if (result != 0) {
                throw new StoreUnavailable(
                        "copying store "
                                + file
                                + " to "
                                + copy
                                + ": SQLite reports "
                                + result
                                + "; look whether there is room",
                        null);
            }
            statement.execute("COMMIT");
        } catch (SQLException e) {
            throw failed("copying", e);
        }
    }

    /// Reads what was committed meanwhile, as much of it as is kept in memory.
    ///
    /// @return whether it follows; false: something was lost, and it has to begin again
    public boolean follow() {
        lock.lock();
        try {
            return !isLost && read(MOST);
        } catch (SQLException | IOException e) {
            throw failed("following", e);
        } finally {
            lock.unlock();
        }
    }

    private boolean read(long most) throws SQLException, IOException {
        if (log.isUnchanged()) {
            return true;
        }
        log.look();
        // First: all that this one cannot see yet is in the log when it is read.
        var next = hold();
        switch (log.read(pages, most)) {
            case AT_THE_END -> {
                letGo();
                held = next;
            }
            case MORE -> {
                next.close();
                if (log.size() > LONGEST_LOG) {
                    lose("what was committed is not taken fast enough");
                }
            }
            case LOST -> {
                next.close();
                lose("the log began anew before it was read");
            }
        }
        return !isLost;
    }

    /// How much was read and not taken.
    public long bytes() {
        lock.lock();
        try {
            return pages.bytes();
        } finally {
            lock.unlock();
        }
    }

    /// Takes what was read.
    public ChangedPages take() {
        lock.lock();
        try {
            var taken = pages;
            pages = new ChangedPages(pageSize);
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /// Lets the log be emptied if all of it was read; nothing is written meanwhile.
    ///
    /// @return whether it was emptied
    boolean emptyWith(Emptying emptying) throws SQLException, IOException {
        lock.lock();
        try {
            if (!isLost) {
                if (!read(4 * MOST) || pages.bytes() >= 4 * MOST) {
                    return false; // later, when it was taken or given up
                }
                letGo();
            }
            var isEmpty = emptying.empty();
            log.emptied();
            if (!isLost) {
                held = hold();
            }
            return isEmpty;
        } finally {
            lock.unlock();
        }
    }

    private void lose(String why) throws SQLException {
        isLost = true;
        pages = new ChangedPages(pageSize);
        letGo();
        LOG.atWarn()
                .addKeyValue("store", file)
                .addKeyValue("why", why)
                .log("the copy of the store restarts");
    }

    private Connection hold() throws SQLException {
        var connection = database.openReader();
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA cache_size = 10");
            statement.execute("BEGIN");
            try (var rows = statement.executeQuery("SELECT count(*) FROM sqlite_master")) {
                rows.next();
            }
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private void letGo() throws SQLException {
        var last = held;
        held = null;
        if (last != null) {
            last.close();
        }
    }

    private StoreUnavailable failed(String attempted, Exception failure) {
        return new StoreUnavailable(
                attempted + " store " + file + ": found " + failure + "; it is tried again",
                failure);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isLost = true;
            letGo();
        } catch (SQLException e) {
            throw failed("no longer following", e);
        } finally {
            lock.unlock();
        }
    }
}
