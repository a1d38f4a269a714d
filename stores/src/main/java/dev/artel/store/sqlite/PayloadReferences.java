package dev.artel.store.sqlite;

import dev.artel.kernel.store.VerifiedBytes;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Which large values events name: found in their bytes, whatever they are, so that no event can be forgotten.
final class PayloadReferences {
    private static final byte[] BEGIN = "\"digest\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final int LENGTH = 64;

    /// The key of a job that was removed may be that of another one after a restart.
    private static final String INSERT =
            "INSERT INTO payload_name (digest, job_key) VALUES (?, ?) ON CONFLICT"
                    + " DO UPDATE SET released = NULL WHERE released IS NOT NULL";

    private static final String RELEASE =
            "UPDATE payload_name SET released = CAST(unixepoch('subsec') * 1000 AS INTEGER)"
                    + " WHERE job_key = ? AND released IS NULL";
    private static final String FIND =
            "SELECT 1 FROM payload_name WHERE digest = ?"
                    + " AND (released IS NULL OR released >= ?) LIMIT 1";
    private static final String FORGET =
            "DELETE FROM payload_name WHERE (digest, job_key) IN (SELECT digest, job_key"
                    + " FROM payload_name WHERE released IS NOT NULL AND released < ? LIMIT ?)";

    private PayloadReferences() {}

    /// What may be the names in `events`: too many rather than too few.
    static Set<String> in(byte[] events) {
        var last = BEGIN.length - 1;
        Set<String> found = Set.of();
        for (var at = last; at + LENGTH + 1 < events.length; at++) {
            if (events[at] != BEGIN[last] || !isBegin(events, at - last)) {
                continue;
            }
            var digest = new String(events, at + 1, LENGTH, StandardCharsets.ISO_8859_1);
            if (events[at + 1 + LENGTH] == '"' && VerifiedBytes.isDigest(digest)) {
                if (found.isEmpty()) {
                    found = new LinkedHashSet<>();
                }
                found.add(digest);
            }
        }
        return found;
    }

    private static boolean isBegin(byte[] events, int from) {
        for (var i = BEGIN.length - 2; i >= 0; i--) {
            if (events[from + i] != BEGIN[i]) {
                return false;
            }
        }
        return true;
    }

    static PreparedStatement insert(Connection connection) throws SQLException {
        return connection.prepareStatement(INSERT);
    }

    /// Notes that a job is removed.
    static PreparedStatement release(Connection connection) throws SQLException {
        return connection.prepareStatement(RELEASE);
    }

    /// Those of `digests` that no job names, nor did after `since`.
    static List<String> unnamed(Reader reader, List<String> digests, Instant since)
            throws SQLException {
        var statement = reader.prepared(FIND);
        var unnamed = new ArrayList<String>();
        for (var digest : digests) {
            statement.setString(1, digest);
            statement.setLong(2, since.toEpochMilli());
            try (var found = statement.executeQuery()) {
                if (!found.next()) {
                    unnamed.add(digest);
                }
            }
        }
        return unnamed;
    }

    /// Forgets names of jobs that were removed before `before`.
    static int forget(Writer writer, Instant before, int limit) throws SQLException {
        var connection = writer.connection();
        try (var statement = connection.prepareStatement(FORGET)) {
            statement.setLong(1, before.toEpochMilli());
            statement.setInt(2, limit);
            var forgotten = statement.executeUpdate();
            connection.commit();
            return forgotten;
        } catch (SQLException | RuntimeException e) {
            writer.abandon(e);
            throw e;
        }
    }
}
