package dev.artel.worker.server.hub;

import dev.artel.json.JsonObject;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// A message that came over a connection. Its power to settle is that of the session in which it came.
record ConnectionEvent(
        WorkerHub hub,
        HubConnection connection,
        PooledWorker worker,
        String type,
        JsonObject message,
        MessageRoom room,
        AtomicBoolean settled)
        implements MessageEvent {
    ConnectionEvent(
            WorkerHub hub,
            HubConnection connection,
            PooledWorker worker,
            String type,
            JsonObject message,
            MessageRoom room) {
        this(hub, connection, worker, type, message, room, new AtomicBoolean());
    }

    @Override
    public Optional<String> requestId() {
        return message.string("requestId");
    }

    @Override
    public boolean complete() {
        return settle(true);
    }

    @Override
    public boolean fail() {
        return settle(false);
    }

    @Override
    public Hold hold() {
        return room.hold();
    }

    private boolean settle(boolean completed) {
        var id = requestId();
        return id.isPresent()
                && worker.isRegistered()
                && settled.compareAndSet(false, true)
                && hub.settleFrom(worker.sessionId(), id.get(), completed);
    }
}
