package dev.artel.backup;

import dev.artel.kernel.store.ObjectStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Large values, and which of them were put since the last question: one that an event names was put before the event was
/// committed.
public final class NotedValues implements ObjectStore {
    /// So many are noted; who does not ask in time has to compare all of them.
    private static final int MOST = 100_000;

    private final ObjectStore values;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> put = new LinkedHashSet<>();
    private boolean hasForgotten;

    /// Those of `values`.
    public NotedValues(ObjectStore values) {
        this.values = values;
    }

    /// What was put since the last call; empty if that is not known, and all have to be compared.
    Optional<List<String>> drain() {
        lock.lock();
        try {
            var drained = hasForgotten ? Optional.<List<String>>empty() : Optional.of(copy());
            hasForgotten = false;
            put.clear();
            return drained;
        } finally {
            lock.unlock();
        }
    }

    private List<String> copy() {
        return new ArrayList<>(put);
    }

    @Override
    public void put(String digest, long bytes, Supplier<Bytes> content) {
        values.put(digest, bytes, content);
        lock.lock();
        try {
            if (put.size() < MOST) {
                put.add(digest);
            } else {
                hasForgotten = true;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<Bytes> open(String digest) {
        return values.open(digest);
    }

    @Override
    public Optional<Bytes> open(String digest, long from, int bytes) {
        return values.open(digest, from, bytes);
    }

    @Override
    public Optional<Kept> find(String digest) {
        return values.find(digest);
    }

    @Override
    public boolean remove(String digest, Instant before) {
        return values.remove(digest, before);
    }

    @Override
    public List<Kept> list(String after, int limit) {
        return values.list(after, limit);
    }

    @Override
    public String place() {
        return values.place();
    }

    @Override
    public void close() {
        values.close();
    }
}
