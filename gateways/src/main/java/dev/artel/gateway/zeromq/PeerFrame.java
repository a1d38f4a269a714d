package dev.artel.gateway.zeromq;

import java.nio.ByteBuffer;
import zmq.Msg;
import zmq.io.Metadata;

/// A frame that knows its connection, and its place in its message.
///
/// The library keeps all frames of a message until its last one is there, and counts messages alone: one that has no end would fill the heap. So the library meets with
/// an end where a message has more frames than any may have, and drops the frames after it.
class PeerFrame extends Msg {
    /// How many frames of a message are kept: one more than a message may have.
    static final int MOST = PushFrames.HEAD + PushFrames.MAX_ATTACHMENTS + 1;

    /// `PING` with its length and how long its sender waits.
    private static final int SHORTEST_COMMAND = 7;

    private final PeerFrames peer;
    private final int place;

    /// Whether it has no way to those who read messages.
    private boolean isDropped;

    private final boolean isCounted;

    /// @param peer where the frame comes from
    PeerFrame(PeerFrames peer, int length) {
        super(length);
        this.peer = peer;
        place = peer.place();
        isDropped = peer.isDropped() || peer.isWithoutIdentity();
        isCounted = !isDropped && place < MOST;
    }

    /// A frame in a buffer that is there.
    PeerFrame(PeerFrames peer, ByteBuffer bytes) {
        super(bytes);
        this.peer = peer;
        place = peer.place();
        isDropped = peer.isDropped() || peer.isWithoutIdentity();
        isCounted = !isDropped && place < MOST;
    }

    PeerFrames peer() {
        return peer;
    }

    /// Whether it waits to be received, unless it is a command.
    boolean isCounted() {
        return isCounted;
    }

    /// How many bytes the peer has announced.
    int length() {
        return super.size();
    }

    /// Whether the peer has announced more of the message.
    boolean isFollowed() {
        return super.hasMore();
    }

    /// Whether it is part of no message.
    boolean isCommandOfPeer() {
        return super.isCommand();
    }

    @Override
    public boolean hasMore() {
        return place < MOST - 1 && super.hasMore();
    }

    /// What the library looks at: a `PING` that is too short for its members fails in it.
    @Override
    public int size() {
        var isShort = super.isCommand() && super.size() < SHORTEST_COMMAND;
        return isShort || isDropped() ? 0 : super.size();
    }

    /// The library drops commands that it does not know.
    @Override
    public boolean isCommand() {
        return isDropped() || super.isCommand();
    }

    private boolean isDropped() {
        return place >= MOST || isDropped;
    }

    /// The frame is complete, and is handed on next.
    @Override
    public Msg setMetadata(Metadata metadata) {
        var address = metadata.get(Metadata.PEER_ADDRESS);
        if (address != null && !peer.isWithoutIdentity()) {
            peer.comesFrom(address);
        }
        isDropped |= peer.isWithoutIdentity();
        return super.setMetadata(metadata);
    }
}
