package dev.artel.testkit.store;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.fleet.FleetChange;
import dev.artel.kernel.fleet.Registration;
import dev.artel.kernel.fleet.Reputation;
import dev.artel.kernel.fleet.WorkerRecord;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Remembers workers as long as it lives.
public final class InMemoryFleet implements Fleet {
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<WorkerId, WorkerRecord> records = new TreeMap<>();

    private final Map<WorkerId, JsonObject> registered = new HashMap<>();

    /// A memory without workers.
    public InMemoryFleet() {}

    @Override
    public List<WorkerRecord> apply(List<FleetChange> changes) {
        return alone(() -> {
            var touched = new LinkedHashSet<WorkerId>();
            for (var change : changes) {
                touched.add(change.worker());
                if (change instanceof FleetChange.Registered(var worker, var words, var _)) {
                    registered.put(worker, words);
                }
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
    public List<Registration> registrations(int limit) {
        return alone(() -> newest().limit(limit).toList());
    }

    private Stream<Registration> newest() {
        return registered(
                Comparator.comparing(WorkerRecord::lastSeen)
                        .reversed()
                        .thenComparing(WorkerRecord::id));
    }

    private Stream<Registration> registered(Comparator<WorkerRecord> order) {
        return records.values().stream()
                .sorted(order)
                .flatMap(record ->
                        Optional.ofNullable(registered.get(record.id()))
                                .map(words -> new Registration(record.id(), words))
                                .stream());
    }

    @Override
    public int forgetRegistrations(Set<WorkerId> needed, int most, long characters) {
        return alone(() -> {
            var kept = new LinkedHashSet<WorkerId>();
            var total = 0L;
            var best =
                    Comparator.comparing((WorkerRecord record) -> !needed.contains(record.id()))
                            .thenComparing(record -> record.reputation().equals(Reputation.NEW))
                            .thenComparing(Comparator.comparing(WorkerRecord::lastSeen).reversed())
                            .thenComparing(WorkerRecord::id);
            for (var registration : registered(best).toList()) {
                total += registration.words().toString().length();
                if (kept.size() < most && total <= characters) {
                    kept.add(registration.worker());
                }
            }
            var before = registered.size();
            registered
                    .keySet()
                    .removeIf(worker -> !needed.contains(worker) && !kept.contains(worker));
            return before - registered.size();
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
            old.forEach(record -> {
                records.remove(record.id());
                registered.remove(record.id());
            });
            return old.size();
        });
    }

    @Override
    public int forget(List<WorkerRecord> those) {
        return alone(() -> {
            var forgotten = 0;
            for (var record : those) {
                if (record.drain().isEmpty() && records.remove(record.id(), record)) {
                    registered.remove(record.id());
                    forgotten++;
                }
            }
            return forgotten;
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
