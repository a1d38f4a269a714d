package dev.artel.store.sqlite;

import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.StoreException.StoreFull;
import dev.artel.kernel.store.StoreException.StoreLocked;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Translates a failure of SQLite for the caller.
final class Failures {
    private Failures() {}

    /// What to throw.
    ///
    /// @param attempted for the message, with the store's name
    static StoreException of(String attempted, SQLException failure) {
        var what = attempted + ": found " + failure.getMessage();
        if (isFull(failure)) {
            return new StoreFull(
                    what + "; nothing was written; make room on the disk, it then goes on",
                    failure);
        }
        if (isBusy(failure)) {
            return new StoreLocked(
                    what + "; another program holds the file's lock, end it", failure);
        }
        return switch (codeOf(failure)) {
            case SQLITE_CORRUPT,
                    SQLITE_CORRUPT_VTAB,
                    SQLITE_CORRUPT_INDEX,
                    SQLITE_CORRUPT_SEQUENCE,
                    SQLITE_NOTADB ->
                    new StoreCorrupt(
                            what + "; stop, keep a copy of the file, and restore a backup",
                            failure);
            default ->
                    new StoreUnavailable(
                            what + "; read before trying again, and check the disk", failure);
        };
    }

    /// Whether the failure is about what was written, not about the store.
    static boolean isOfTheEntry(SQLException failure) {
        return switch (codeOf(failure).code & 0xFF) {
            case 19, 18, 20, 25 -> true; // CONSTRAINT, TOOBIG, MISMATCH, RANGE
            default -> false;
        };
    }

    /// Whether another program holds the file's lock; nothing was written.
    static boolean isBusy(SQLException failure) {
        return switch (codeOf(failure).code & 0xFF) {
            case 5, 6 -> true; // BUSY, LOCKED
            default -> false;
        };
    }

    private static boolean isFull(SQLException failure) {
        return switch (codeOf(failure)) {
            case SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE -> true;
            default -> false;
        };
    }

    /// Whether the failure passes without a change of the file: a lock is given back, a disk gets room.
    static boolean passes(SQLException failure) {
        return isBusy(failure) || isFull(failure);
    }

    /// Whether the failure proves that nothing was written.
    static boolean isUnwritten(SQLException failure) {
        return isBusy(failure)
                || isOfTheEntry(failure)
                || codeOf(failure) == SQLiteErrorCode.SQLITE_FULL;
    }

    private static SQLiteErrorCode codeOf(SQLException failure) {
        return failure instanceof SQLiteException sqlite
                ? sqlite.getResultCode()
                : SQLiteErrorCode.UNKNOWN_ERROR;
    }
}
