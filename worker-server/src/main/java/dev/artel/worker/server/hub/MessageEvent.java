package dev.artel.worker.server.hub;

import dev.artel.json.JsonObject;
import java.util.Optional;

/// An application message of a worker. Safe for use by many threads.
public interface MessageEvent {
    /// Who sent it. Where the connection has no registration, its id is [PooledWorker#UNKNOWN], or the one that the
    /// connection once had.
    PooledWorker worker();

    /// The `type` of the message.
    String type();

    /// The message.
    JsonObject message();

    /// The `requestId` of the message; empty if it has none that is a string.
    Optional<String> requestId();

    /// Releases the request as completed, if the sender is the worker that has it. Only the first settlement by this event
    /// counts.
    ///
    /// @return whether that released a request
    boolean complete();

    /// Releases the request without counting it as completed, if the sender is the worker that has it. Only the first
    /// settlement by this event counts.
    ///
    /// @return whether that released a request
    boolean fail();

    /// Keeps the room in memory of the message beyond the return of its handler, for one that goes on with it on another thread. Large
    /// messages share an eighth of the heap, and others are not read while there is none left.
    ///
    /// @return to be closed when that is done, on any thread
    Hold hold();

    /// What [#hold] returns. To close it twice closes it once.
    interface Hold extends AutoCloseable {
        @Override
        void close();
    }
}
