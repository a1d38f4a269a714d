package dev.artel.gateway.zeromq;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import zmq.Msg;

/// Where the frames go that are read. The library makes room for a frame when its length has come, which any stranger may send: the larger ones together have a bound, of which a connection has at most
/// half of what others leave. Beyond it they are read to their end into one buffer, where they overwrite each other, and are lost; small ones go on. Strangers have a room of their own: what they
/// announce takes none of workers.
///
/// Those that are larger than a message may be are read to their end as well, so that their sender can be answered: one at a time stays as it is, and one of strangers, the others are lost.
///
/// [#allocate] is called by the thread of the library, the rest by that of the sockets.
final class FrameRoom {
    /// How much larger than a message a frame may be. The end of its connection is the answer to one that is still larger.
    private static final int ABOVE = 24 << 20;

    /// How much larger a frame may be encrypted.
    private static final int ENCRYPTION = 1 << 10;

    /// Up to this size the frames of a message do not count, all together.
    static final int SMALL = 16 << 10;

    private final int most;
    private final Share workers;
    private final Share strangers;
    private final ReferenceQueue<Msg> gone = new ReferenceQueue<>();

    /// Of frames that are not read yet.
    private final Set<HeldBytes> held = new HashSet<>();

    private final Object lock = new Object();
    private @Nullable ByteBuffer overwritten;

    /// @param most how many bytes a message may have
    FrameRoom(int most) {
        this(
                most,
                Math.max(Runtime.getRuntime().maxMemory() / 32 * 3, 4L * most),
                Math.max(Runtime.getRuntime().maxMemory() / 32, 2L * (most + ENCRYPTION)));
    }

    /// @param workers how many bytes all frames of workers have together that are not small
    /// @param strangers those of all others
    FrameRoom(int most, long workers, long strangers) {
        this.most = most;
        this.workers = new Share(workers);
        this.strangers = new Share(strangers);
    }

    /// The room of some connections.
    private static final class Share {
        private final long most;
        private long bytes;
        private @Nullable ByteBuffer kept;

        /// The frame in the buffer; cleared when its connection has ended before it was complete.
        private WeakReference<@Nullable Msg> holder = new WeakReference<>(null);

        Share(long most) {
            this.most = most;
        }
    }

    /// What a connection has of the room.
    static final class Part {
        private final Share share;
        private long bytes;

        private Part(Share share) {
            this.share = share;
        }

        private boolean hasRoom(int length) {
            var ofOthers = share.bytes - bytes;
            return bytes + length <= (share.most - ofOthers) / 2;
        }

        private void take(int length) {
            bytes += length;
            share.bytes += length;
        }
    }

    /// How much a frame counts that is held; its connection may end before it is read.
    private static final class HeldBytes extends PhantomReference<Msg> {
        final Part part;
        final int length;

        HeldBytes(Msg frame, Part part, ReferenceQueue<Msg> gone) {
            super(frame, gone);
            this.part = part;
            length = frame.size();
        }
    }

    private static final class HeldFrame extends PeerFrame {
        final HeldBytes bytes;

        HeldFrame(PeerFrames peer, int length, ReferenceQueue<Msg> gone) {
            super(peer, length);
            bytes = new HeldBytes(this, peer.part(), gone);
        }
    }

    /// A frame whose bytes are those of others.
    private static final class LostFrame extends PeerFrame {
        LostFrame(PeerFrames peer, ByteBuffer bytes) {
            super(peer, bytes);
        }

        @Override
        public byte[] data() {
            return new byte[0];
        }
    }

    /// The largest frame that is read to its end.
    int largest() {
        return (int) Math.min((long) most + ABOVE, Integer.MAX_VALUE - 8L);
    }

    /// Whether a message may have this frame.
    boolean isTooLarge(Msg frame) {
        return frame.size() > most;
    }

    /// What a new connection has of the room, which has shown nothing yet.
    Part ofStranger() {
        return new Part(strangers);
    }

    /// What the connection of a worker has of the room.
    Part ofWorker() {
        return new Part(workers);
    }

    /// Where a frame goes.
    ///
    /// @param length at most [#largest]
    /// @param before how many bytes its message has before it
    PeerFrame allocate(PeerFrames peer, int length, long before) {
        if (before + length <= SMALL) {
            return new PeerFrame(peer, length);
        }
        synchronized (lock) {
            return length <= most ? hold(peer, length) : keep(peer, length);
        }
    }

    /// A frame that is read to its end, and lost.
    PeerFrame lost(PeerFrames peer, int length) {
        synchronized (lock) {
            if (overwritten == null) {
                overwritten = ByteBuffer.allocateDirect(largest());
            }
            return new LostFrame(peer, overwritten.slice(0, length));
        }
    }

    private PeerFrame hold(PeerFrames peer, int length) {
        for (var end = gone.poll(); end != null; end = gone.poll()) {
            release((HeldBytes) end);
        }
        if (!peer.part().hasRoom(length)) {
            return lost(peer, length);
        }
        var frame = new HeldFrame(peer, length, gone);
        held.add(frame.bytes);
        frame.bytes.part.take(length);
        return frame;
    }

    private PeerFrame keep(PeerFrames peer, int length) {
        var share = peer.part().share;
        if (share.holder.get() != null) {
            return lost(peer, length);
        }
        if (share.kept == null) {
            share.kept = ByteBuffer.allocateDirect(largest());
        }
        var frame = new PeerFrame(peer, share.kept.slice(0, length));
        share.holder = new WeakReference<>(frame);
        return frame;
    }

    private void release(HeldBytes bytes) {
        if (held.remove(bytes)) {
            bytes.part.take(-bytes.length);
        }
    }

    /// Whether the bytes of a frame are those of others.
    static boolean isLost(Msg frame) {
        return frame instanceof LostFrame;
    }

    /// The bytes of a frame, which is not used after this.
    byte[] read(Msg frame) {
        if (frame instanceof HeldFrame counted) {
            synchronized (lock) {
                release(counted.bytes);
            }
        }
        return frame.data();
    }

    /// What a frame that is too large begins with. The frame is not used after this.
    byte[] beginning(Msg frame, int longest) {
        var beginning = new byte[Math.min(longest, frame.size())];
        var _ = frame.getBytes(0, beginning, 0, beginning.length);
        synchronized (lock) {
            clear(workers, frame);
            clear(strangers, frame);
        }
        return beginning;
    }

    private static void clear(Share share, Msg frame) {
        if (share.holder.refersTo(frame)) {
            share.holder.clear();
        }
    }
}
