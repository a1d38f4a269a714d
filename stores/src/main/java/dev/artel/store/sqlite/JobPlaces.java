package dev.artel.store.sqlite;

import dev.artel.kernel.store.JobQuery;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/// Between which places the jobs of a query are. Places are given in the order of submission, so that those of a time
/// are found by halving, without an index.
final class JobPlaces {
    /// By how much the order of submission may differ from that of places: submissions overtake each other, and a
    /// clock may be set back a little.
    private static final Duration DISORDER = Duration.ofMinutes(10);

    private final Connection connection;

    JobPlaces(Connection connection) {
        this.connection = connection;
    }

    SqlConditions of(JobQuery query) throws SQLException {
        var places = SqlConditions.NONE;
        if (query.behind().isPresent()) {
            places = places.andPlace("<", placeOf(query.behind().get()).orElse(0));
        }
        if (query.below().isPresent()) {
            places = places.andPlace("<", query.below().getAsLong());
        }
        var filter = query.filter();
        if (filter.until().isPresent()) {
            places = places.andPlace("<", firstSince(filter.until().get().plus(DISORDER)));
        }
        if (filter.from().isPresent()) {
            places = places.andPlace(">=", firstSince(filter.from().get().minus(DISORDER)));
        }
        return places;
    }

    private OptionalLong placeOf(String job) throws SQLException {
        try (var statement = connection.prepareStatement("SELECT job_key FROM job WHERE id = ?")) {
            statement.setString(1, job);
            try (var found = statement.executeQuery()) {
                return found.next() ? OptionalLong.of(found.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    /// The lowest place of a job submitted at `at` or later.
    private long firstSince(Instant at) throws SQLException {
        var millis = at.toEpochMilli();
        long low;
        long high;
        try (var statement = connection.createStatement();
                var ends =
                        statement.executeQuery(
                                "SELECT coalesce((SELECT min(job_key) FROM job), 1),"
                                        + " coalesce((SELECT max(job_key) FROM job), 0) + 1")) {
            ends.next();
            low = ends.getLong(1);
            high = ends.getLong(2);
        }
        try (var next =
                connection.prepareStatement(
                        "SELECT job_key, submitted FROM job WHERE job_key >= ?"
                                + " ORDER BY job_key LIMIT 1")) {
            while (low < high) {
                var middle = low + (high - low) / 2;
                next.setLong(1, middle);
                try (var found = next.executeQuery()) {
                    if (!found.next() || found.getLong(2) >= millis) {
                        high = middle;
                    } else {
                        low = found.getLong(1) + 1;
                    }
                }
            }
        }
        return low;
    }
}
