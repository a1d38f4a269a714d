package dev.artel.kernel.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// Which jobs to list.
///
/// @param status only these
/// @param blueprint only these
/// @param client only these
/// @param labels only jobs that have all of these
/// @param before only jobs submitted before the job with this id; empty: from the newest
/// @param offset how many to leave out first
/// @param limit from 1 to 1000
public record JobQuery(
        Optional<String> status,
        Optional<String> blueprint,
        Optional<String> client,
        SequencedMap<String, String> labels,
        Optional<String> before,
        int offset,
        int limit) {
    /// The newest `limit` jobs.
    public static JobQuery newest(int limit) {
        return new JobQuery(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new LinkedHashMap<>(),
                Optional.empty(),
                0,
                limit);
    }

    /// Refuses pages that nobody can read.
    public JobQuery {
        if (limit < 1 || limit > 1000) {
            throw new IllegalArgumentException("limit must be from 1 to 1000, was " + limit);
        }
        if (offset < 0) {
            throw new IllegalArgumentException("offset must not be negative, was " + offset);
        }
        labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
    }
}
