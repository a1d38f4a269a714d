package dev.artel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.store.StoreException.StoreLocked;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

final class OpeningTest {
    @TempDir private Path folder;

    private final AtomicInteger attempts = new AtomicInteger();

    /// Trap: an orchestrator that was killed ends at its start, because somebody looks at its database.
    @Test
    void aFileThatAnotherProgramLocks_isOpenedWhenTheLockIsGone() throws SQLException {
        var file = folder.resolve("artel.db");
        try (var other = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = other.createStatement()) {
            statement.execute("BEGIN EXCLUSIVE");

            Opening.of(
                    file,
                    () -> {
                        if (attempts.incrementAndGet() == 2) {
                            statement.execute("ROLLBACK");
                        }
                        new Database(file).migrate();
                    });
        }

        assertThat(attempts).hasValue(2);
        assertThat(file).exists();
    }

    @Test
    void aFullDisk_isWaitedFor() throws SQLException {
        Opening.of(
                folder,
                () -> {
                    if (attempts.incrementAndGet() < 3) {
                        throw new SQLiteException("no room", SQLiteErrorCode.SQLITE_FULL);
                    }
                });

        assertThat(attempts).hasValue(3);
    }

    @Test
    void aLock_isReportedAsOne() {
        for (var code :
                List.of(SQLiteErrorCode.SQLITE_BUSY_RECOVERY, SQLiteErrorCode.SQLITE_LOCKED)) {
            assertThat(Failures.of("opening store", new SQLiteException("in use", code)))
                    .isInstanceOf(StoreLocked.class)
                    .hasMessageContaining("end it");
        }
        assertThat(
                        Failures.of(
                                "opening store",
                                new SQLiteException("no", SQLiteErrorCode.SQLITE_CANTOPEN)))
                .isInstanceOf(StoreUnavailable.class)
                .isNotInstanceOf(StoreLocked.class);
    }

    @Test
    void whatDoesNotPass_isThrownAtOnce() {
        assertThatThrownBy(() ->
                        Opening.of(
                                folder,
                                () -> {
                                    attempts.incrementAndGet();
                                    throw new SQLiteException("no", SQLiteErrorCode.SQLITE_NOTADB);
                                }))
                .isInstanceOf(SQLiteException.class);
        assertThat(attempts).hasValue(1);
    }
}
