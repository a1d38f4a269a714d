package dev.artel.server;

import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import dev.artel.testkit.store.ForwardingEventStore;
import dev.artel.testkit.store.InMemoryEventStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A store that has no room while a test sets it so.
public final class FullableStore extends ForwardingEventStore {
    private final AtomicInteger reads = new AtomicInteger();
    private volatile boolean full;

    public FullableStore() {
        super(new InMemoryEventStore());
    }

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
        return super.append(batch);
    }

    @Override
    public List<StoredEvents> read(StreamId stream, long after) {
        count(after);
        return super.read(stream, after);
    }

    @Override
    public List<StoredEvents> read(StreamId stream, long after, int limit) {
        count(after);
        return super.read(stream, after, limit);
    }

    @Override
    public EventPage page(StreamId stream, long after, int limit, long bytes) {
        count(after);
        return super.page(stream, after, limit, bytes);
    }

    private void count(long after) {
        if (after == 0) {
            reads.incrementAndGet();
        }
    }
}
