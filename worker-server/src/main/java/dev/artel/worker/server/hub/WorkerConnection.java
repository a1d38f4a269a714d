package dev.artel.worker.server.hub;

import java.util.function.Consumer;

/// What a WebSocket server gives a [WorkerHub] for each connection: the way out. The way in is the [ConnectionInput] that
/// the hub returns for it.
///
/// - No method waits for the peer.
/// - The hub sends the next message when the one before is reported as sent or failed, so that an implementation holds
///   at most one.
/// - The hub calls from any thread, and never under its lock.
public interface WorkerConnection {
    /// Begins to send a text message. Exactly one of the callbacks follows, on any thread, perhaps before this returns:
    /// `onSent` when the message is handed to the network, `onFailure` when the connection broke.
    ///
    /// @throws RuntimeException if this message was not taken; neither callback follows, and the connection goes on
    void sendText(String text, Runnable onSent, Consumer<Throwable> onFailure);

    /// Begins to send a ping whose payload is `payload`, 1 to 125 ASCII characters, which the pong of the peer repeats.
    /// The callbacks are those of [#sendText].
    void sendPing(String payload, Runnable onSent, Consumer<Throwable> onFailure);

    /// Begins the closing handshake behind what was sent. May be called more than once, and on a connection that is closed.
    void close(int code, String reason);

    /// Ends the transport at once, without a handshake. May be called more than once.
    void terminate();

    /// Whether a message may still be sent.
    boolean isOpen();

    /// The address of the peer, for logs and for those who admit workers.
    String remoteAddress();

    /// With whose connections this one shares what is shared by owners: those of the same token, or, unless that is known, of the same address.
    default String owner() {
        return remoteAddress();
    }
}
