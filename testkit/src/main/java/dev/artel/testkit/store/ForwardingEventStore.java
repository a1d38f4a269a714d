package dev.artel.testkit.store;

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
import dev.artel.kernel.store.StoreWatch;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A store that passes every call on to another; a test overrides what it counts, holds or lets fail. [#reserved] returns this store, so that
/// reads over the reserved connections pass through the overridden methods as well. Safe for use by many threads if the other store is.
public abstract class ForwardingEventStore implements EventStore {
    private final EventStore store;

    /// @param store answers the calls, and is closed with this one
    protected ForwardingEventStore(EventStore store) {
        this.store = store;
    }

    @Override
    public EventStore reserved() {
        return this;
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        return store.append(batch);
    }

    @Override
    public List<StoredEvents> read(StreamId stream, long after) {
        return store.read(stream, after);
    }

    @Override
    public List<StoredEvents> read(StreamId stream, long after, int limit) {
        return store.read(stream, after, limit);
    }

    @Override
    public EventPage page(StreamId stream, long after, int limit, long bytes) {
        return store.page(stream, after, limit, bytes);
    }

    @Override
    public long versionAt(StreamId stream, long position) {
        return store.versionAt(stream, position);
    }

    @Override
    public List<Committed> committedAfter(long position, int limit) {
        return store.committedAfter(position, limit);
    }

    @Override
    public boolean readCommitted(
            long position, int limit, long bytes, Predicate<Committed> reader) {
        return store.readCommitted(position, limit, bytes, reader);
    }

    @Override
    public long lastPosition() {
        return store.lastPosition();
    }

    @Override
    public OpenJobs open(long after, int limit) {
        return store.open(after, limit);
    }

    @Override
    public OpenTails openTails(long after, int limit, long bytes) {
        return store.openTails(after, limit, bytes);
    }

    @Override
    public Optional<JobRow> find(JobId job) {
        return store.find(job);
    }

    @Override
    public JobPage list(JobQuery query) {
        return store.list(query);
    }

    @Override
    public Backlog backlog() {
        return store.backlog();
    }

    @Override
    public JobFolds folds() {
        return store.folds();
    }

    @Override
    public void setWatch(StoreWatch watch) {
        store.setWatch(watch);
    }

    @Override
    public JobLogs logs() {
        return store.logs();
    }

    @Override
    public long countOpen(String client, int most) {
        return store.countOpen(client, most);
    }

    @Override
    public List<StatusCount> countByStatus() {
        return store.countByStatus();
    }

    @Override
    public List<StatusCount> countByStatus(String client, int most) {
        return store.countByStatus(client, most);
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
        return store.unnamed(digests, since);
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
