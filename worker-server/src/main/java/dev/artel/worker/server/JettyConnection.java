package dev.artel.worker.server;

import dev.artel.worker.server.hub.WorkerConnection;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/// The way out over a WebSocket of Jetty.
final class JettyConnection implements WorkerConnection {
    private static final int MAX_REASON = 123;

    private final Session session;

    JettyConnection(Session session) {
        this.session = session;
    }

    @Override
    public void sendText(String text, Runnable onSent, Consumer<Throwable> onFailure) {
        session.sendText(text, Callback.from(onSent, onFailure));
    }

    @Override
    public void sendPing(String payload, Runnable onSent, Consumer<Throwable> onFailure) {
        session.sendPing(
                ByteBuffer.wrap(payload.getBytes(StandardCharsets.US_ASCII)),
                Callback.from(onSent, onFailure));
    }

    @Override
    public void close(int code, String reason) {
        session.close(code, shortened(reason), Callback.NOOP);
    }

    @Override
    public void terminate() {
        session.disconnect();
    }

    @Override
    public boolean isOpen() {
        return session.isOpen();
    }

    @Override
    public String remoteAddress() {
        return session.getRemoteSocketAddress() instanceof InetSocketAddress address
                ? address.getAddress().getHostAddress() + ":" + address.getPort()
                : String.valueOf(session.getRemoteSocketAddress());
    }

    /// A reason has a bound in bytes, and ends with a whole character.
    private static String shortened(String reason) {
        var end = reason.length();
        while (reason.substring(0, end).getBytes(StandardCharsets.UTF_8).length > MAX_REASON) {
            end = reason.offsetByCodePoints(end, -1);
        }
        return reason.substring(0, end);
    }
}
