package dev.artel.gateway.zeromq;

import dev.artel.gateway.access.AddressBlock;
import dev.artel.json.text.FairShares;
import dev.artel.log.LinesAMinute;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// The connections to the three sockets, which have a bound together: each is a file of the process, of which HTTP and the store need theirs. The library takes all that come.
///
/// An address has at most half of what others leave, and so it has of the places for connections that no worker has shown to be its own, which are half of all. One that is none of a worker ends after a while; that
/// of a worker stays for as long as the worker wants it, however long it is silent.
///
/// Of encrypted connections few a second are let in.
///
/// Safe for use by many threads: of accepted and ended connections the thread of the library reports, of messages that of the sockets.
final class PeerConnections {
    /// After this time a connection ends over which no message has come.
    static final Duration SILENT = Duration.ofSeconds(30);

    /// After this time a connection ends over which no message of a worker has come. A worker without a session that polls gets its first answer within it.
    static final Duration UNKNOWN = Duration.ofMinutes(1);

    /// After this time the file of a connection is closed of whose end the library takes no notice.
    private static final Duration UNNOTICED = Duration.ofSeconds(10);

    private static final Duration MOMENT = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(PeerConnections.class);

    /// How many lines of the log are warnings in a minute. Any stranger can have one written.
    private static final int MOST_WARNINGS = 20;

    private final int most;
    private final InstantSource clock;
    private final ZeroMqCounts counts;
    private final LinesAMinute warnings = new LinesAMinute(MOST_WARNINGS);
    private final Object lock = new Object();
    private final FairShares all;
    private final FairShares strangers;

    /// Null without encryption.
    private final @Nullable NewConnections encrypted;

    private final Map<SocketChannel, Connection> open = new HashMap<>();
    private final Map<End, Connection> byPeer = new HashMap<>();
    private final Queue<Connection> silent = new ArrayDeque<>();
    private final Queue<Connection> unknown = new ArrayDeque<>();
    private final Queue<Replaced> replaced = new ArrayDeque<>();
    private final Queue<Connection> ending = new ArrayDeque<>();

    /// The other side of a connection, as the library names it in messages.
    private record End(WirePort port, String address) {}

    private record Replaced(Connection connection, Instant due) {}

    private static final class Connection {
        private final End peer;
        private final String block;
        private final SocketChannel channel;
        private boolean isOfWorker;

        /// The identity under which its last message came.
        private @Nullable PeerName name;

        /// When it is looked at the next time.
        private Instant due;

        private Connection(End peer, String block, SocketChannel channel, Instant due) {
            this.peer = peer;
            this.block = block;
            this.channel = channel;
            this.due = due;
        }
    }

    /// @param most how many there are
    PeerConnections(int most, boolean areEncrypted, InstantSource clock, ZeroMqCounts counts) {
        encrypted = areEncrypted ? new NewConnections() : null;
        this.most = most;
        this.clock = clock;
        this.counts = counts;
        all = new FairShares(most);
        strangers = new FairShares(Math.max(1, most / 2));
    }

    /// A connection was accepted; it ends at once where there is no place for it. To be called before the library reads from it.
    void accepted(WirePort port, SocketChannel channel) {
        var address = address(channel);
        if (address == null) {
            return;
        }
        var block = AddressBlock.of(address.getAddress().getHostAddress());
        var peer = new End(port, address.getAddress().getHostAddress() + ":" + address.getPort());
        var refusal = place(peer, block, channel);
        if (refusal == null) {
            return;
        }
        end(channel);
        counts.isRefused();
        line().addKeyValue("port", port.word())
                .addKeyValue("peer", peer.address())
                .addKeyValue("most", refusal.most())
                .log(refusal.why());
    }

    private record Refusal(int most, String why) {}

    private @Nullable Refusal place(End peer, String block, SocketChannel channel) {
        synchronized (lock) {
            if (!all.hasRoom(block, 1) || !strangers.hasRoom(block, 1)) {
                return new Refusal(
                        most,
                        "a connection on ZeroMQ is refused, since its address has as many as there are for it; "
                                + "zeromq.max-connections is how many there are for all");
            }
            if (encrypted != null && !encrypted.isLetIn(block, clock.instant())) {
                return new Refusal(
                        NewConnections.MOST,
                        "a connection on ZeroMQ is refused, since as many encrypted ones were let in during this second as there are for its address; "
                                + "it may connect again");
            }
            all.take(block, 1);
            strangers.take(block, 1);
            var connection = new Connection(peer, block, channel, clock.instant().plus(SILENT));
            open.put(channel, connection);
            byPeer.put(peer, connection);
            silent.add(connection);
            return null;
        }
    }

