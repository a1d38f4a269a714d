package dev.artel.kernel.store;

import java.util.List;
import java.util.OptionalLong;

/// Some of the jobs that a query asks for. A store looks at a bounded number of jobs for a page, so that a page may
/// have fewer rows than were asked for, or none, though there are more. It ends with the row that makes it heavier than [#MOST_BYTES].
///
/// @param rows newest job first
/// @param next the place from which to go on, see [JobQuery#below]; empty: there are no more. Places stay what they are
///     when other jobs come and go.
public record JobPage(List<JobRow> rows, OptionalLong next) {
    /// What the rows of a page weigh, but for the last one ([JobRow#weight]).
    public static final long MOST_BYTES = 4 << 20;

    /// Copies `rows`.
    public JobPage {
        rows = List.copyOf(rows);
    }

    /// Whether it has fewer rows than were asked for because these are heavy.
    public boolean isFull() {
        return next.isPresent() && rows.stream().mapToLong(JobRow::weight).sum() >= MOST_BYTES;
    }
}
