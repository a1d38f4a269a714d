package dev.artel.store.sqlite;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.Backlog;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.Expiry;
import dev.artel.kernel.store.JobFolds;
import dev.artel.kernel.store.JobLogs;
import dev.artel.kernel.store.JobPage;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A store that is read over connections of its own.
final class ReservedStore implements EventStore {
    private final SqliteEventStore store;
    private final Reading reading;

    ReservedStore(SqliteEventStore store, Reading reading) {
        this.store = store;
        this.reading = reading;
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        return store.append(batch);
    }

    @Override
    public List<StoredEvents> read(StreamId stream, long after) {
        return reading.read(stream, after, Integer.MAX_VALUE);
    }

    @Override
    public List<StoredEvents> read(StreamId stream, long after, int limit) {
        return reading.read(stream, after, limit);
    }

    @Override
    public EventPage page(StreamId stream, long after, int limit, long bytes) {
        return reading.page(stream, after, limit, bytes);
    }

    @Override
    public long versionAt(StreamId stream, long position) {
        return reading.versionAt(stream, position);
    }

    @Override
    public List<Committed> committedAfter(long position, int limit) {
        return reading.committedAfter(position, limit);
    }

    @Override
    public boolean readCommitted(
            long position, int limit, long bytes, Predicate<Committed> reader) {
        return reading.readCommitted(position, limit, bytes, reader);
    }

    @Override
    public long lastPosition() {
        return reading.lastPosition();
    }

    @Override
    public OpenJobs open(long after, int limit) {
        return reading.open(after, limit);
    }

    @Override
    public OpenTails openTails(long after, int limit, long bytes) {
        return reading.openTails(after, limit, bytes);
    }

    @Override
    public Optional<JobRow> find(JobId job) {
        return reading.find(job);
    }

    @Override
    public JobPage list(JobQuery query) {
        return reading.list(query);
    }

    @Override
    public Backlog backlog() {
        return store.backlog();
    }

    @Override
    public JobFolds folds() {
        return reading.folds();
    }

    @Override
    public EventStore reserved() {
        return this;
    }

    @Override
    public JobLogs logs() {
        return store.logs();
    }

    @Override
    public long countOpen(String client, int most) {
        return reading.countOpen(client, most);
    }

    @Override
    public List<StatusCount> countByStatus() {
        return reading.countByStatus();
    }

    @Override
    public List<StatusCount> countByStatus(String client, int most) {
        return reading.countByStatus(client, most);
    }

    @Override
    public int removeClosed(Expiry expiry, int limit) {
        return store.removeClosed(expiry, limit);
    }

    @Override
    public Removal remove(JobId job) {
        return store.remove(job);
    }

    @Override
    public List<String> unnamed(List<String> digests, Instant since) {
        return reading.unnamed(digests, since);
    }

    @Override
    public int forgetNames(Instant before, int limit) {
        return store.forgetNames(before, limit);
    }

    @Override
    public void close() {
        store.close();
    }
}
