package dev.artel.kernel.store;

import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Remembers the events of jobs.
///
/// - [#append] is called by one thread at a time; everything else by any thread at any time, and it does not wait
///   for an append.
/// - A batch is written with one commit. An entry that fails is tried alone and never fails its neighbours.
/// - Entries of one stream in one batch are applied in their order.
///
/// Contract tests: `dev.artel.testkit.store.EventStoreContract`.
public interface EventStore extends AutoCloseable {
    /// Appends every entry of `batch` whose stream is at the version that it expects. An empty batch tries whether there
    /// is room, and leaves nothing behind.
    ///
    /// @return one result for each entry, in order; what is [AppendResult.Appended] is durable
    /// @throws StoreException.StoreFull if there is no room; nothing was written
    /// @throws StoreException.StoreUnavailable if the outcome is unknown for the whole batch
    List<AppendResult> append(List<Append> batch);

    /// The appends of `stream` that hold events after version `after`, oldest first; none for an unknown stream.
    List<StoredEvents> read(StreamId stream, long after);

    /// Hands the events of each job that is not closed to `sink`, in the order of the jobs' first events.
    void readOpen(Consumer<OpenJob> sink);

    /// The row of a job.
    Optional<JobRow> find(JobId job);

    /// The rows that `query` asks for, newest job first.
    List<JobRow> list(JobQuery query);

    /// How many jobs there are in each status, in the order of the statuses' names.
    List<StatusCount> countByStatus();

    /// Removes closed jobs that have not changed since `before`, with all their events, at most `limit`, and gives
    /// the space back.
    ///
    /// @return how many were removed
    int removeClosed(Instant before, int limit);

    @Override
    void close();

    /// How many jobs have a status.
    record StatusCount(String status, long jobs) {}

    /// A job that is not closed.
    ///
    /// @param appends its events, oldest first
    record OpenJob(JobId id, List<StoredEvents> appends) {}
}
