package dev.artel.gateway.zeromq;

import dev.artel.log.LinesAMinute;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import zmq.Msg;

/// How much waits to be sent: in the outbox, and in the library until the network has taken it. A peer that does not read has its next messages dropped once
/// what waits for it is too much; all peers have a bound together, beyond which those for which nothing or little waits still get small messages. Safe for use by many threads; does not wait.
///
/// A small message waits no more when the library begins to write it: of one connection at most one is then in its buffers. A large one waits until the library asks for what is
/// behind it, which it does when the network has taken the message, or what it was encrypted to: a frame that is never sent, and so found by its reader, follows the message.
final class SendRoom {
    private static final Logger LOG = LoggerFactory.getLogger(SendRoom.class);

    /// What a message takes beside the bytes of its frames: the objects of its frames, with their identity.
    static final int PER_MESSAGE = 1_000;

    /// Up to this weight a message is small.
    static final int SMALL = 16 << 10;

    /// The most that waits for one peer, in bytes, unless a single message is larger.
    private static final long MOST_OF_A_PEER = 64L << 20;

    /// A peer has at most one part in so many of what there is for all.
    private static final int PARTS = 4;

    /// What there is for all strangers is one part in so many of what there is for all workers.
    private static final int PARTS_OF_STRANGERS = 16;

    /// How many lines of the log are warnings in a minute. Any stranger can have one written.
    private static final int MOST_WARNINGS = 20;

    private static final byte[] NOTHING = {};
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final long budget;
    private final long budgetOfAPeer;
    private final ReferenceQueue<Msg> gone = new ReferenceQueue<>();

    /// Peers for which something waits.
    private final Map<PeerName, Unread> peers = new HashMap<>();

    private long bytes;
    private final LinesAMinute warnings = new LinesAMinute(MOST_WARNINGS);

    /// @param most how many bytes a message may have
    SendRoom(int most) {
        this(most, Math.max(Runtime.getRuntime().maxMemory() / 16, 4L * most));
    }

    /// A small room for peers without a session, so that messages to them take no room of workers.
    SendRoom forStrangers() {
        return new SendRoom(SMALL, budget / PARTS_OF_STRANGERS);
    }

    /// @param budget how many bytes wait for all peers together
    SendRoom(int most, long budget) {
        this.budget = budget;
        this.budgetOfAPeer = Math.max(most, Math.min(MOST_OF_A_PEER, budget / PARTS));
    }

    /// What waits for one peer.
    private static final class Unread {
        final Set<Waiting> messages = new HashSet<>();
        long bytes;
        long dropped;
        boolean isReported;
        long reported;
    }

    /// How much a message weighs that waits. The room is locked where this is looked at.
    private static final class Waiting extends PhantomReference<Msg> {
        final PeerName peer;
        final WirePort port;
        final long weight;

        /// Whether the library has it.
        boolean isHandedOver;

        /// Whether the library writes it, or has written it.
        boolean isBegun;

        /// Whether a frame behind it shows when it is written.
        boolean isFollowed;

        Waiting(
                Msg frame,
                ReferenceQueue<Msg> gone,
                OutgoingFrames message,
                long weight,
                boolean isFollowed) {
            super(frame, gone);
            this.peer = message.peer();
            this.port = message.port();
            this.weight = weight;
            this.isFollowed = isFollowed;
        }
    }

    /// The last frame of a message. The library asks for its bytes once, when it begins to write or encrypts it: those before it are written by then.
    final class LastFrame extends Msg {
        private final @Nullable Behind behind;
        private final Waiting its;

        private LastFrame(byte[] bytes, OutgoingFrames message, long weight) {
            super(bytes);
            behind = weight > SMALL ? new Behind(message, weight) : null;
            its = behind == null ? new Waiting(this, gone, message, weight, false) : behind.its;
        }

        /// From now on the message ends with its connection.
        ///
        /// @return what has to be sent behind the message, by itself; null if nothing
        @Nullable Msg handOver() {
            synchronized (SendRoom.this) {
                its.isHandedOver = true;
            }
            return behind;
        }

        /// What has to be sent behind the message was not: the message waits no more when the library begins to write it.
        void isAlone() {
            synchronized (SendRoom.this) {
                its.isFollowed = false;
                if (its.isBegun) {
                    release(its);
                }
            }
        }

