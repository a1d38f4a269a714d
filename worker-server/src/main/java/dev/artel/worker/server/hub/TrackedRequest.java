package dev.artel.worker.server.hub;

import dev.artel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request in flight: some worker has it, or it waits for another one. Guarded by the hub's lock.
final class TrackedRequest {
    final String id;
    final @Nullable String model;
    final @Nullable String category;
    final @Nullable JsonObject message;

    /// Its message, to be sent again; without text if it is not.
    final Encoded encoded;

    final int maxAttempts;
    final Instant deadline;

    /// Sessions that got it and did not confirm it.
    final Set<String> excludedSessions = new HashSet<>();

    int attempts;

    /// The worker that has it.
    @Nullable PoolEntry owner;

    /// Its number among those that its worker has had.
    long place;

    /// The last worker that had it.
    @Nullable String lastWorker;

    /// Until when the worker confirms it; null if it is confirmed, or needs no confirmation.
    @Nullable Instant acceptBy;

    /// The number of the ping behind it; 0 where the worker confirms by a message.
    long ping;

    TrackedRequest(
            String id,
            @Nullable String model,
            @Nullable String category,
            @Nullable JsonObject message,
            Encoded encoded,
            int maxAttempts,
            Instant deadline) {
        this.id = id;
        this.model = model;
        this.category = category;
        this.message = message;
        this.encoded = encoded;
        this.maxAttempts = maxAttempts;
        this.deadline = deadline;
    }

    /// A message as text.
    record Encoded(@Nullable String text, int bytes) {
        static final Encoded NONE = new Encoded(null, 0);
    }

    /// One that the hub sends.
    static TrackedRequest of(
            DispatchRequest request,
            String id,
            JsonObject message,
            Encoded encoded,
            Instant now,
            HubTimes times) {
        return new TrackedRequest(
                id,
                request.model(),
                request.category(),
                message,
                encoded,
                request.maxAttempts() == null ? times.maxAttempts() : request.maxAttempts(),
                now.plus(
                        request.deadline() == null ? times.requestDeadline() : request.deadline()));
    }

    /// One that the hub sends once: nothing is kept of its message, which may be large and is in flight as long as its worker works on it.
    static TrackedRequest once(DispatchRequest request, String id, Instant now, HubTimes times) {
        return new TrackedRequest(
                id,
                request.model(),
                request.category(),
                null,
                Encoded.NONE,
                1,
                now.plus(
                        request.deadline() == null ? times.requestDeadline() : request.deadline()));
    }

    /// One that its owner sent.
    static TrackedRequest sentByOwner(
            String id, @Nullable String category, Instant now, Duration deadline) {
        return new TrackedRequest(id, null, category, null, Encoded.NONE, 1, now.plus(deadline));
    }

    boolean mayBeDispatchedAgain() {
        return encoded.text() != null && attempts < maxAttempts;
    }

    OrphanedRequest orphaned(OrphanedRequest.Reason reason) {
        return new OrphanedRequest(id, lastWorker, model, category, message, attempts, reason);
    }
}
