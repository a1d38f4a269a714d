package dev.artel.gateway.zeromq;

import dev.artel.json.JsonObject;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sends messages to workers. Safe for use by many threads; does not wait.
final class PeerSender {
    private final RouterLoop loop;

    PeerSender(RouterLoop loop) {
        this.loop = loop;
    }

    /// Sends a message whose loss is made up for.
    void send(WirePort port, PeerName peer, String kind, JsonObject body) {
        var _ = send(port, peer, PushFrames.write(kind, body), null);
    }

    /// Sends `frames`.
    ///
    /// @param onSent as in [OutgoingFrames]
    /// @return whether there was room; otherwise `onSent` is not called
    boolean send(
            WirePort port, PeerName peer, List<byte[]> frames, @Nullable Consumer<Boolean> onSent) {
        return loop.send(new OutgoingFrames(port, peer, frames, onSent));
    }

    void reject(WirePort port, PeerName peer, RejectCode code, String message) {
        send(
                port,
                peer,
                "REJECT",
                JsonObject.builder()
                        .put("code", code.name())
                        .put("message", message)
                        .put("retryable", code.isRetryable())
                        .build());
    }

    /// Asks a worker to send READY.
    void reregister(PeerName peer, String reason) {
        send(
                WirePort.REGISTRATION,
                peer,
                "REREGISTER",
                JsonObject.builder().put("reason", reason).build());
    }
}
