package dev.artel.kernel.store;

import java.util.List;
import java.util.OptionalLong;

/// Some of the jobs that a query asks for. A store looks at a bounded number of jobs for a page, so that a page may
/// have fewer rows than were asked for, or none, though there are more.
///
/// @param rows newest job first
/// @param next the place from which to go on, see [JobQuery#below]; empty: there are no more. Places stay what they are
///     when other jobs come and go.
public record JobPage(List<JobRow> rows, OptionalLong next) {
    /// Copies `rows`.
    public JobPage {
        rows = List.copyOf(rows);
    }
}
