package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.artel.gateway.access.FileLimit;
import dev.artel.zeromq.SocketThreads;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/// The three sockets, bound. One thread at a time.
final class RouterSockets implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RouterSockets.class);

    /// How long a socket that closes goes on sending.
    private static final int LINGER_MILLIS = 1_000;

    /// How many messages wait for one worker, in each direction.
    private static final int WAITING = 1_000;

    /// So many that the library never stops to read from a connection for [PeerFrames#MOST_WAITING] messages: it counts those that were received by the half of this.
    private static final int NEVER_REACHED = 5 * PeerFrames.MOST_WAITING / 2;

    /// The first version of ZMTP with a `READY`, as the library counts them.
    private static final int ZMTP_3 = 3;

    private static final String ZAP_DOMAIN = "artel";
    private static final int HANDSHAKE_MILLIS = 10_000;

    /// How many connections wait to be taken up.
    private static final int BACKLOG = 1_024;

    private final ZContext context = SocketThreads.context();
    private final Map<WirePort, ZMQ.Socket> sockets = new EnumMap<>(WirePort.class);
    private final Map<WirePort, Integer> ports = new EnumMap<>(WirePort.class);
    private final FrameRoom frames;
    private final InstantSource clock;
    private final PeerConnections connections;
    private final Map<WirePort, PeerIdentities> identities = new EnumMap<>(WirePort.class);
    private final Map<WirePort, PeerFrames> next = new EnumMap<>(WirePort.class);
    private final Map<WirePort, DeliveredFrames> delivered = new EnumMap<>(WirePort.class);
    private final Optional<ClientKeys> clientKeys;
    private final Optional<KeyCheck> keyCheck;
    private ZMQ.@Nullable Socket zap;

    /// Sockets that listen as `config` asks.
    ///
    /// @param clock a monotonic one, by which connections have their time
    /// @param fatal receives what ended a thread of the library, without which nothing works any more
    /// @throws IllegalStateException if one of them cannot
    RouterSockets(
            ZeroMqConfig config,
            InstantSource clock,
            ZeroMqCounts counts,
            Consumer<Throwable> fatal) {
        this.clock = clock;
        connections = new PeerConnections(most(config), config.curve().isPresent(), clock, counts);
        frames = new FrameRoom(config.maxMessageBytes());
        context.setLinger(LINGER_MILLIS);
        context.setUncaughtExceptionHandler((_, error) -> {
            failed(counts, error);
            fatal.accept(error);
        });
        context.setNotificationExceptionHandler((_, error) -> failed(counts, error));
        try {
            clientKeys = config.curve().flatMap(CurveKeys::clients).map(ClientKeys::new);
            keyCheck = clientKeys.map(this::keyCheck);
            for (var port : WirePort.values()) {
                delivered.put(port, new DeliveredFrames());
                identities.put(port, new PeerIdentities());
                bind(config, port, counts);
            }
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /// Three eighths of the files of the process: HTTP has as many, and the rest is left to stores and to what the orchestrator connects to itself.
    private static int most(ZeroMqConfig config) {
        return (int) Math.min(config.maxConnections(), FileLimit.most() * 3L / 8);
    }

    private KeyCheck keyCheck(ClientKeys keys) {
        var socket = context.createSocket(SocketType.REP);
        var _ = socket.bind(KeyCheck.ADDRESS);
        zap = socket;
        return new KeyCheck(socket, keys);
    }

    /// The keys that are let in; empty: all that know that of the orchestrator.
    Optional<ClientKeys> clientKeys() {
        return clientKeys;
    }

    private static void encrypt(ZMQ.Socket socket, CurveKeys keys) {
        socket.setCurveServer(true);
        socket.setCurvePublicKey(keys.publicKey().getBytes(US_ASCII));
        socket.setCurveSecretKey(keys.secretKey().getBytes(US_ASCII));
        socket.setZapDomain(ZAP_DOMAIN);
    }

    /// Answers the library which keys are let in, where that is asked.
    void checkKeys() {
        keyCheck.ifPresent(KeyCheck::answer);
    }

    private static void failed(ZeroMqCounts counts, Throwable error) {
        counts.hasFailed();
        LOG.atError().setCause(error).log("a thread of the ZeroMQ library met with an error");
    }

    private void bind(ZeroMqConfig config, WirePort port, ZeroMqCounts counts) {
        var socket = context.createSocket(SocketType.ROUTER);
        sockets.put(port, socket);
        socket.setRouterMandatory(true);
        socket.setRouterHandover(true);
        socket.setMaxMsgSize(frames.largest());
        countFrames(socket, port, config.curve().isPresent());
        var cut = new CutConnections(port, frames.largest(), counts);
        var _ =
                socket.base()
                        .setEventHook(
                                event -> {
                                    if (event.event == zmq.ZMQ.ZMQ_EVENT_HANDSHAKE_PROTOCOL) {
                                        greeted(
                                                socket,
                                                port,
                                                config.curve().isPresent(),
                                                event.arg);
                                    } else if (event.arg instanceof SocketChannel channel) {
                                        changed(port, event, channel, cut);
                                    }
                                },
                                zmq.ZMQ.ZMQ_EVENT_HANDSHAKE_PROTOCOL
                                        | zmq.ZMQ.ZMQ_EVENT_ACCEPTED
                                        | zmq.ZMQ.ZMQ_EVENT_DISCONNECTED);
        var _ = socket.setBacklog(BACKLOG);
        config.curve().ifPresent(keys -> encrypt(socket, keys));
        socket.setRcvHWM(config.curve().isPresent() ? WAITING : NEVER_REACHED);
        socket.setSndHWM(WAITING);
        socket.setHandshakeIvl(
                config.curve().isPresent()
                        ? (int) PeerFrames.HANDSHAKE.toMillis()
                        : HANDSHAKE_MILLIS);
        var _ = socket.base().setSocketOpt(zmq.ZMQ.ZMQ_DISCONNECT_MSG, RouterLoop.GONE);
        var number = config.ports().of(port);
        var host = config.host().contains(":") ? "[" + config.host() + "]" : config.host();
        var address = "tcp://" + host + ":" + (number == 0 ? "*" : String.valueOf(number));
        try {
            socket.bind(address);
        } catch (ZMQException taken) {
            throw new IllegalStateException(
                    "cannot listen for workers on ZeroMQ at "
                            + address
                            + " ("
                            + port.word()
                            + "): "
                            + taken.getMessage()
                            + "; set zeromq.host and zeromq."
                            + port.word()
                            + "-port to an address that is free",
                    taken);
        }
        var endpoint = socket.getLastEndpoint();
        ports.put(port, Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1)));
    }

    /// A connection has begun or ended.
    private void changed(
            WirePort port, zmq.ZMQ.Event event, SocketChannel channel, CutConnections cut) {
        if (event.event == zmq.ZMQ.ZMQ_EVENT_ACCEPTED) {
            connections.accepted(port, channel);
        } else {
            connections.ended(channel);
            cut.consume(event);
        }
    }

    /// A connection has greeted, and taken what was there for the next one.
    private void greeted(ZMQ.Socket socket, WirePort port, boolean isEncrypted, Object version) {
        var its = next.get(port);
        if (its != null) {
            its.greeted();
            if (version instanceof Integer number && number < ZMTP_3) {
                its.isOld();
            }
        }
        countFrames(socket, port, isEncrypted);
    }

    /// Has the next connection count its frames. The library gives each connection what is set when it has read the greeting, and reports the greeting on the same thread before it reads
    /// another one.
    private void countFrames(ZMQ.Socket socket, WirePort port, boolean isEncrypted) {
        var its =
                isEncrypted
                        ? PeerFrames.encrypted(frames, delivered(port), clock)
                        : PeerFrames.plain(
                                frames,
                                identities(port),
                                address -> connections.replaced(port, address));
        next.put(port, its);
        var _ = socket.base().setSocketOpt(zmq.ZMQ.ZMQ_MSG_ALLOCATOR, its);
    }

    private PeerIdentities identities(WirePort port) {
        var its = identities.get(port);
        if (its == null) {
            throw new IllegalStateException("no identities for " + port);
        }
        return its;
    }

    /// What was received from a socket.
    DeliveredFrames delivered(WirePort port) {
        var its = delivered.get(port);
        if (its == null) {
            throw new IllegalStateException("no count for " + port);
        }
        return its;
    }

    /// A poller over the sockets and `wakeUp`.
    ZMQ.Poller poller(SelectableChannel wakeUp) {
        var poller = context.createPoller(sockets.size() + 2);
        if (zap != null) {
            var _ = poller.register(zap, ZMQ.Poller.POLLIN);
        }
        for (var socket : sockets.values()) {
            var _ = poller.register(socket, ZMQ.Poller.POLLIN);
        }
        var _ = poller.register(wakeUp, ZMQ.Poller.POLLIN);
        return poller;
    }

    ZMQ.Socket of(WirePort port) {
        var socket = sockets.get(port);
        if (socket == null) {
            throw new IllegalStateException("no socket for " + port);
        }
        return socket;
    }

    /// Where frames are read to.
    FrameRoom frames() {
        return frames;
    }

    /// Those of all sockets.
    PeerConnections connections() {
        return connections;
    }

    /// Where a socket listens.
    int portOf(WirePort port) {
        return ports.getOrDefault(port, 0);
    }

    @Override
    public void close() {
        context.close();
    }
}
