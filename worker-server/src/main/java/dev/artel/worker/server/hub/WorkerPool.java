package dev.artel.worker.server.hub;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The registered workers and the requests that they have: plain state, without time, threads or I/O. Guarded by the hub's
/// lock. `active` of a worker is the number of its pending requests at every moment, and each request has one owner at most.
final class WorkerPool {
    private static final Comparator<PoolEntry> LEAST_LOADED =
            ((Comparator<PoolEntry>) PoolEntry::compareLoad).thenComparing(worker -> worker.id);

    private final ModelMatch match;

    /// In the order of their registrations.
    private final SequencedMap<String, PoolEntry> workers = new LinkedHashMap<>();

    private final Map<String, TrackedRequest> requests = new HashMap<>();

    /// Those that take requests, the least loaded first: dispatch looks no further than the first that fits.
    private final NavigableSet<PoolEntry> candidates = new TreeSet<>(LEAST_LOADED);

    /// How many bytes workers may declare together, and how many they do.
    private final long room;

    private long declared;

    /// @param room about how many bytes all workers may declare
    WorkerPool(ModelMatch match, long room) {
        this.room = room;
        this.match = match;
    }

    Collection<PoolEntry> workers() {
        return workers.values();
    }

    @Nullable PoolEntry worker(String id) {
        return workers.get(id);
    }

    Collection<TrackedRequest> requests() {
        return requests.values();
    }

    @Nullable TrackedRequest request(String id) {
        return requests.get(id);
    }

    /// Whether there is memory for what a worker declares: there always is for no more than it has declared before.
    ///
    /// @param present what there is of it; null: nothing
    boolean hasRoom(WorkerCapabilities capabilities, @Nullable PoolEntry present) {
        var before = present == null ? 0 : present.capabilities.weight();
        var after = capabilities.weight();
        return after <= before || declared - before + after <= room;
    }

    void add(PoolEntry worker) {
        workers.put(worker.id, worker);
        declared += worker.capabilities.weight();
        place(worker);
    }

    /// Takes `worker` out. The requests that it had are left without an owner, and stay in flight until they are
    /// dropped.
    List<TrackedRequest> remove(PoolEntry worker) {
        candidates.remove(worker);
        if (workers.remove(worker.id, worker)) {
            declared -= worker.capabilities.weight();
        }
        var left = new ArrayList<>(worker.pending.values());
        left.forEach(request -> request.owner = null);
        worker.pending.clear();
        worker.pendingIds = PendingIds.NONE;
        worker.pinged.clear();
        worker.activeByCategory.clear();
        return left;
    }

    void update(PoolEntry worker, String name, WorkerCapabilities capabilities) {
        change(
                worker,
                () -> {
                    worker.name = name;
                    declared += capabilities.weight() - worker.capabilities.weight();
                    worker.capabilities = capabilities;
                });
    }

    void heard(PoolEntry worker, PoolEntry.Times now) {
        change(
                worker,
                () -> {
                    worker.unhealthy = false;
                    worker.heardAt = now.measured();
                    worker.lastHeartbeat = now.shown();
                });
    }

    void markUnhealthy(PoolEntry worker) {
        change(worker, () -> worker.unhealthy = true);
    }

    void drain(PoolEntry worker, Instant by) {
        change(worker, () -> worker.drainBy = by);
    }

    /// Gives `request` to `worker`, which has room for it.
    void assign(TrackedRequest request, PoolEntry worker) {
        requests.put(request.id, request);
        change(
                worker,
                () -> {
                    worker.pending.put(request.id, request);
                    request.place = ++worker.taken;
                    worker.pendingIds = worker.pendingIds.with(request.place, request.id);
                    if (request.category != null) {
                        worker.activeByCategory.merge(request.category, 1, Integer::sum);
                    }
                });
        request.owner = worker;
        request.lastWorker = worker.id;
    }

    /// Takes `request` from the worker that has it, if one does; it stays in flight.
    void unassign(TrackedRequest request) {
        var worker = request.owner;
        if (worker == null) {
            return;
        }
        request.owner = null;
        request.acceptBy = null;
        change(
                worker,
                () -> {
                    worker.pending.remove(request.id);
                    worker.pendingIds = worker.pendingIds.without(request.place);
                    worker.pinged.remove(request.ping);
                    if (request.category != null) {
                        worker.activeByCategory.computeIfPresent(
                                request.category, (_, count) -> count > 1 ? count - 1 : null);
                    }
                });
    }

    /// Whether `request` is in flight: it may have ended, and another one may have its id.
    boolean isInFlight(TrackedRequest request) {
        return requests.get(request.id) == request;
    }

    /// Ends `request`.
    void drop(TrackedRequest request) {
        unassign(request);
        requests.remove(request.id, request);
    }

    /// Keeps `request` in flight without a worker.
    void keep(TrackedRequest request) {
        requests.put(request.id, request);
    }

    /// The least loaded worker that takes a request, the smallest id among equals.
    @Nullable PoolEntry candidate(
            @Nullable String model, @Nullable String category, Set<String> excludedSessions) {
        for (var worker : candidates) {
            if (!excludedSessions.contains(worker.sessionId)
                    && fits(worker, model, category)
                    && worker.connection.canSend()) {
                return worker;
            }
        }
        return null;
    }

    /// The candidates in the order in which they are asked.
    List<PoolEntry> candidates(String model, @Nullable String category) {
        return candidates.stream().filter(worker -> fits(worker, model, category)).toList();
    }

    boolean hasCandidates() {
        return !candidates.isEmpty();
    }

    int slots(String model, @Nullable String category) {
        return candidates.stream()
                .filter(worker -> match.matches(worker.capabilities, model))
                .mapToInt(worker -> worker.slots(category))
                .sum();
    }

    Stream<PooledWorker> snapshots() {
        return workers.values().stream().map(PoolEntry::snapshot);
    }

    private boolean fits(PoolEntry worker, @Nullable String model, @Nullable String category) {
        return (model == null || match.matches(worker.capabilities, model))
                && worker.hasRoomFor(category);
    }

    /// The place among the candidates depends on what changes.
    private void change(PoolEntry worker, Runnable change) {
        candidates.remove(worker);
        change.run();
        place(worker);
    }

    private void place(PoolEntry worker) {
        if (worker.isCandidate() && workers.get(worker.id) == worker) {
            candidates.add(worker);
        }
    }
}
