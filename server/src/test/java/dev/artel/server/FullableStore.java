package dev.artel.server;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.Expiry;
import dev.artel.kernel.store.JobLogs;
import dev.artel.kernel.store.JobPage;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import dev.artel.testkit.store.InMemoryEventStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// A store that has no room while a test says so.
public final class FullableStore implements EventStore {
    private final EventStore store = new InMemoryEventStore();
    private final AtomicInteger reads = new AtomicInteger();
    private volatile boolean full;

    public void full(boolean now) {
        full = now;
    }

    /// How often a job was read from its beginning.
    public int reads() {
        return reads.get();
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        if (full) {
            throw new StoreException.StoreFull("appending: the disk is full", null);
        }
        return store.append(batch);
    }

    @Override
    public List<StoredEvents> read(StreamId stream, long after) {
        return read(stream, after, Integer.MAX_VALUE);
    }

    @Override
    public List<StoredEvents> read(StreamId stream, long after, int limit) {
        if (after == 0) {
            reads.incrementAndGet();
        }
        return store.read(stream, after, limit);
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
    public long lastPosition() {
        return store.lastPosition();
    }

    @Override
    public JobLogs logs() {
        return store.logs();
    }

    @Override
    public OpenJobs open(long after, int limit) {
        return store.open(after, limit);
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
    public long countOpen(String client, int most) {
        return store.countOpen(client, most);
    }

    @Override
    public List<StatusCount> countByStatus() {
        return store.countByStatus();
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
