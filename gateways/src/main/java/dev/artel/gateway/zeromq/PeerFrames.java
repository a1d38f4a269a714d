package dev.artel.gateway.zeromq;

import org.jspecify.annotations.Nullable;
import zmq.Msg;
import zmq.msg.MsgAllocator;

/// The frames that come over one connection.
///
/// [#know] and [#isKnown] are for any thread, the rest for that of the library.
final class PeerFrames implements MsgAllocator {
    private final FrameRoom room;

    /// Under encryption; there the library makes the frames of messages from those.
    private final @Nullable UnfinishedFrames encrypted;

    /// How many frames come before the first message: `READY`, under encryption `HELLO` and `INITIATE`.
    private int greetings;

    private volatile FrameRoom.Part part;
    private volatile boolean isKnown;
    private @Nullable PeerFrame last;
    private int place;

    /// Of the message that is not at its end, before the frame that comes.
    private long before;

    private PeerFrames(FrameRoom room, @Nullable UnfinishedFrames encrypted) {
        this.room = room;
        this.encrypted = encrypted;
        greetings = encrypted == null ? 1 : 2;
        isKnown = encrypted != null;
        part = isKnown ? room.ofWorker() : room.ofStranger();
    }

    /// Those of a connection that anyone can have.
    static PeerFrames plain(FrameRoom room) {
        return new PeerFrames(room, null);
    }

    /// Those of a connection whose other side has to know the key of the orchestrator, or be known by its own, so that it has the room of workers.
    static PeerFrames encrypted(FrameRoom room, DeliveredFrames delivered) {
        return new PeerFrames(room, new UnfinishedFrames(delivered, 2L * room.largest()));
    }

    FrameRoom.Part part() {
        return part;
    }

    /// Of the frame that comes, in its message.
    int place() {
        return place;
    }

    /// Whether it is the connection of a worker.
    boolean isKnown() {
        return isKnown;
    }

    /// From now on its frames have the room of workers.
    void know() {
        part = room.ofWorker();
        isKnown = true;
    }

    /// The library takes a length from 2^63 on for a negative one, lets it pass as not too large, cuts it to an `int`, fails at the allocation, and then
    /// turns in a circle: a few bytes of a stranger would end the connections of all. Of such a length there is nothing to allocate.
    @Override
    public Msg allocate(int announced) {
        var length = announced < 0 || announced > room.largest() ? 0 : announced;
        if (greetings > 0) {
            greetings--;
            return length > FrameRoom.SMALL ? room.lost(this, length) : new Msg(length);
        }
        if (encrypted != null && !encrypted.add(length)) {
            // No message of CurveZMQ, at which the library ends the connection.
            return new Msg(0);
        }
        goOn();
        var frame =
                place >= PeerFrame.MOST
                        ? room.lost(this, length)
                        : room.allocate(this, length, before);
        last = frame;
        return frame;
    }

    /// The frame before is complete. A command may come between the frames of a message, and is none of them.
    private void goOn() {
        if (encrypted != null || last == null || last.isCommandOfPeer()) {
            return;
        }
        if (last.isFollowed()) {
            place = Math.min(place + 1, PeerFrame.MOST);
            before += last.size();
        } else {
            place = 0;
            before = 0;
        }
    }
}
