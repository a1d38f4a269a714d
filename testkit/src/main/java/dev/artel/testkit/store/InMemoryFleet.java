package dev.artel.testkit.store;

import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.fleet.FleetChange;
import dev.artel.kernel.fleet.WorkerRecord;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Remembers workers as long as it lives.
public final class InMemoryFleet implements Fleet {
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<WorkerId, WorkerRecord> records = new TreeMap<>();

    /// A memory without workers.
    public InMemoryFleet() {}

    @Override
    public List<WorkerRecord> apply(List<FleetChange> changes) {
        return alone(() -> {
            var touched = new LinkedHashSet<WorkerId>();
            for (var change : changes) {
                touched.add(change.worker());
                records.compute(
                        change.worker(),
                        (_, known) ->
                                known == null ? WorkerRecord.begin(change) : known.after(change));
            }
            return touched.stream().map(this::known).toList();
        });
    }

    private WorkerRecord known(WorkerId worker) {
        var record = records.get(worker);
        if (record == null) {
            throw new IllegalStateException("worker " + worker + " was not written");
        }
        return record;
    }

    @Override
    public Optional<WorkerRecord> find(WorkerId worker) {
        return alone(() -> Optional.ofNullable(records.get(worker)));
    }

    @Override
    public List<WorkerRecord> list(Optional<WorkerId> after, int limit) {
        return alone(() -> {
            var left = after.map(name -> records.tailMap(name, false)).orElse(records);
            return left.values().stream().limit(limit).toList();
        });
    }

    @Override
    public int forget(Instant before, int limit) {
        return alone(() -> {
            var old =
                    records.values().stream()
                            .filter(record ->
                                    record.drain().isEmpty() && record.lastSeen().isBefore(before))
                            .limit(limit)
                            .toList();
            old.forEach(record -> records.remove(record.id()));
            return old.size();
        });
    }

    private <T> T alone(Supplier<T> act) {
        lock.lock();
        try {
            return act.get();
        } finally {
            lock.unlock();
        }
    }
}
