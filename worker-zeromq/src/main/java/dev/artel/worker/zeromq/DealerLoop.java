package dev.artel.worker.zeromq;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.artel.zeromq.BegunConnections;
import dev.artel.zeromq.SocketThreads;
import dev.artel.zeromq.WakeUp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/// The one thread that touches the three sockets. Others hand over what is to be sent through a queue.
final class DealerLoop {
    private static final Logger LOG = LoggerFactory.getLogger(DealerLoop.class);
    private static final int MOST_WAITING = 10_000;
    private static final int TURN = 500;
    private static final Duration TICK = Duration.ofMillis(50);
    private static final int LINGER_MILLIS = 500;

    /// An orchestrator that encrypts lets in few connections a second; the library waits for up to twice as long.
    private static final int PAUSE_MILLIS = 250;

    private final Receiver receiver;

    /// That of the three sockets. The peer that connects with it gets the messages for this worker, so that nobody else may know it.
    private final String identity = "~" + UUID.randomUUID().toString().replace("-", "");

    private final BlockingQueue<Outgoing> outgoing = new ArrayBlockingQueue<>(MOST_WAITING);
    private final WakeUp wakeUp = WakeUp.open();

    /// For the thread of the sockets.
    private final Set<DealerPort> connected = EnumSet.noneOf(DealerPort.class);

    /// Those of all sockets, for the thread of the sockets.
    private final List<Handshakes> handshakes = new ArrayList<>();

    private final DealerAddress address;
    private volatile boolean isClosing;

    /// What comes in, on the thread of the sockets; must not wait.
    interface Receiver {
        void received(DealerPort port, List<byte[]> frames);

        /// Some time has passed.
        void tick();

        /// A connection came to nothing. On a thread of the library.
        ///
        /// @param cause why, with what to do
        void disconnected(String cause);
    }

    private record Outgoing(DealerPort port, List<byte[]> frames) {}

    private DealerLoop(DealerAddress address, Receiver receiver) {
        this.address = address;
        this.receiver = receiver;
    }

    /// Connects, as far as that is possible now.
    static DealerLoop start(DealerAddress address, String workerId, Receiver receiver) {
        var loop = new DealerLoop(address, receiver);
        var _ =
                Thread.ofPlatform()
                        .daemon()
                        .name("artel-" + workerId + "-zeromq")
                        .start(() -> SocketThreads.run(() -> loop.run()));
        return loop;
    }

    /// Sends a message soon.
    ///
    /// @return whether it will; not after the end, nor while too many wait
    boolean send(DealerPort port, List<byte[]> frames) {
        var isTaken = !isClosing && outgoing.offer(new Outgoing(port, frames));
        wakeUp.wake();
        return isTaken;
    }

    private void run() {
        try (var context = SocketThreads.context();
                var woken = wakeUp) {
            context.setLinger(LINGER_MILLIS);
            var connections = new BegunConnections(context);
            var sockets = sockets(context, connections);
            var poller = context.createPoller(sockets.size() + 1);
            for (var socket : sockets.values()) {
                var _ = poller.register(socket, ZMQ.Poller.POLLIN);
            }
            var _ = poller.register(woken.channel(), ZMQ.Poller.POLLIN);
            while (!isClosing) {
                var _ = poller.poll(TICK.toMillis());
                woken.hasPolled();
                sendAll(sockets);
                sockets.forEach(this::receive);
                connections.tick();
                handshakes.forEach(Handshakes::tick);
                receiver.tick();
            }
            sendAll(sockets);
        } catch (IOException | RuntimeException e) {
            LOG.atError().setCause(e).log("the thread of the ZeroMQ sockets met with an error");
        } finally {
            isClosing = true;
        }
    }

    private Map<DealerPort, ZMQ.Socket> sockets(ZContext context, BegunConnections connections) {
        var own =
                address.curve()
                        .map(curve ->
                                curve.own()
                                        .orElseGet(() -> {
                                            var pair = ZMQ.Curve.generateKeyPair();
                                            return new DealerAddress.Curve.Pair(
                                                    pair.publicKey, pair.secretKey);
                                        }));
        var sockets = new EnumMap<DealerPort, ZMQ.Socket>(DealerPort.class);
        for (var port : DealerPort.values()) {
            var socket = context.createSocket(SocketType.DEALER);
            var _ = socket.setIdentity(identity.getBytes(US_ASCII));
            address.curve()
                    .ifPresent(curve -> {
                        var pair = own.orElseThrow();
                        var _ = socket.setCurveServerKey(curve.server().getBytes(US_ASCII));
                        var _ = socket.setCurvePublicKey(pair.publicKey().getBytes(US_ASCII));
                        var _ = socket.setCurveSecretKey(pair.secretKey().getBytes(US_ASCII));
                        var _ = socket.setReconnectIVL(PAUSE_MILLIS);
                    });
            var its = new Handshakes(address, receiver::disconnected);
            handshakes.add(its);
            connections.watch(socket, its::on);
            if (address.curve().isEmpty()) {
                connect(port, socket);
            }
            sockets.put(port, socket);
        }
        return sockets;
    }

    /// Where it is encrypted, with the first message: the orchestrator ends a connection over which nothing comes, and lets in few new ones a second.
    private void connect(DealerPort port, ZMQ.Socket socket) {
        if (connected.add(port)) {
            var _ = socket.connect(address.endpoint(port));
        }
    }

    private void sendAll(Map<DealerPort, ZMQ.Socket> sockets) {
        for (var message = outgoing.poll(); message != null; message = outgoing.poll()) {
            var socket = sockets.get(message.port());
            if (socket != null) {
                connect(message.port(), socket);
                send(socket, message.frames());
            }
        }
    }

    /// What the socket does not take now is lost, as what a broken connection has; those who wait for an answer send it again.
    private static void send(ZMQ.Socket socket, List<byte[]> frames) {
        for (var index = 0; index < frames.size(); index++) {
            var more = index < frames.size() - 1 ? ZMQ.SNDMORE : 0;
            if (!socket.send(frames.get(index), more | ZMQ.DONTWAIT)) {
                return;
            }
        }
    }

    private void receive(DealerPort port, ZMQ.Socket socket) {
        for (var count = 0; count < TURN; count++) {
            var first = socket.recv(ZMQ.DONTWAIT);
            if (first == null) {
                return;
            }
            var frames = new ArrayList<byte[]>();
            frames.add(first);
            while (socket.hasReceiveMore()) {
                var frame = socket.recv(ZMQ.DONTWAIT);
                if (frame == null) {
                    break;
                }
                frames.add(frame);
            }
            receiver.received(port, frames);
        }
    }

    /// Sends what waits, and closes the sockets soon.
    void close() {
        isClosing = true;
        wakeUp.wakeAnyway();
    }
}
