package dev.artel.worker.server;

import java.nio.ByteBuffer;
import org.eclipse.jetty.websocket.api.Callback;
import org.jspecify.annotations.Nullable;

/// Answers the pings of a peer, one at a time: what comes while a pong has not left is answered with the newest alone, so that a peer
/// that does not read keeps two of them (RFC 6455, section 5.5.3). Safe for use by many threads.
final class Pongs {
    private final Way way;
    private boolean isSending;
    private @Nullable ByteBuffer newest;

    /// Sends a pong without waiting; the callback succeeds when it has left.
    interface Way {
        void send(ByteBuffer payload, Callback sent);
    }

    Pongs(Way way) {
        this.way = way;
    }

    /// @param payload of the ping; it is copied
    void answer(ByteBuffer payload) {
        var pong = ByteBuffer.allocate(payload.remaining()).put(payload.duplicate()).flip();
        synchronized (this) {
            if (isSending) {
                newest = pong;
                return;
            }
            isSending = true;
        }
        send(pong);
    }

    /// After a failure nothing more is sent: the connection is broken, which is reported otherwise.
    private void send(ByteBuffer pong) {
        way.send(pong, Callback.from(this::sent, _ -> {}));
    }

    private void sent() {
        ByteBuffer next;
        synchronized (this) {
            next = newest;
            newest = null;
            isSending = next != null;
        }
        if (next != null) {
            send(next);
        }
    }
}
