package dev.artel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SchemaTest {
    @TempDir private Path folder;

    /// Trap: the short way makes other tables than the long one, and an upgrade years later fails.
    @Test
    void tablesMadeWithoutFlyway_areThoseThatItMakes_andItTakesThemForItsOwn() throws SQLException {
        var quick = new Database(folder.resolve("quick.db"));
        var slow = new Database(folder.resolve("slow.db"));

        quick.migrate();
        slow.migrateByFlyway();

        assertThat(tables("quick.db")).isEqualTo(tables("slow.db")).hasSizeGreaterThan(5);
        assertThat(history("quick.db")).isEqualTo(history("slow.db"));
        quick.migrateByFlyway(); // validates
        slow.migrate();
        assertThat(history("quick.db")).isEqualTo(history("slow.db"));
    }

    @Test
    void tablesOfAnotherVersion_areLeftToFlyway() throws SQLException {
        var database = new Database(folder.resolve("quick.db"));
        database.migrate();
        try (var connection = connect("quick.db");
                var statement = connection.createStatement()) {
            assertThat(Schema.isReady(connection)).isTrue();
            statement.executeUpdate("UPDATE flyway_schema_history SET checksum = 1");
            assertThat(Schema.isReady(connection)).isFalse();
        }
    }

    private List<String> tables(String name) throws SQLException {
        return list(name, "SELECT coalesce(sql, name) FROM sqlite_master ORDER BY name");
    }

    private List<String> history(String name) throws SQLException {
        return list(
                name,
                "SELECT installed_rank || version || description || type || script || checksum"
                        + " || installed_by || success FROM flyway_schema_history");
    }

    private List<String> list(String name, String question) throws SQLException {
        var found = new ArrayList<String>();
        try (var connection = connect(name);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(question)) {
            while (rows.next()) {
                found.add(rows.getString(1).replaceAll("\\s+", " "));
            }
        }
        return found;
    }

    private Connection connect(String name) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(name));
    }
}
