package dev.artel.gateway.zeromq;

import zmq.Msg;

/// What a connection begins with, which has its identity.
final class GreetingFrame extends Msg {
    private final PeerFrames peer;
    private boolean isRead;

    GreetingFrame(PeerFrames peer, int length) {
        super(length);
        this.peer = peer;
    }

    /// The library looks at it when it is complete, before it hands the identity on.
    @Override
    public byte get(int index) {
        if (!isRead) {
            isRead = true;
            peer.greets(this);
        }
        return super.get(index);
    }
}
