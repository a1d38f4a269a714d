package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import zmq.Msg;
import zmq.io.Metadata;
import zmq.msg.MsgAllocator;

/// The frames that come over one connection.
///
/// [#know], [#isKnown] and [#received] are for any thread, the rest for that of the library.
final class PeerFrames implements MsgAllocator {
    /// How many messages wait to be received from one connection. The library would stop to read from it, and take no notice of its end meanwhile.
    static final int MOST_WAITING = 10_000;

    private static final int MOST_FRAMES = 4 * MOST_WAITING;
    private static final long MOST_BYTES = 16L << 20;

    /// No connection becomes so old that is none of a worker.
    static final Duration OLD = PeerConnections.UNKNOWN.plusSeconds(10);

    /// So long after its greeting an encrypted connection has for its handshake. Those that are held back beyond that would all come at once.
    static final Duration HANDSHAKE = Duration.ofSeconds(5);

    private static final byte[] READY = "\5READY".getBytes(ISO_8859_1);

    /// As ZMTP has it.
    private static final int LONGEST_IDENTITY = 255;

    /// How many bytes of `READY` are read: the library keeps each property that it has for as long as the connection is there, and needs two of them.
    static final int LONGEST_READY = 1_024;

    /// What the library finds out of a connection itself, and takes from the peer all the same: where it comes from, and who it is.
    private static final Set<String> OF_LIBRARY = Set.of(Metadata.PEER_ADDRESS, Metadata.USER_ID);

    private final FrameRoom room;
    private final PeerIdentities identities;
    private final Consumer<String> replaced;
    private final InstantSource clock;

    /// Under encryption: when it is a worker's, unless it has ended.
    private @Nullable Instant known;

    /// Under encryption; there the library makes the frames of messages from those.
    private final @Nullable UnfinishedFrames encrypted;

    /// Under encryption: until when its handshake comes, or not at all.
    private @Nullable Instant handshakeUntil;

    /// How many frames come before the first message: `READY`, under encryption `HELLO` and `INITIATE`.
    private int greetings;

    private volatile FrameRoom.Part part;
    private volatile boolean isKnown;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong waitingFrames = new AtomicLong();
    private final AtomicLong waitingBytes = new AtomicLong();
    private long begun;
    private boolean isDropped;
    private boolean isWithoutIdentity;
    private @Nullable String address;
    private @Nullable PeerFrame last;
    private int place;

    /// Of the message that is not at its end, before the frame that comes.
    private long before;

    private PeerFrames(
            FrameRoom room,
            PeerIdentities identities,
            Consumer<String> replaced,
            @Nullable UnfinishedFrames encrypted,
            InstantSource clock) {
        this.room = room;
        this.identities = identities;
        this.replaced = replaced;
        this.encrypted = encrypted;
        greetings = encrypted == null ? 1 : 2;
        this.clock = clock;
        part = room.ofStranger();
    }

    /// Those of a connection that anyone can have.
    ///
    /// @param replaced receives its address when another one has named itself as it has
    static PeerFrames plain(FrameRoom room, PeerIdentities identities, Consumer<String> replaced) {
        return new PeerFrames(room, identities, replaced, null, InstantSource.system());
    }

