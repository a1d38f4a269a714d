package dev.artel.worker.server.hub;

import dev.artel.json.JsonObject;
import java.util.concurrent.atomic.AtomicBoolean;

/// A request that a worker has. Its first settlement counts, through the handle or through an event of the worker; safe
/// for use by many threads.
public final class DispatchHandle {
    private final WorkerHub hub;
    private final PooledWorker worker;
    private final JsonObject message;
    private final TrackedRequest request;
    private final AtomicBoolean settled = new AtomicBoolean();

    DispatchHandle(WorkerHub hub, PooledWorker worker, JsonObject message, TrackedRequest request) {
        this.hub = hub;
        this.worker = worker;
        this.message = message;
        this.request = request;
    }

    /// The worker that was selected, with this request among those in work.
    public PooledWorker worker() {
        return worker;
    }

    /// What the worker received.
    public JsonObject message() {
        return message;
    }

    /// The id of the request.
    public String requestId() {
        return request.id;
    }

    /// Releases the request, wherever it is by now, as completed.
    ///
    /// @return false if it was no longer in flight
    public boolean complete() {
        return settle(true);
    }

    /// Releases the request, wherever it is by now, without counting it as completed.
    ///
    /// @return false if it was no longer in flight
    public boolean fail() {
        return settle(false);
    }

    private boolean settle(boolean completed) {
        return settled.compareAndSet(false, true) && hub.settle(request, completed);
    }
}
