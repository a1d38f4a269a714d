package dev.artel.store.sqlite;

import dev.artel.kernel.store.JobRow;

/// What the writer remembers of a job, so that an append need not read first.
///
/// @param key the row's key
/// @param version the number of the stream's events
/// @param row as it is stored
record RecentJob(long key, long version, JobRow row) {
    /// Of a row, without its texts.
    private static final int ROW = 600;

    /// Of a label, without its texts.
    private static final int LABEL = 160;

    /// About how many bytes it takes in memory.
    long weight() {
        var characters = row.error().map(String::length).orElse(0);
        for (var label : row.labels().entrySet()) {
            characters += label.getKey().length() + label.getValue().length();
        }
        return ROW + (long) LABEL * row.labels().size() + 2L * characters;
    }
}
