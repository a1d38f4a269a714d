package dev.artel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a start reads of the workers that were there before.
final class RecalledRegistrationsTest {
    private static final int LIMIT = 1_000;
    private static final String HEAVY = "{\"a\":[" + "[0],".repeat(500) + "[0]]}";

    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        try (var create = connection.createStatement()) {
            create.execute("CREATE TABLE worker (id TEXT PRIMARY KEY, last_seen INTEGER NOT NULL)");
            create.execute(
                    "CREATE TABLE registration (worker TEXT PRIMARY KEY, words TEXT NOT NULL)");
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private void keep(String worker, long seen, String words) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO worker VALUES (?, ?)")) {
            insert.setString(1, worker);
            insert.setLong(2, seen);
            insert.execute();
        }
        try (var insert = connection.prepareStatement("INSERT INTO registration VALUES (?, ?)")) {
            insert.setString(1, worker);
            insert.setString(2, words);
            insert.execute();
        }
    }

    /// Trap: workers have registered, each with as much as it may, and left; what is kept of them fills the heap at each start.
    @Test
    void registrationsBeyondTheRoom_areNotRead_andSmallOnesOfOthersAre() throws SQLException {
        for (var i = 0; i < 30; i++) {
            keep("heavy-" + i, 1_000 + i, HEAVY);
        }
        for (var i = 0; i < 100; i++) {
            keep("small-" + i, i, "{\"worker_id\":\"small-" + i + "\"}");
        }

        var some = WorkerRows.registrations(connection, LIMIT, 1 << 20);
        var all = WorkerRows.registrations(connection, LIMIT);

        assertThat(some)
                .filteredOn(each -> each.worker().value().startsWith("heavy"))
                .hasSizeBetween(1, 20);
        assertThat(some).filteredOn(each -> each.worker().value().startsWith("small")).hasSize(100);
        assertThat(all).hasSize(130);
        assertThat(all.getFirst().worker().value()).isEqualTo("heavy-29");
    }
}
