package dev.artel.gateway.zeromq;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A message on its way to the thread of the sockets.
///
/// @param peer the identity of the worker
/// @param frames without the identity
/// @param onSent receives on the thread of the sockets whether the message has left for its worker, and must not wait; null: it is
///     of no interest, since its loss is made up for
/// @param isToStranger whether nothing shows who the peer is
record OutgoingFrames(
        WirePort port,
        PeerName peer,
        List<byte[]> frames,
        @Nullable Consumer<Boolean> onSent,
        boolean isToStranger) {
    OutgoingFrames {
        frames = List.copyOf(frames);
    }
}
