package dev.artel.store.sqlite;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/// The tables of this version, as Flyway would make them and write it down, but without Flyway where there is nothing to
/// migrate: loading it takes a third of the time of a start.
final class Schema {
    private static final String FOLDER = "migration";
    private static final Pattern NAME = Pattern.compile("V(\\d+)__(.+)\\.sql");
    private static final String HISTORY =
            """
            CREATE TABLE "flyway_schema_history" (
                "installed_rank" INT NOT NULL PRIMARY KEY,
                "version" VARCHAR(50),
                "description" VARCHAR(200) NOT NULL,
                "type" VARCHAR(20) NOT NULL,
                "script" VARCHAR(1000) NOT NULL,
                "checksum" INT,
                "installed_by" VARCHAR(100) NOT NULL,
                "installed_on" TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
                "execution_time" INT NOT NULL,
                "success" BOOLEAN NOT NULL
            );
            CREATE INDEX "flyway_schema_history_s_idx" ON "flyway_schema_history" ("success");
            """;

    private Schema() {}

    /// A migration.
    private record Script(int version, String name, String text) {
        String description() {
            return name.substring(name.indexOf("__") + 2, name.length() - ".sql".length())
                    .replace('_', ' ');
        }

        /// As Flyway counts it: over the lines, without their ends.
        int checksum() {
            var crc = new CRC32();
            text.lines().forEach(line -> crc.update(line.getBytes(StandardCharsets.UTF_8)));
            return (int) crc.getValue();
        }
    }

    /// Makes the tables in a file that has none.
    ///
    /// @return whether the tables are those of this version now; if not, it is Flyway's business
    static boolean isReady(Connection connection) throws SQLException {
        List<Script> scripts;
        try {
            scripts = scripts();
        } catch (IOException unreadable) {
            return false;
        }
        if (scripts.isEmpty()) {
            return false;
        }
        if (isEmpty(connection)) {
            make(connection, scripts);
            return true;
        }
        return isOf(connection, scripts);
    }

    /// The version of the tables, if they were made by an earlier version of ours and are to be brought to this one.
    static Optional<String> earlier(Connection connection) throws SQLException {
        List<String> known;
        try {
            known = known(scripts());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
        var installed = installed(connection);
        return !installed.isEmpty()
                        && installed.size() < known.size()
                        && known.containsAll(installed)
                ? Optional.of(installed.getLast().replaceFirst(" .*", ""))
                : Optional.empty();
    }

    private static boolean isEmpty(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM sqlite_master")) {
            return rows.next() && rows.getInt(1) == 0;
        }
    }

    private static boolean isOf(Connection connection, List<Script> scripts) throws SQLException {
        return installed(connection).equals(known(scripts));
    }

    private static List<String> known(List<Script> scripts) {
        return scripts.stream()
                .map(script -> script.version() + " " + script.checksum() + " 1")
                .toList();
    }

    /// What is written down of the migrations, in their order; nothing where nothing is.
    private static List<String> installed(Connection connection) throws SQLException {
        var installed = new ArrayList<String>();
        try (var statement = connection.createStatement()) {
            var table =
                    statement.executeQuery(
                            "SELECT 1 FROM sqlite_master WHERE name = 'flyway_schema_history'");
            if (!table.next()) {
                return List.of();
            }
            var rows =
                    statement.executeQuery(
                            "SELECT version, checksum, success FROM flyway_schema_history"
                                    + " ORDER BY installed_rank");
            while (rows.next()) {
                installed.add(rows.getString(1) + " " + rows.getInt(2) + " " + rows.getInt(3));
            }
        }
        return installed;
    }

    private static void make(Connection connection, List<Script> scripts) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(HISTORY);
            for (var script : scripts) {
                statement.executeUpdate(script.text());
            }
            note(connection, scripts);
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static void note(Connection connection, List<Script> scripts) throws SQLException {
        try (var note =
                connection.prepareStatement(
                        "INSERT INTO flyway_schema_history (installed_rank, version, description,"
                                + " type, script, checksum, installed_by, execution_time, success)"
                                + " VALUES (?, ?, ?, 'SQL', ?, ?, '', 0, 1)")) {
            var rank = 1;
            for (var script : scripts) {
                note.setInt(1, rank++);
                note.setString(2, Integer.toString(script.version()));
                note.setString(3, script.description());
                note.setString(4, script.name());
                note.setInt(5, script.checksum());
                note.executeUpdate();
            }
        }
    }

    private static List<Script> scripts() throws IOException {
        var names = new ArrayList<String>();
        var place = Schema.class.getResource(FOLDER);
        if (place == null) {
            return List.of();
        }
        if (place.openConnection() instanceof JarURLConnection jar) {
            var folder = Schema.class.getPackageName().replace('.', '/') + "/" + FOLDER + "/";
            jar.setUseCaches(false);
            try (var file = jar.getJarFile()) {
                file.stream()
                        .map(entry -> entry.getName())
                        .filter(name -> name.startsWith(folder))
                        .forEach(name -> names.add(name.substring(folder.length())));
            }
        } else {
            try (var files = Files.list(Path.of(URI.create(place.toString())))) {
                files.forEach(file -> names.add(file.getFileName().toString()));
            }
        }
        return read(names);
    }

    private static List<Script> read(List<String> names) throws IOException {
        var scripts = new ArrayList<Script>();
        for (var name : names) {
            var parts = NAME.matcher(name);
            if (!parts.matches()) {
                if (name.isEmpty()) {
                    continue; // the folder itself
                }
                return List.of(); // something that only Flyway understands
            }
            try (var text = Schema.class.getResourceAsStream(FOLDER + "/" + name)) {
                if (text == null) {
                    return List.of();
                }
                scripts.add(
                        new Script(
                                Integer.parseInt(parts.group(1)),
                                name,
                                new String(text.readAllBytes(), StandardCharsets.UTF_8)));
            }
        }
        scripts.sort(Comparator.comparingInt(Script::version));
        return scripts;
    }
}
