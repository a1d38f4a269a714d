package dev.artel.gateway.zeromq;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import zmq.Msg;
import zmq.msg.MsgAllocator;

/// Where the frames go that are read. Those that are larger than a message may be are read to their end, so that their sender can be answered, into two buffers that are
/// made once: one such frame at a time stays as it is, the others are overwritten by each other. So they cost the same memory however many there are.
///
/// [#allocate] is called by the thread of the library, [#isRead] by that of the sockets.
final class FrameRoom implements MsgAllocator {
    /// How much larger than a message a frame may be. The end of its connection is the answer to one that is still larger.
    private static final int ABOVE = 24 << 20;

    private final int most;
    private final Object lock = new Object();
    private @Nullable ByteBuffer kept;
    private @Nullable ByteBuffer overwritten;

    /// The frame in the first buffer; cleared when its connection has ended before it was complete.
    private WeakReference<@Nullable Msg> holder = new WeakReference<>(null);

    /// @param most how many bytes a message may have
    FrameRoom(int most) {
        this.most = most;
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
        if (length <= most) {
            return new Msg(length);
        }
        synchronized (lock) {
            if (holder.get() == null) {
                if (kept == null) {
                    kept = ByteBuffer.allocateDirect(largest());
                }
                var frame = new Msg(kept.slice(0, length));
                holder = new WeakReference<>(frame);
                return frame;
            }
            if (overwritten == null) {
                overwritten = ByteBuffer.allocateDirect(largest());
            }
            return new LostFrame(overwritten.slice(0, length));
        }
    }

    /// What a frame that is too large begins with; empty if that is lost. The frame is not used after this.
    byte[] isRead(Msg frame, int longest) {
        if (frame instanceof LostFrame) {
            return new byte[0];
        }
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
