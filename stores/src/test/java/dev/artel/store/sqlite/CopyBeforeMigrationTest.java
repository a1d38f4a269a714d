package dev.artel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.store.codec.JsonEventCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store that an earlier version wrote is kept as it was.
final class CopyBeforeMigrationTest {
    @TempDir private Path folder;

    /// A store of the version before this one, with something in it.
    private Path earlier(String name) throws SQLException, IOException {
        var file = Files.createFile(folder.resolve(name));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            Schema.migrate(connection, Schema.EMPTY, Schema.NEWEST - 1);
        }
        execute(file, "CREATE TABLE mark (text TEXT); INSERT INTO mark VALUES ('as it was')");
        return file;
    }

    private static void execute(Path file, String statements) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.executeUpdate(statements);
        }
    }

    private static String text(Path file, String question) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(question)) {
            return rows.getString(1);
        }
    }

    private List<Path> copies() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().contains(".schema-"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aStoreOfAnEarlierVersion_isCopiedBeforeItIsChanged_andOpens() throws Exception {
        var file = earlier("artel.db");
        var version = new SqliteMaintenance(file).look().schema();

        SqliteEventStore.open(file, new JsonEventCodec()).close();

        assertThat(copies()).hasSize(1);
        var copy = copies().getFirst();
        assertThat(copy.getFileName().toString()).startsWith("artel.db.schema-" + version + "-2");
        assertThat(new SqliteMaintenance(copy).look().schema()).isEqualTo(version);
        assertThat(new SqliteMaintenance(copy).look().damage()).isEmpty();
        assertThat(text(copy, "SELECT text FROM mark")).isEqualTo("as it was");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
                .isEqualTo("rw-------");
        assertThat(new SqliteMaintenance(file).look().schema()).isNotEqualTo(version);

        SqliteEventStore.open(file, new JsonEventCodec()).close();
        assertThat(copies()).hasSize(1);
    }

    @Test
    void aNewStore_andOneOfThisVersion_areNotCopied() throws Exception {
        SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec()).close();
        SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec()).close();

        assertThat(copies()).isEmpty();
    }

    @Test
    void theNewestTwoCopiesStay_andUnfinishedOnesGo() throws Exception {
        var file = earlier("artel.db");
        for (var other :
                List.of(
                        "artel.db.schema-9-20200101T000000.000Z",
                        "artel.db.schema-10-20210101T000000.000Z",
                        "artel.db.schema-10-20220101T000000.000Z.unfinished")) {
            Files.writeString(folder.resolve(other), "old");
        }

        new Database(file).migrate();

        assertThat(copies()).hasSize(2);
        assertThat(copies().getFirst().getFileName().toString())
                .isEqualTo("artel.db.schema-10-20210101T000000.000Z");
    }

    /// Trap: the disk is full in the middle of a migration, and no version runs on what is left.
    @Test
    void whereThereIsNoRoom_nothingIsChanged_andItSaysWhatToDo() throws Exception {
        var file = earlier("artel.db");
        var version = new SqliteMaintenance(file).look().schema();

        assertThatThrownBy(() -> new Database(file).migrate(_ -> 1_000))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("its tables are of an earlier version")
                .hasMessageContaining("has room for 0 MiB")
                .hasMessageContaining("make room in " + folder);

        assertThat(new SqliteMaintenance(file).look().schema()).isEqualTo(version);
        assertThat(copies()).isEmpty();
        new Database(file).migrate();
        assertThat(copies()).hasSize(1);
    }
}
