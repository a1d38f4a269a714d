package dev.artel.gateway.zeromq;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/// Which connection to a socket has an identity: the one that named it last.
///
/// The library takes the identity from the connection that had it before, and leaves that one without a way for what comes over it: it waits for such a way with the first frame, takes no notice
/// of its end, and is never closed. So what comes over that one is dropped, from the moment at which the other one names itself. For the thread of the library.
final class PeerIdentities {
    private final Map<String, Holder> holders = new HashMap<>();
    private final ReferenceQueue<PeerFrames> gone = new ReferenceQueue<>();

    /// A connection, for as long as the library has it.
    private static final class Holder extends WeakReference<PeerFrames> {
        final String identity;

        Holder(String identity, PeerFrames peer, ReferenceQueue<PeerFrames> gone) {
            super(peer, gone);
            this.identity = identity;
        }
    }

    /// `peer` names itself.
    void take(String identity, PeerFrames peer) {
        for (Reference<? extends PeerFrames> end = gone.poll(); end != null; end = gone.poll()) {
            var _ = holders.remove(((Holder) end).identity, end);
        }
        var before = holders.put(identity, new Holder(identity, peer, gone));
        var other = before == null ? null : before.get();
        if (other != null && other != peer) {
            other.loseIdentity();
        }
    }
}
