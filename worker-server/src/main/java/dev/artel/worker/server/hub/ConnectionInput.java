package dev.artel.worker.server.hub;

import java.nio.ByteBuffer;

/// The way in of one connection: what the WebSocket server reports to the [WorkerHub].
///
/// Messages arrive one after the other. [#onClosed] and [#onError] may come from another thread at any time. No method
/// of the hub's throws, whatever the peer sent. Handlers of the hub's user run on the thread that reports a message, so that a server
/// that reads on only afterwards slows down a peer that sends too much.
@FunctionalInterface
public interface ConnectionInput {
    /// Whether a message of which `bytes` have arrived may go on. The server asks for each part, and with 0 when a message is over;
    /// it gives up what may not go on, and reports that with [#onTooLarge] at its end.
    default boolean mayGoOn(long bytes) {
        return true;
    }

    /// A whole text message.
    void onText(String text);

    /// A whole binary message. The hub reads it as UTF-8 like a text.
    default void onBinary(ByteBuffer bytes) {}

    /// A pong, with the payload of the ping that it answers.
    default void onPong(ByteBuffer payload) {}

    /// The server gave up a message that is larger than [HubLimits#maxMessageBytes].
    ///
    /// @param beginning as much of it as the server has kept, in UTF-8; may be empty
    default void onTooLarge(ByteBuffer beginning) {}

    /// The transport failed; [#onClosed] follows.
    default void onError(Throwable cause) {}

    /// The connection is closed; nothing follows. Later calls are ignored.
    default void onClosed(int code, String reason) {}
}
