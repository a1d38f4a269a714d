package dev.artel.gateway.http;

import dev.artel.gateway.shell.WorkerSocket;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.CancelTask;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/// A WebSocket to a worker. Frames leave without waiting; a worker that does not read them is cut off, and reads
/// what it missed in the answers to its heartbeats.
final class JettySocket implements WorkerSocket {
    private static final int MOST_WAITING = 256;
    private static final int TOO_SLOW = 1008;

    private final Session session;
    private final AtomicInteger waiting = new AtomicInteger();

    JettySocket(Session session) {
        this.session = session;
    }

    @Override
    public void push(CancelTask cancel) {
        if (waiting.incrementAndGet() > MOST_WAITING) {
            close(TOO_SLOW, "too many messages wait to be read");
            return;
        }
        var text = new String(JsonText.write(cancel.toJson()), StandardCharsets.UTF_8);
        session.sendText(
                text, Callback.from(waiting::decrementAndGet, _ -> waiting.decrementAndGet()));
    }

    @Override
    public void close(int code, String reason) {
        session.close(code, reason, Callback.NOOP);
    }
}
