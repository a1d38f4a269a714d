package dev.artel.worker.server.hub;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.NavigableMap;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A registered worker. Guarded by the hub's lock; what its place among the candidates depends on changes only in
/// [WorkerPool].
final class PoolEntry {
    final String id;
    final String sessionId;
    final HubConnection connection;
    final Instant connectedAt;
    final SequencedMap<String, TrackedRequest> pending = new LinkedHashMap<>();
    final SequencedMap<String, Integer> activeByCategory = new TreeMap<>();

    /// Those that a pong confirms, by the number of the ping.
    final NavigableMap<Long, TrackedRequest> pinged = new TreeMap<>();

    /// The ids of [#pending], as they are now.
    PendingIds pendingIds = PendingIds.NONE;

    /// How many requests it has had.
    long taken;

    String name;
    WorkerCapabilities capabilities;

    /// For people, by the clock.
    Instant lastHeartbeat;

    /// By the hub's own time.
    Instant heardAt;

    /// Apart from capacity, so that neither overwrites the other.
    boolean unhealthy;

    /// Until when it finishes its work, by the hub's own time; null if it takes more.
    @Nullable Instant drainBy;

    long completed;

    PoolEntry(
            String id,
            String name,
            WorkerCapabilities capabilities,
            String sessionId,
            HubConnection connection,
            Times times) {
        this.id = id;
        this.name = name;
        this.capabilities = capabilities;
        this.sessionId = sessionId;
        this.connection = connection;
        this.connectedAt = times.shown();
        this.lastHeartbeat = times.shown();
        this.heardAt = times.measured();
    }

    /// One moment by both clocks.
    record Times(Instant measured, Instant shown) {}

    int active() {
        return pending.size();
    }

    boolean isFull() {
        return active() >= capabilities.maxConcurrentRequests();
    }

    boolean isCandidate() {
        return !unhealthy && drainBy == null && !isFull();
    }

    PooledWorker.Status status() {
        if (unhealthy) {
            return PooledWorker.Status.UNHEALTHY;
        }
        if (drainBy != null) {
            return PooledWorker.Status.DRAINING;
        }
        return isFull() ? PooledWorker.Status.BUSY : PooledWorker.Status.AVAILABLE;
    }

    boolean hasRoomFor(@Nullable String category) {
        if (category == null) {
            return true;
        }
        var limit = capabilities.limitOf(category);
        return limit.isEmpty() || activeByCategory.getOrDefault(category, 0) < limit.getAsInt();
    }

    /// How many more requests of `category` it takes.
    int slots(@Nullable String category) {
        var free = Math.max(0, capabilities.maxConcurrentRequests() - active());
        if (category == null) {
            return free;
        }
        var limit = capabilities.limitOf(category);
        return limit.isEmpty()
                ? free
                : Math.clamp(
                        (long) limit.getAsInt() - activeByCategory.getOrDefault(category, 0),
                        0,
                        free);
    }

    /// Compares `active / max` of two workers exactly.
    static int compareLoad(PoolEntry one, PoolEntry other) {
        return Long.compare(
                (long) one.active() * other.capabilities.maxConcurrentRequests(),
                (long) other.active() * one.capabilities.maxConcurrentRequests());
    }

    PooledWorker snapshot() {
        return new PooledWorker(
                id,
                name,
                status(),
                capabilities,
                sessionId,
                connectedAt,
                lastHeartbeat,
                new PooledWorker.Requests(active(), completed, pendingIds, activeByCategory));
    }
}
