package dev.artel.kernel.store;

import java.util.Optional;
import java.util.OptionalLong;

/// Which jobs to list, newest first.
///
/// @param behind only jobs submitted before the one with this id; none if there is no such job
/// @param below only jobs whose place is lower, see [JobPage#next]
/// @param offset how many to leave out first, at most [#MAX_OFFSET]; each costs as much as one that is listed
/// @param limit from 1 to 1000
public record JobQuery(
        JobFilter filter, Optional<String> behind, OptionalLong below, int offset, int limit) {
    /// To go further, use [#below].
    public static final int MAX_OFFSET = 10_000;

    /// The newest `limit` jobs.
    public static JobQuery newest(int limit) {
        return of(JobFilter.ALL, limit);
    }

    /// The newest `limit` jobs that `filter` lets through.
    public static JobQuery of(JobFilter filter, int limit) {
        return new JobQuery(filter, Optional.empty(), OptionalLong.empty(), 0, limit);
    }

    /// Refuses pages that are empty or too large.
    public JobQuery {
        if (limit < 1 || limit > 1000) {
            throw new IllegalArgumentException("limit must be from 1 to 1000, was " + limit);
        }
        if (offset < 0 || offset > MAX_OFFSET) {
            throw new IllegalArgumentException(
                    "offset must be from 0 to " + MAX_OFFSET + ", was " + offset);
        }
    }

    /// This query, from the job behind the one with the id `job`.
    public JobQuery behindJob(String job) {
        return new JobQuery(filter, Optional.of(job), below, offset, limit);
    }

    /// This query, from below `place` on.
    public JobQuery belowPlace(long place) {
        return new JobQuery(filter, behind, OptionalLong.of(place), offset, limit);
    }

    /// This query, without the first `jobs`.
    public JobQuery skipping(int jobs) {
        return new JobQuery(filter, behind, below, jobs, limit);
    }
}