    /// A connection has ended.
    void ended(SocketChannel channel) {
        synchronized (lock) {
            var connection = open.remove(channel);
            if (connection == null) {
                return;
            }
            var _ = byPeer.remove(connection.peer, connection);
            all.free(connection.block, 1);
            if (!connection.isOfWorker) {
                strangers.free(connection.block, 1);
            }
        }
    }

    /// A message has come.
    ///
    /// @param address where from, as the library names it
    /// @param name the identity of the connection
    void heard(WirePort port, String address, PeerName name, boolean isOfWorker) {
        synchronized (lock) {
            var connection = byPeer.get(new End(port, address));
            if (connection != null && !connection.isOfWorker) {
                connection.name = name;
                if (isOfWorker) {
                    isOfWorker(connection);
                }
            }
        }
    }

    /// Another connection has the identity of the one from `address`, which ends soon: the socket needs a moment to give the identity away.
    void replaced(WirePort port, String address) {
        synchronized (lock) {
            var connection = byPeer.get(new End(port, address));
            if (connection != null) {
                replaced.add(new Replaced(connection, clock.instant().plus(MOMENT)));
            }
        }
    }

    private void isOfWorker(Connection connection) {
        connection.isOfWorker = true;
        if (open.containsKey(connection.channel)) {
            strangers.free(connection.block, 1);
        }
    }

    /// Ends those that have had their time; to be called some times a second.
    ///
    /// @param isWorker whether an identity is that of a worker now
    void endOverdue(Predicate<PeerName> isWorker) {
        var now = clock.instant();
        var overdue = 0;
        synchronized (lock) {
            for (var next = due(silent, now); next != null; next = due(silent, now)) {
                if (isStillUnknown(next, isWorker)) {
                    if (next.name == null) {
                        overdue++;
                        end(next, now);
                    } else {
                        next.due = next.due.plus(UNKNOWN.minus(SILENT));
                        unknown.add(next);
                    }
                }
            }
            for (var next = due(unknown, now); next != null; next = due(unknown, now)) {
                if (isStillUnknown(next, isWorker)) {
                    overdue++;
                    end(next, now);
                }
            }
            for (var next = replaced.peek();
                    next != null && !next.due().isAfter(now);
                    next = replaced.peek()) {
                var _ = replaced.remove();
                if (open.containsKey(next.connection().channel)) {
                    end(next.connection(), now);
                }
            }
            for (var next = due(ending, now); next != null; next = due(ending, now)) {
                if (open.containsKey(next.channel)) {
                    close(next.channel);
                    ended(next.channel);
                }
            }
        }
        for (; overdue > 0; overdue--) {
            counts.isOverdue();
        }
    }

    private static @Nullable Connection due(Queue<Connection> queue, Instant now) {
        var next = queue.peek();
        return next == null || next.due.isAfter(now) ? null : queue.poll();
    }

    private boolean isStillUnknown(Connection connection, Predicate<PeerName> isWorker) {
        if (connection.isOfWorker || !open.containsKey(connection.channel)) {
            return false;
        }
        if (connection.name != null && isWorker.test(connection.name)) {
            isOfWorker(connection);
            return false;
        }
        return true;
    }

    private void end(Connection connection, Instant now) {
        end(connection.channel);
        connection.due = now.plus(UNNOTICED);
        ending.add(connection);
    }

    /// The library reads an end, and closes the connection with all that it keeps of it.
    private static void end(SocketChannel channel) {
        try {
            var _ = channel.shutdownInput();
        } catch (IOException closed) {
            LOG.atDebug().setCause(closed).log("a connection on ZeroMQ that is to end is closed");
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException failed) {
            LOG.atDebug().setCause(failed).log("a connection on ZeroMQ could not be closed");
        }
    }

    /// How many there are.
    int count() {
        synchronized (lock) {
            return open.size();
        }
    }

    private LoggingEventBuilder line() {
        var before = warnings.next();
        return before.isPresent()
                ? LOG.atWarn().addKeyValue(LinesAMinute.LEFT_OUT, before.getAsLong())
                : LOG.atDebug();
    }

    private static @Nullable InetSocketAddress address(SocketChannel channel) {
        try {
            return channel.getRemoteAddress() instanceof InetSocketAddress address ? address : null;
        } catch (IOException closed) {
            LOG.atDebug()
                    .setCause(closed)
                    .log("a connection on ZeroMQ ended while it was accepted");
            return null;
        }
    }
}
