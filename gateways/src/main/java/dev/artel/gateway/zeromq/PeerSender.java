package dev.artel.gateway.zeromq;

import dev.artel.json.JsonObject;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sends messages to workers. Safe for use by many threads; does not wait.
final class PeerSender {
    private final RouterLoop loop;
    private final WorkerLinks links;

    PeerSender(RouterLoop loop, WorkerLinks links) {
        this.loop = loop;
        this.links = links;
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
        return loop.send(new OutgoingFrames(port, peer, frames, onSent, false));
    }

    /// Sends what any stranger can have sent to it, whose loss is made up for. If the peer has no session, it takes no room of workers.
    void refuse(WirePort port, PeerName peer, List<byte[]> frames) {
        var isToStranger = links.find(peer) == null;
        var _ = loop.send(new OutgoingFrames(port, peer, frames, null, isToStranger));
    }

    private void refuse(WirePort port, PeerName peer, String kind, JsonObject body) {
        refuse(port, peer, PushFrames.write(kind, body));
    }

    void reject(WirePort port, PeerName peer, RejectCode code, String message) {
        refuse(
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
        refuse(
                WirePort.REGISTRATION,
                peer,
                "REREGISTER",
                JsonObject.builder().put("reason", reason).build());
    }
}