    /// Those of an encrypted connection. What its messages say is hidden here; but one that is none of a worker is over after its time, so that what is older has the room of workers.
    static PeerFrames encrypted(FrameRoom room, DeliveredFrames delivered, InstantSource clock) {
        return new PeerFrames(
                room,
                new PeerIdentities(),
                _ -> {},
                new UnfinishedFrames(delivered, 2L * room.largest()),
                clock);
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
            known = clock.instant().plus(OLD);
            return greeting(length);
        }
        if (encrypted != null) {
            if (!encrypted.add(length)) {
                // No message of CurveZMQ, at which the library ends the connection.
                return new Msg(0);
            }
            if (!isKnown && known != null && !clock.instant().isBefore(known)) {
                know();
            }
        }
        goOn();
        var isLost = (isDropped || isWithoutIdentity) && length > FrameRoom.SMALL;
        var frame =
                place >= PeerFrame.MOST || isLost
                        ? room.lost(this, length)
                        : room.allocate(this, length, before);
        last = frame;
        if (frame.isCounted()) {
            waits(1, frame.length());
        }
        return frame;
    }

    /// The peer has greeted.
    void greeted() {
        if (encrypted != null) {
            handshakeUntil = clock.instant().plus(HANDSHAKE);
        }
    }

    private boolean isLate() {
        return handshakeUntil != null && clock.instant().isAfter(handshakeUntil);
    }

    private Msg greeting(int length) {
        if (isLate()) {
            // No command of CurveZMQ, at which the library ends the connection.
            return new Msg(0);
        }
        if (encrypted != null) {
            return length > FrameRoom.SMALL ? room.lost(this, length) : new Msg(length);
        }
        // Of nothing the library makes no greeting, and ends the connection.
        return new GreetingFrame(this, length > LONGEST_READY ? 0 : length);
    }

    /// Its first frame is complete.
    void greets(Msg frame) {
        var bytes = frame.buf();
        if (frame.size() < READY.length || !startsWithReady(bytes)) {
            return;
        }
        var identity = new byte[1][];
        var isForged = new boolean[1];
        var result =
                new Metadata()
                        .read(
                                bytes,
                                READY.length,
                                (name, value, _) -> {
                                    if (name.equals(Metadata.IDENTITY)) {
                                        identity[0] = value;
                                    }
                                    isForged[0] |= OF_LIBRARY.contains(name);
                                    return 0;
                                });
        isWithoutIdentity |= isForged[0];
        if (result != 0 || identity[0] == null || identity[0].length == 0) {
            return;
        }
        if (identity[0].length > LONGEST_IDENTITY) {
            isWithoutIdentity = true;
            return;
        }
        identities.take(new String(identity[0], ISO_8859_1), this);
    }

    private static boolean startsWithReady(ByteBuffer bytes) {
        for (var at = 0; at < READY.length; at++) {
            if (bytes.get(at) != READY[at]) {
                return false;
            }
        }
        return true;
    }

    /// The peer speaks a version of ZMTP that has no `READY`, so that the orchestrator does not know its identity in time.
    void isOld() {
        greetings = 0;
        isWithoutIdentity = true;
    }

    /// Another connection has named itself as this one has. What comes over this one from now on is dropped.
    void loseIdentity() {
        isWithoutIdentity = true;
        if (address != null) {
            replaced.accept(address);
        }
    }

    /// Where it comes from.
    void comesFrom(String peer) {
        address = peer;
    }

    /// Whether the message of the frame that comes is dropped: it has no way to those who read it, or too many wait.
    boolean isDropped() {
        return isDropped;
    }

    /// Whether nothing that comes over the connection has a way to those who read it.
    boolean isWithoutIdentity() {
        return isWithoutIdentity;
    }

    /// A message was received, or what is left of it.
    ///
    /// @param frames those of it that have come over this connection
    /// @param bytes of them
    void received(int frames, long bytes) {
        received.incrementAndGet();
        waits(-frames, -bytes);
    }

    private void waits(int frames, long bytes) {
        waitingFrames.addAndGet(frames);
        waitingBytes.addAndGet(bytes);
    }

    private boolean isFull() {
        return begun - received.get() >= MOST_WAITING
                || waitingFrames.get() >= MOST_FRAMES
                || waitingBytes.get() >= MOST_BYTES;
    }

    /// The frame before is complete. A command may come between the frames of a message, and is none of them.
    private void goOn() {
        if (encrypted != null) {
            return;
        }
        if (last != null && last.isCommandOfPeer()) {
            if (last.isCounted()) {
                waits(-1, -last.length());
            }
            return;
        }
        if (last != null && last.isFollowed()) {
            place = Math.min(place + 1, PeerFrame.MOST);
            before += last.size();
        } else {
            place = 0;
            before = 0;
            isDropped = isFull();
            begun += isDropped ? 0 : 1;
        }
    }
}
