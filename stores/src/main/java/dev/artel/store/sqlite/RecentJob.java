package dev.artel.store.sqlite;

import dev.artel.kernel.store.JobRow;

/// What the writer remembers of a job, so that an append need not read first.
///
/// @param key the row's key
/// @param version the number of the stream's events
/// @param row as it is stored
record RecentJob(long key, long version, JobRow row) {}
