package dev.artel.store.sqlite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/// The tables of this version, and the migrations that lead to it. A file keeps its version as SQLite's `user_version`.
final class Schema {
    /// The migrations in their order; each begins with its version.
    static final List<String> SCRIPTS =
            List.of(
                    "V1__jobs_and_their_events.sql",
                    "V2__text_and_logs.sql",
                    "V4__workers.sql",
                    "V5__values_of_data_stores.sql",
                    "V6__children.sql",
                    "V8__names_of_large_values.sql",
                    "V9__folded_jobs.sql",
                    "V10__registrations_of_workers.sql",
                    "V11__open_jobs_by_client.sql",
                    "V12__closed_jobs_by_blueprint.sql");

    /// The version of the tables that this Artel knows.
    static final int NEWEST = versionOf(SCRIPTS.getLast());

    /// The version of a file without tables.
    static final int EMPTY = 0;

    /// The version of a file with tables of another program.
    static final int FOREIGN = -1;

    /// Where earlier versions of the store recorded what was done to them.
    private static final String HISTORY = "flyway_schema_history";

    private Schema() {}

    /// The version of the tables of a file, [#EMPTY] or [#FOREIGN].
    static int version(Connection connection) throws SQLException {
        var version = number(connection, "PRAGMA user_version");
        if (version != EMPTY) {
            return version;
        }
        if (hasHistory(connection)) {
            return number(
                    connection,
                    "SELECT max(CAST(version AS INTEGER)) FROM " + HISTORY + " WHERE success");
        }
        return number(connection, "SELECT count(*) FROM sqlite_master") == 0 ? EMPTY : FOREIGN;
    }

    /// Brings the tables from version `from` to version `to`, all or nothing.
    static void migrate(Connection connection, int from, int to) throws SQLException {
        if (number(connection, "PRAGMA user_version") == to) {
            return;
        }
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            for (var script : SCRIPTS) {
                if (versionOf(script) > from && versionOf(script) <= to) {
                    statement.executeUpdate(text(script));
                }
            }
            statement.executeUpdate("DROP TABLE IF EXISTS " + HISTORY);
            statement.executeUpdate("PRAGMA user_version = " + to);
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static boolean hasHistory(Connection connection) throws SQLException {
        return number(
                        connection,
                        "SELECT count(*) FROM sqlite_master WHERE name = '" + HISTORY + "'")
                > 0;
    }

    private static int number(Connection connection, String question) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(question)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static int versionOf(String script) {
        return Integer.parseInt(script.substring(1, script.indexOf("__")));
    }

    static String text(String script) {
        try (var text = Schema.class.getResourceAsStream("migration/" + script)) {
            return new String(
                    Objects.requireNonNull(text, script).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("reading " + script + " of Artel", unreadable);
        }
    }
}
