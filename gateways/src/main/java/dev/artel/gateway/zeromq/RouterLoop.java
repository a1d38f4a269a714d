package dev.artel.gateway.zeromq;

import dev.artel.zeromq.SocketThreads;
import dev.artel.zeromq.WakeUp;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import zmq.Msg;
import zmq.io.Metadata;

/// The one thread that touches the sockets. It moves frames and understands none of them; others hand over what is to be sent
/// through a queue. Whatever it meets with, it goes on with the same sockets, so that what waits in them is not lost.
final class RouterLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RouterLoop.class);

    /// How many messages wait to be sent.
    private static final int OUTBOX = 100_000;

    /// How many messages are read from a socket before the others have their turn.
    private static final int TURN = 500;

    /// How many of those that call are known without a session.
    private static final int MOST_CALLERS = 20_000;

    private static final Duration TICK = Duration.ofMillis(100);

    /// How long a tick waits for the socket of registrations to be read to its end.
    private static final Duration LATEST_TICK = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(10);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);
    private static final int SECRET_BYTES = 24;

    /// What a socket delivers in the name of a peer whose connection has ended. No peer knows it, and sends it itself.
    static final byte[] GONE = secret();

    private final RouterSockets sockets;
    private final Receiver receiver;
    private final InstantSource clock;
    private final ZeroMqCounts counts;
    private final int maxMessageBytes;
    private final BlockingQueue<Weighed> outbox = new ArrayBlockingQueue<>(OUTBOX);
    private final SendRoom room;
    private final SendRoom roomOfStrangers;
    private final WakeUp wakeUp = WakeUp.open();
    private final ZMQ.Poller poller;
    private final Thread thread;

    /// Those that were answered, beside refusals, on the socket on which workers without a session call.
    private final Set<PeerName> callers = new HashSet<>();

    private volatile boolean isClosing;
    private Instant nextTick;

    /// A message for which there is room.
    ///
    /// @param last its last frame
    private record Weighed(OutgoingFrames message, SendRoom.LastFrame last) {}

    /// Receives what comes in, on the thread of the sockets; must not wait.
    interface Receiver {
        /// A message has arrived.
        ///
        /// @param key the CURVE key of the peer, in Z85; null where keys are not looked at
        /// @param frames without the identity
        /// @param isCut whether there were more bytes than a message may have, which were dropped
        void received(
                WirePort port,
                PeerName peer,
                @Nullable String key,
                List<byte[]> frames,
                boolean isCut,
                Instant at);

        /// A message has arrived of which there was no room for all.
        void lost(WirePort port, PeerName peer);

        /// The connection of a peer has ended.
        void disconnected(WirePort port, PeerName peer);

        /// Time has passed, and what had arrived by then was received.
        void tick(Instant now);

        /// Whether a peer has a session.
        boolean hasSession(PeerName peer);

        /// Whether more may be received now.
        boolean hasRoom();
    }

    RouterLoop(
            RouterSockets sockets,
            Receiver receiver,
            InstantSource clock,
            ZeroMqCounts counts,
            int maxMessageBytes) {
        this.sockets = sockets;
        this.receiver = receiver;
        this.clock = clock;
        this.counts = counts;
        this.maxMessageBytes = maxMessageBytes;
        this.room = new SendRoom(maxMessageBytes);
        this.roomOfStrangers = room.forStrangers();
        this.nextTick = clock.instant();
        poller = sockets.poller(wakeUp.channel());
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("artel-zeromq")
                        .unstarted(() -> SocketThreads.run(this::run));
    }

    void start() {
        thread.start();
    }

    /// How many bytes wait to be sent.
    long unsent() {
        return room.bytes() + roomOfStrangers.bytes();
    }

    /// Whether its thread is alive.
    boolean isAlive() {
        return thread.isAlive();
    }

    /// Hands a message over. Safe for use by many threads; does not wait.
    ///
    /// @return whether there was room for it, in all and for its peer; otherwise `onSent` is not called
    boolean send(OutgoingFrames message) {
        if (isClosing) {
            return false;
        }
        var last = (message.isToStranger() ? roomOfStrangers : room).take(message);
        if (last == null) {
            counts.isUnread();
            return false;
        }
        if (!outbox.offer(new Weighed(message, last))) {
            last.leave();
            counts.isDropped();
            return false;
        }
        wakeUp.wake();
        return true;
    }

    private void run() {
        while (!isClosing) {
            try {
                turn();
            } catch (RuntimeException | AssertionError failure) {
                failed(failure);
            }
        }
        try {
            sendAll();
        } catch (RuntimeException | AssertionError failure) {
            failed(failure);
        }
        sockets.close();
    }

    private void failed(Throwable failure) {
        counts.hasFailed();
        LOG.atError().setCause(failure).log("the thread of the ZeroMQ sockets met with an error");
        LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
    }

    private void turn() {
        var _ = poller.poll(TICK.toMillis());
        wakeUp.hasPolled();
        sockets.checkKeys();
        sendAll();
        if (!receiver.hasRoom()) {
            // Those who work on what has come in must get on first; meanwhile it waits in the
            // sockets.
            LockSupport.parkNanos(PAUSE.toNanos());
            return;
        }
        var isRead = receive(WirePort.REGISTRATION);
        var _ = receive(WirePort.TASKS);
        var _ = receive(WirePort.RESULTS);
        tick(isRead);
    }

    private void tick(boolean isRead) {
        var now = clock.instant();
        if (now.isBefore(nextTick) || (!isRead && now.isBefore(nextTick.plus(LATEST_TICK)))) {
            return;
        }
        nextTick = now.plus(TICK);
        sockets.connections().endOverdue(this::isWorker);
        receiver.tick(now);
    }

    private void sendAll() {
        for (var next = outbox.poll(); next != null; next = outbox.poll()) {
            var message = next.message();
            var isSent = send(sockets.of(message.port()), message, next.last());
            if (isSent && isAnswerToCaller(message)) {
                callers.add(message.peer());
            }
            if (!isSent) {
                next.last().leave();
                counts.isUnreachable();
            }
            if (message.onSent() != null) {
                message.onSent().accept(isSent);
            }
        }
    }

    private boolean isAnswerToCaller(OutgoingFrames message) {
        return message.port() == WirePort.RESULTS
                && !message.isToStranger()
                && callers.size() < MOST_CALLERS;
    }

    /// Whether the peer is there and takes it. Only the first frame can fail.
    private static boolean send(
            ZMQ.Socket socket, OutgoingFrames message, SendRoom.LastFrame last) {
        if (!address(socket, message.peer())) {
            return false;
        }
        for (var frame : message.frames().subList(0, message.frames().size() - 1)) {
            var _ = socket.send(frame, ZMQ.SNDMORE | ZMQ.DONTWAIT);
        }
        var behind = last.handOver();
        var _ = socket.base().send(last, ZMQ.DONTWAIT);
        if (behind != null) {
            if (address(socket, message.peer())) {
                var _ = socket.base().send(behind, ZMQ.DONTWAIT);
            } else {
                last.isAlone();
            }
        }
        return true;
    }

    /// Whether what is sent next goes to `peer`, which is there and takes it.
    private static boolean address(ZMQ.Socket socket, PeerName peer) {
        try {
            return socket.send(peer.identity(), ZMQ.SNDMORE | ZMQ.DONTWAIT);
        } catch (ZMQException unreachable) {
            if (unreachable.getErrorCode() == ZMQ.Error.EHOSTUNREACH.getCode()) {
                return false;
            }
            throw unreachable;
        }
    }

    private static byte[] secret() {
        var bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /// Where the connection comes from.
    private static @Nullable String addressOf(Msg frame) {
        var metadata = frame.getMetadata();
        return metadata == null ? null : metadata.get(Metadata.PEER_ADDRESS);
    }

    /// @return whether the socket was read to its end
    private boolean receive(WirePort port) {
        var socket = sockets.of(port);
        for (var count = 0; count < TURN; count++) {
            var identity = socket.recv(ZMQ.DONTWAIT);
            if (identity == null) {
                sockets.delivered(port).isAtEnd();
                return true;
            }
            receive(port, socket, PeerName.of(identity));
        }
        return false;
    }

    private void receive(WirePort port, ZMQ.Socket socket, PeerName peer) {
        var frames = new ArrayList<byte[]>();
        var bytes = 0L;
        var isCut = false;
        var isLost = false;
        var count = 0;
        String key = null;
        String address = null;
        PeerFrames connection = null;
        while (socket.hasReceiveMore()) {
            var frame = socket.base().recv(ZMQ.DONTWAIT);
            if (frame == null) {
                break;
            }
            count++;
            bytes += frame.size();
            connection = frame instanceof PeerFrame its ? its.peer() : connection;
            key = key == null ? KeyCheck.keyOf(frame) : key;
            address = address == null ? addressOf(frame) : address;
            if (FrameRoom.isLost(frame)) {
                isLost = true;
                continue;
            }
            if (sockets.frames().isTooLarge(frame)) {
                var beginning = sockets.frames().beginning(frame, PushFrames.MAX_BODY);
                if (!isCut && frames.size() == PushFrames.HEAD - 1) {
                    frames.add(beginning);
                }
                isCut = true;
                continue;
            }
            isCut |=
                    bytes > maxMessageBytes
                            || frames.size() >= PushFrames.HEAD + PushFrames.MAX_ATTACHMENTS;
            var read = sockets.frames().read(frame);
            if (!isCut) {
                frames.add(read);
            }
        }
        sockets.delivered(port).add(count, bytes);
        if (connection != null) {
            connection.received(count, bytes);
        }
        if (connection == null || !connection.isKnown()) {
            var isOfWorker = isWorker(peer);
            if (address != null) {
                sockets.connections().heard(port, address, peer, isOfWorker);
            }
            if (connection != null && isOfWorker) {
                connection.know();
            }
        }
        if (isLost) {
            counts.receivedOn(port);
            receiver.lost(port, peer);
            return;
        }
        if (frames.size() == 1 && Arrays.equals(frames.getFirst(), GONE)) {
            room.ended(port, peer);
            roomOfStrangers.ended(port, peer);
            if (port == WirePort.RESULTS) {
                callers.remove(peer);
            }
            receiver.disconnected(port, peer);
            return;
        }
        counts.receivedOn(port);
        receiver.received(port, peer, key, frames, isCut, clock.instant());
    }

    /// Whether a peer has shown who it is.
    private boolean isWorker(PeerName peer) {
        return callers.contains(peer) || receiver.hasSession(peer);
    }

    /// Sends what waits, and closes the sockets.
    @Override
    public void close() {
        isClosing = true;
        wakeUp.wakeAnyway();
        try {
            if (!thread.join(LONGEST_CLOSE)) {
                LOG.atWarn().log("the thread of the ZeroMQ sockets did not end in time");
            }
            wakeUp.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("what wakes the thread of the sockets did not close");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
