package dev.artel.gateway.zeromq;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import zmq.Msg;
import zmq.msg.MsgAllocator;

/// Where the frames go that are read. The library makes room for a frame when its length has come, which any stranger may send: the larger ones together have a bound. Beyond it they are read
/// to their end into one buffer, where they overwrite each other, and are lost; small ones go on.
///
/// Those that are larger than a message may be are read to their end as well, so that their sender can be answered: one at a time stays as it is, the others are lost.
///
/// [#allocate] is called by the thread of the library, the rest by that of the sockets.
final class FrameRoom implements MsgAllocator {
    /// How much larger than a message a frame may be. The end of its connection is the answer to one that is still larger.
    private static final int ABOVE = 24 << 20;

    /// Up to this size frames do not count.
    private static final int SMALL = 16 << 10;

    private final int most;
    private final long budget;
    private final ReferenceQueue<Msg> gone = new ReferenceQueue<>();

    /// Of frames that are not read yet.
    private final Set<HeldBytes> held = new HashSet<>();

    private long heldBytes;
    private final Object lock = new Object();
    private @Nullable ByteBuffer kept;
    private @Nullable ByteBuffer overwritten;

    /// The frame in the first buffer; cleared when its connection has ended before it was complete.
    private WeakReference<@Nullable Msg> holder = new WeakReference<>(null);

    /// @param most how many bytes a message may have
    FrameRoom(int most) {
        this(most, Math.max(Runtime.getRuntime().maxMemory() / 8, 4L * most));
    }

    /// @param budget how many bytes all frames have together that are not small
    FrameRoom(int most, long budget) {
        this.most = most;
        this.budget = budget;
    }

    /// How much a frame counts that is held; its connection may end before it is read.
    private static final class HeldBytes extends PhantomReference<Msg> {
        final int length;

        HeldBytes(Msg frame, ReferenceQueue<Msg> gone) {
            super(frame, gone);
            length = frame.size();
        }
    }

    private static final class HeldFrame extends Msg {
        final HeldBytes bytes;

        HeldFrame(int length, ReferenceQueue<Msg> gone) {
            super(length);
            bytes = new HeldBytes(this, gone);
        }
    }

    /// A frame whose bytes are those of others.
    private static final class LostFrame extends Msg {
        LostFrame(ByteBuffer bytes) {
            super(bytes);
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

    /// The library takes a length from 2^63 on for a negative one, lets it pass as not too large, cuts it to an `int`, fails at the allocation, and then
    /// turns in a circle: a few bytes of a stranger would end the connections of all. Of such a length there is nothing to allocate.
    @Override
    public Msg allocate(int length) {
        if (length < 0 || length > largest()) {
            return new Msg(0);
        }
        if (length <= SMALL) {
            return new Msg(length);
        }
        synchronized (lock) {
            if (length <= most) {
                return hasRoom(length) ? hold(length) : lost(length);
            }
            if (holder.get() == null) {
                if (kept == null) {
                    kept = ByteBuffer.allocateDirect(largest());
                }
                var frame = new Msg(kept.slice(0, length));
                holder = new WeakReference<>(frame);
                return frame;
            }
            return lost(length);
        }
    }

    private boolean hasRoom(int length) {
        for (var end = gone.poll(); end != null; end = gone.poll()) {
            release((HeldBytes) end);
        }
        return heldBytes + length <= budget;
    }

    private Msg hold(int length) {
        var frame = new HeldFrame(length, gone);
        held.add(frame.bytes);
        heldBytes += length;
        return frame;
    }

    private void release(HeldBytes bytes) {
        if (held.remove(bytes)) {
            heldBytes -= bytes.length;
        }
    }

    private Msg lost(int length) {
        if (overwritten == null) {
            overwritten = ByteBuffer.allocateDirect(largest());
        }
        return new LostFrame(overwritten.slice(0, length));
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
            if (holder.refersTo(frame)) {
                holder.clear();
            }
        }
        return beginning;
    }
}
