package dev.artel.gateway.zeromq;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import zmq.Msg;

/// How much waits to be sent: in the outbox, and in the library until it writes it to the connection. A peer that does not read has its next messages dropped once
/// what waits for it is too much; all peers have a bound together, beyond which those for which nothing waits still get small messages. Safe for use by many threads; does not wait.
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

    /// How many lines of the log are warnings in a minute. Any stranger can have one written.
    private static final int MOST_WARNINGS = 20;

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final long budget;
    private final long budgetOfAPeer;
    private final ReferenceQueue<Msg> gone = new ReferenceQueue<>();

    /// Of messages that are not written yet.
    private final Set<Waiting> waiting = new HashSet<>();

    /// Peers for which something waits.
    private final Map<PeerName, Unread> peers = new HashMap<>();

    private long bytes;
    private long warningsBegan = System.nanoTime();
    private int warnings;

    /// @param most how many bytes a message may have
    SendRoom(int most) {
        this(most, Math.max(Runtime.getRuntime().maxMemory() / 16, 4L * most));
    }

    /// @param budget how many bytes wait for all peers together
    SendRoom(int most, long budget) {
        this.budget = budget;
        this.budgetOfAPeer = Math.max(most, Math.min(MOST_OF_A_PEER, budget / PARTS));
    }

    /// What waits for one peer.
    private static final class Unread {
        long bytes;
        long dropped;
        boolean isReported;
        long reported;
    }

    /// How much a message weighs that waits; its connection may end before it is written.
    private static final class Waiting extends PhantomReference<Msg> {
        final PeerName peer;
        final long weight;

        Waiting(Msg frame, ReferenceQueue<Msg> gone, PeerName peer, long weight) {
            super(frame, gone);
            this.peer = peer;
            this.weight = weight;
        }
    }

    /// The last frame of a message. The library asks for its bytes once, when it writes or encrypts it: those before it are written by then.
    private final class LastFrame extends Msg {
        private final Waiting its;

        LastFrame(byte[] bytes, PeerName peer, long weight) {
            super(bytes);
            its = new Waiting(this, gone, peer, weight);
        }

        @Override
        public ByteBuffer buf() {
            release(its);
            return super.buf();
        }

        @Override
        public void transfer(ByteBuffer to, int from, int length) {
            release(its);
            super.transfer(to, from, length);
        }
    }

    /// Takes room for a message, which it has until its last frame is written, dropped by the library, or given to [#leave].
    ///
    /// @return the last frame of it, to be sent as it is; null if there is no room, and the message is to be dropped
    @Nullable Msg take(OutgoingFrames message) {
        var weight = PER_MESSAGE + message.frames().stream().mapToLong(frame -> frame.length).sum();
        LoggingEventBuilder line;
        synchronized (this) {
            for (var end = gone.poll(); end != null; end = gone.poll()) {
                release((Waiting) end);
            }
            var unread = peers.computeIfAbsent(message.peer(), _ -> new Unread());
            if (hasRoom(unread, weight)) {
                var last = new LastFrame(message.frames().getLast(), message.peer(), weight);
                waiting.add(last.its);
                unread.bytes += weight;
                bytes += weight;
                return last;
            }
            line = dropped(message, unread);
            if (unread.bytes == 0) {
                peers.remove(message.peer());
            }
        }
        line.log(
                "messages to a worker on ZeroMQ are dropped, since too much waits that it, or others, do not read; a worker has to read its sockets all the time");
        return null;
    }

    private boolean hasRoom(Unread unread, long weight) {
        var isFirst = unread.bytes == 0;
        var most = isFirst && weight <= SMALL ? 2 * budget : Math.max(budget, weight);
        return bytes + weight <= most && (isFirst || unread.bytes + weight <= budgetOfAPeer);
    }

    /// One warning a minute for each peer for which something waits, and some for all.
    private LoggingEventBuilder dropped(OutgoingFrames message, Unread unread) {
        unread.dropped++;
        var now = System.nanoTime();
        if (now - warningsBegan > MINUTE) {
            warningsBegan = now;
            warnings = 0;
        }
        var isWarning =
                (!unread.isReported || now - unread.reported > MINUTE) && warnings < MOST_WARNINGS;
        var line = isWarning ? LOG.atWarn() : LOG.atDebug();
        line =
                line.addKeyValue("worker", message.peer())
                        .addKeyValue("port", message.port().word())
                        .addKeyValue("dropped", unread.dropped)
                        .addKeyValue("bytes_of_worker", unread.bytes)
                        .addKeyValue("bytes", bytes);
        if (isWarning) {
            warnings++;
            unread.isReported = true;
            unread.reported = now;
            unread.dropped = 0;
        }
        return line;
    }

    /// The message with this last frame is not sent.
    void leave(Msg last) {
        if (last instanceof LastFrame frame) {
            release(frame.its);
        }
    }

    private synchronized void release(Waiting its) {
        if (!waiting.remove(its)) {
            return;
        }
        bytes -= its.weight;
        var unread = peers.get(its.peer);
        if (unread != null) {
            unread.bytes -= its.weight;
            if (unread.bytes == 0) {
                peers.remove(its.peer);
            }
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
