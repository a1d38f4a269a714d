package dev.artel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SchemaTest {
    /// SHA-256 of each migration that has been released; a store has them behind it, so they never change.
    private static final Map<String, String> RELEASED =
            Map.ofEntries(
                    Map.entry(
                            "V1__jobs_and_their_events.sql",
                            "12fa5efbbbd8b0d14201a9e0822c851412d1f1db410c6738e192c30d8e85f612"),
                    Map.entry(
                            "V2__text_and_logs.sql",
                            "29061916d0711c472034f02d1d052f1f5b5526cdb48e2a1c873a63226eedc2d2"),
                    Map.entry(
                            "V4__workers.sql",
                            "28e776b06d39233e96fb437e1f621ad6cb8f63c7dfd755a7f5766e49ccb4aaad"),
                    Map.entry(
                            "V5__values_of_data_stores.sql",
                            "7cd5160fa7f63e4e604b6e4d03a6f2da2a67e2e6e4f68a28d3136964c2786fa3"),
                    Map.entry(
                            "V6__children.sql",
                            "020cee1b08e554eb35e6e87b084e99a205a7d8fafcaee2f73e055cec018603f5"),
                    Map.entry(
                            "V8__names_of_large_values.sql",
                            "c3a8a66ffd108290ad46c83af42f8c48dd4e942e2fe3b1b5eeaaf33d90dc242c"),
                    Map.entry(
                            "V9__folded_jobs.sql",
                            "49a20e9213fee7f532d53b412cfc8e68e59d078fd508ad5d63c65d8357fa35cf"),
                    Map.entry(
                            "V10__registrations_of_workers.sql",
                            "f2c8d9b8db6064b9db352c6a5608d6a831086667b0172d07eb00624875483aed"),
                    Map.entry(
                            "V11__open_jobs_by_client.sql",
                            "1dd7710c4b94ce5ffccd73f2e4215ce74504bf49943a15707bbbf6849905f1dd"),
                    Map.entry(
                            "V12__closed_jobs_by_blueprint.sql",
                            "377ae527dbdcbb583f4b6233f7c6ad53b1080fa63900371328da9465e654bd1e"));

    @TempDir private Path folder;

    @Test
    void eachMigrationInTheFolder_isRun_inItsOrder() throws Exception {
        var place =
                URI.create(
                        Objects.requireNonNull(Schema.class.getResource("migration")).toString());
        try (var files = Files.list(Path.of(place))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(Schema.SCRIPTS);
        }
        assertThat(Schema.SCRIPTS)
                .isSortedAccordingTo((one, other) -> Integer.compare(number(one), number(other)))
                .doesNotHaveDuplicates();
    }

    @Test
    void aReleasedMigration_neverChanges() throws Exception {
        var digest = MessageDigest.getInstance("SHA-256");
        for (var script : Schema.SCRIPTS) {
            var text = Schema.text(script).getBytes(StandardCharsets.UTF_8);
            assertThat(HexFormat.of().formatHex(digest.digest(text)))
                    .as(script)
                    .isEqualTo(RELEASED.get(script));
        }
    }

    /// Trap: a store that was migrated step by step has other tables than a new one.
    @Test
    void tablesMadeStepByStep_areThoseOfANewStore() throws SQLException {
        new Database(folder.resolve("new.db")).migrate();
        try (var connection = connect("old.db")) {
            var last = Schema.EMPTY;
            for (var script : Schema.SCRIPTS) {
                Schema.migrate(connection, last, number(script));
                last = number(script);
            }
        }

        assertThat(tables("old.db")).isEqualTo(tables("new.db")).hasSizeGreaterThan(5);
    }

    /// Earlier versions of the store had a table for it.
    @Test
    void aStoreWithAHistoryOfMigrations_isTakenOver() throws SQLException {
        var database = new Database(folder.resolve("artel.db"));
        database.migrate();
        try (var connection = connect("artel.db");
                var statement = connection.createStatement()) {
            statement.executeUpdate("PRAGMA user_version = 0");
            statement.executeUpdate(
                    "CREATE TABLE flyway_schema_history (version VARCHAR(50), success BOOLEAN)");
            statement.executeUpdate(
                    "INSERT INTO flyway_schema_history VALUES ('9', 1), ('"
                            + Schema.NEWEST
                            + "', 1)");
            assertThat(Schema.version(connection)).isEqualTo(Schema.NEWEST);
        }

        database.migrate();

        try (var connection = connect("artel.db")) {
            assertThat(Schema.version(connection)).isEqualTo(Schema.NEWEST);
        }
        assertThat(tables("artel.db")).noneMatch(sql -> sql.contains("flyway"));
    }

    @Test
    void aDatabaseOfAnotherProgram_isRefused_andStaysAsItIs() throws SQLException {
        try (var connection = connect("other.db");
                var statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE mine (text TEXT)");
        }

        assertThatThrownBy(() -> new Database(folder.resolve("other.db")).migrate())
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("it has tables, and they are not those of a store");

        assertThat(tables("other.db")).hasSize(1);
    }

    private static int number(String script) {
        return Integer.parseInt(script.substring(1, script.indexOf("__")));
    }

    private List<String> tables(String name) throws SQLException {
        var found = new ArrayList<String>();
        try (var connection = connect(name);
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "SELECT coalesce(sql, name) FROM sqlite_master ORDER BY name")) {
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
