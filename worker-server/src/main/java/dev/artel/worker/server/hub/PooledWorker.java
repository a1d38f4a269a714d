package dev.artel.worker.server.hub;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A worker as the hub knew it at one moment. Immutable; a later moment is another one.
///
/// @param id its id
/// @param name its name, for people
/// @param status whether it takes requests
/// @param capabilities what it can do
/// @param sessionId of its registration; empty for a peer that is not registered
/// @param connectedAt when it registered
/// @param lastHeartbeat when its last heartbeat came, or its registration
/// @param requests what it has in work
public record PooledWorker(
        String id,
        String name,
        Status status,
        WorkerCapabilities capabilities,
        String sessionId,
        Instant connectedAt,
        Instant lastHeartbeat,
        Requests requests) {
    /// The id of peers that never registered.
    public static final String UNKNOWN = "unknown";

    /// Whether a worker takes requests. The hub keeps its health and its load apart, so that neither overwrites the other;
    /// this is the one that counts.
    public enum Status {
        /// It takes more.
        AVAILABLE,
        /// It has as many as it may have.
        BUSY,
        /// No heartbeat came within the timeout, or it did not confirm a request in time. The next heartbeat ends that.
        UNHEALTHY,
        /// It finishes what it has and takes nothing more.
        DRAINING
    }

    /// What a worker has in work.
    ///
    /// @param active how many requests
    /// @param completed how many it has completed in this session
    /// @param pendingIds their ids, oldest first
    /// @param activeByCategory how many of each category; categories without one are not listed
    public record Requests(
            int active,
            long completed,
            List<String> pendingIds,
            SequencedMap<String, Integer> activeByCategory) {
        /// Nothing.
        public static final Requests NONE = new Requests(0, 0, List.of(), new LinkedHashMap<>());

        /// Copies its collections, unless they never change.
        public Requests {
            pendingIds =
                    pendingIds instanceof PendingIds unchanging
                            ? unchanging
                            : List.copyOf(pendingIds);
            activeByCategory =
                    Collections.unmodifiableSequencedMap(new LinkedHashMap<>(activeByCategory));
        }
    }

    /// Stands for a peer that is not registered. `id` is [#UNKNOWN], or the id that it once had.
    static PooledWorker unregistered(String id) {
        return new PooledWorker(
                id,
                UNKNOWN,
                Status.UNHEALTHY,
                WorkerCapabilities.NONE,
                "",
                Instant.EPOCH,
                Instant.EPOCH,
                Requests.NONE);
    }

    /// Whether a worker was registered under this.
    public boolean isRegistered() {
        return !sessionId.isEmpty();
    }
}