        /// The message is not sent.
        void leave() {
            release(its);
        }

        private void begin() {
            synchronized (SendRoom.this) {
                its.isBegun = true;
                if (!its.isFollowed) {
                    release(its);
                }
            }
        }

        @Override
        public ByteBuffer buf() {
            begin();
            return super.buf();
        }

        @Override
        public void transfer(ByteBuffer to, int from, int length) {
            begin();
            super.transfer(to, from, length);
        }
    }

    /// What the library reads behind a message. By its flags it passes it over and does not count it, but looks at its bytes.
    private final class Behind extends Msg {
        private final Waiting its;

        Behind(OutgoingFrames message, long weight) {
            super(NOTHING);
            setFlags(CREDENTIAL | IDENTITY);
            its = new Waiting(this, gone, message, weight, true);
        }

        @Override
        public byte[] data() {
            release(its);
            return NOTHING;
        }
    }

    /// Takes room for a message, which it has until it is written, its connection has [ended][#ended], the library drops it, or it is [left][LastFrame#leave].
    ///
    /// @return the last frame of it, to be sent as it is; null if there is no room, and the message is to be dropped
    @Nullable LastFrame take(OutgoingFrames message) {
        var weight = PER_MESSAGE + PushFrames.bytes(message.frames());
        LoggingEventBuilder line;
        synchronized (this) {
            for (var end = gone.poll(); end != null; end = gone.poll()) {
                release((Waiting) end);
            }
            var unread = peers.computeIfAbsent(message.peer(), _ -> new Unread());
            if (hasRoom(unread, weight)) {
                var last = new LastFrame(message.frames().getLast(), message, weight);
                unread.messages.add(last.its);
                unread.bytes += weight;
                bytes += weight;
                return last;
            }
            line = dropped(message, unread);
            if (unread.messages.isEmpty()) {
                peers.remove(message.peer());
            }
        }
        line.log(
                "messages to a worker on ZeroMQ are dropped, since too much waits that it, or others, do not read; a worker has to read its sockets all the time");
        return null;
    }

    private boolean hasRoom(Unread unread, long weight) {
        var isSmall = weight <= SMALL && unread.bytes <= SMALL;
        var most = isSmall ? 2 * budget : Math.max(budget, weight);
        return bytes + weight <= most
                && (unread.bytes == 0 || unread.bytes + weight <= budgetOfAPeer);
    }

    /// One warning a minute for each peer for which something waits, and some for all.
    private LoggingEventBuilder dropped(OutgoingFrames message, Unread unread) {
        unread.dropped++;
        var now = System.nanoTime();
        var before =
                !unread.isReported || now - unread.reported > MINUTE
                        ? warnings.next()
                        : OptionalLong.empty();
        var isWarning = before.isPresent();
        var line =
                isWarning
                        ? LOG.atWarn().addKeyValue(LinesAMinute.LEFT_OUT, before.getAsLong())
                        : LOG.atDebug();
        line =
                line.addKeyValue("worker", message.peer())
                        .addKeyValue("port", message.port().word())
                        .addKeyValue("dropped", unread.dropped)
                        .addKeyValue("bytes_of_worker", unread.bytes)
                        .addKeyValue("bytes", bytes);
        if (isWarning) {
            unread.isReported = true;
            unread.reported = now;
            unread.dropped = 0;
        }
        return line;
    }

    /// The connection of a peer has ended, and with it all that the library had for it. What the library did not have yet goes to the next connection, or to none.
    synchronized void ended(WirePort port, PeerName peer) {
        var unread = peers.get(peer);
        if (unread != null) {
            unread.messages.stream()
                    .filter(its -> its.port == port && its.isHandedOver)
                    .toList()
                    .forEach(this::release);
        }
    }

    private synchronized void release(Waiting its) {
        var unread = peers.get(its.peer);
        if (unread == null || !unread.messages.remove(its)) {
            return;
        }
        bytes -= its.weight;
        unread.bytes -= its.weight;
        if (unread.messages.isEmpty()) {
            peers.remove(its.peer);
        }
    }

    /// How many bytes wait.
    synchronized long bytes() {
        for (var end = gone.poll(); end != null; end = gone.poll()) {
            release((Waiting) end);
        }
        return bytes;
    }
}
