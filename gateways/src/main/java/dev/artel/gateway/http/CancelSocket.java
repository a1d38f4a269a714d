package dev.artel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.gateway.shell.WorkerSocket;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.CancelTask;
import dev.artel.worker.server.hub.WorkerConnection;
import java.util.concurrent.atomic.AtomicInteger;

/// The way out of a WebSocket to a worker. Frames leave without waiting; a worker that does not read them is cut off, and reads what it
/// missed in the answers to its heartbeats. Safe for use by many threads.
final class CancelSocket implements WorkerSocket {
    private static final int MOST_WAITING = 256;
    private static final int TOO_SLOW = 1008;

    private final WorkerConnection connection;
    private final AtomicInteger waiting = new AtomicInteger();

    CancelSocket(WorkerConnection connection) {
        this.connection = connection;
    }

    @Override
    public void push(CancelTask cancel) {
        if (waiting.incrementAndGet() > MOST_WAITING) {
            close(TOO_SLOW, "too many messages wait to be read");
            return;
        }
        connection.sendText(
                new String(JsonText.write(cancel.toJson()), UTF_8),
                waiting::decrementAndGet,
                _ -> waiting.decrementAndGet());
    }

    @Override
    public void close(int code, String reason) {
        connection.close(code, reason);
    }
}
