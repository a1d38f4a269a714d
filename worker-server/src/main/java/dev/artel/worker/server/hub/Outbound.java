package dev.artel.worker.server.hub;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What waits to be sent to one peer: in order, one at a time, and bounded. [#offer] only puts aside, so that it can be
/// called under the hub's lock; [#flush] sends.
final class Outbound {
    private static final Logger LOG = LoggerFactory.getLogger(Outbound.class);

    /// What became of an offer.
    enum Offer {
        /// It waits to be sent.
        QUEUED,
        /// Nothing more is sent on this connection.
        CLOSED,
        /// Too much waits already.
        FULL,
        /// Too much waits for all peers.
        NO_ROOM
    }

    private final WorkerConnection transport;
    private final HubLimits limits;
    private final OutboundRoom room;
    private final Consumer<Throwable> onBroken;
    private final Deque<Outgoing> queue = new ArrayDeque<>();
    private final AtomicInteger flushes = new AtomicInteger();
    private int messages;
    private int bytes;
    private boolean sending;

    /// What is counted in `room`: `bytes`, and those of the message under way.
    private long counted;

    private long underWay;
    private Instant waitingSince = Instant.MAX;
    private boolean closed;

    Outbound(
            WorkerConnection transport,
            HubLimits limits,
            OutboundRoom room,
            Consumer<Throwable> onBroken) {
        this.transport = transport;
        this.limits = limits;
        this.room = room;
        this.onBroken = onBroken;
    }

    /// Puts `outgoing` behind all that waits. A ping follows a message, and is as bounded as those.
    synchronized Offer offer(Outgoing outgoing) {
        if (closed) {
            return Offer.CLOSED;
        }
        if (outgoing.isMessage()) {
            if (messages >= limits.maxQueuedMessages()
                    || bytes + (long) outgoing.bytes() > limits.maxQueuedBytes()
                    || !room.hasShare(outgoing.bytes(), counted)) {
                return Offer.FULL;
            }
            if (!room.has(outgoing.bytes(), counted)) {
                return Offer.NO_ROOM;
            }
            if (counted == 0) {
                waitingSince = room.now();
            }
            room.take(outgoing.bytes());
            counted += outgoing.bytes();
            messages++;
            bytes += outgoing.bytes();
        }
        queue.add(outgoing);
        return Offer.QUEUED;
    }

    /// Whether an offer would be taken.
    synchronized boolean isOpen() {
        return !closed;
    }

    /// Whether its share, and all peers together, leave room for a message.
    synchronized boolean hasRoom(int length) {
        return room.hasShare(length, counted) && room.has(length, counted);
    }

    /// How many bytes wait, those of the message under way among them.
    synchronized long held() {
        return counted;
    }

    /// Since when there has always been something that waits; [Instant#MAX] if nothing does.
    synchronized Instant waitingSince() {
        return counted > 0 ? waitingSince : Instant.MAX;
    }

    /// Nothing of it counts any more: its connection is gone, or ends at once.
    synchronized void forgo() {
        closed = true;
        giveBack(counted);
    }

    private void giveBack(long length) {
        var mine = Math.min(length, counted);
        counted -= mine;
        room.giveBack(mine);
    }

    /// Closes behind what waits; nothing more is taken.
    synchronized void close(int code, String reason) {
        if (!closed) {
            closed = true;
            queue.add(Outgoing.of(new Outgoing.Frame.Close(code, reason)));
        }
    }

    /// Drops what waits; nothing more is taken.
    void abandon() {
        List<Outgoing> dropped;
        synchronized (this) {
            closed = true;
            dropped = new ArrayList<>(queue);
            queue.clear();
            giveBack(bytes);
            messages = 0;
            bytes = 0;
        }
        dropped.forEach(Outgoing::failed);
    }

    /// Sends what waits, as far as the transport takes it. If another thread is at it, that one goes on.
    void flush() {
        if (flushes.getAndIncrement() != 0) {
            return;
        }
        var seen = 1;
        do {
            for (var next = next(); next != null; next = next()) {
                send(next);
            }
            seen = flushes.addAndGet(-seen);
        } while (seen != 0);
    }

    private synchronized @Nullable Outgoing next() {
        if (sending) {
            return null;
        }
        var next = queue.poll();
        if (next != null) {
            if (next.isMessage()) {
                messages--;
                bytes -= next.bytes();
            }
            sending = true;
            underWay = next.bytes();
        }
        return next;
    }

    private void send(Outgoing next) {
        try {
            switch (next.frame) {
                case Outgoing.Frame.Text(var text, _) ->
                        transport.sendText(text, () -> sent(next), cause -> broke(next, cause));
                case Outgoing.Frame.Ping(var payload) ->
                        transport.sendPing(payload, () -> sent(next), cause -> broke(next, cause));
                case Outgoing.Frame.Close(var code, var reason) -> {
                    transport.close(code, reason);
                    sent(next);
                }
            }
        } catch (RuntimeException e) {
            LOG.atDebug()
                    .addKeyValue("remote", transport.remoteAddress())
                    .setCause(e)
                    .log("message not taken by the transport");
            next.failed();
            done();
        }
    }

    private void sent(Outgoing outgoing) {
        if (outgoing.sent()) {
            done();
            flush();
        }
    }

    /// The connection broke while this was written, and all of it may have arrived: what is in flight ends with the connection, and this with it, before it
    /// could count as not sent.
    private void broke(Outgoing outgoing, Throwable cause) {
        outgoing.broke(() -> {
            done();
            onBroken.accept(cause);
        });
    }

    private synchronized void done() {
        sending = false;
        giveBack(underWay);
        underWay = 0;
    }
}
