package dev.artel.worker.zeromq;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
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

    private final Receiver receiver;
    private final BlockingQueue<Outgoing> outgoing = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicBoolean isAwake = new AtomicBoolean();
    private final Pipe wakeUp;
    private volatile boolean isClosing;

    /// What comes in, on the thread of the sockets; must not wait.
    interface Receiver {
        void received(DealerPort port, List<byte[]> frames);

        /// Some time has passed.
        void tick();
    }

    private record Outgoing(DealerPort port, List<byte[]> frames) {}

    private DealerLoop(Receiver receiver) {
        this.receiver = receiver;
        try {
            wakeUp = Pipe.open();
            wakeUp.source().configureBlocking(false);
            wakeUp.sink().configureBlocking(false);
        } catch (IOException e) {
            throw new UncheckedIOException("opening what wakes the thread of the sockets", e);
        }
    }

    /// Connects, as far as that is possible now.
    static DealerLoop start(DealerAddress address, String workerId, Receiver receiver) {
        var loop = new DealerLoop(receiver);
        var _ =
                Thread.ofPlatform()
                        .daemon()
                        .name("artel-" + workerId + "-zeromq")
                        .start(() -> loop.run(address, workerId));
        return loop;
    }

    /// Sends a message soon.
    ///
    /// @return whether it will; not after the end, nor while too many wait
    boolean send(DealerPort port, List<byte[]> frames) {
        var isTaken = !isClosing && outgoing.offer(new Outgoing(port, frames));
        wake();
        return isTaken;
    }

    private void wake() {
        if (isAwake.compareAndSet(false, true)) {
            try {
                var _ = wakeUp.sink().write(ByteBuffer.allocate(1));
            } catch (IOException closed) {
                LOG.atDebug().setCause(closed).log("the thread of the sockets is gone");
            }
        }
    }

    private void run(DealerAddress address, String workerId) {
        try (var context = new ZContext(1);
                var source = wakeUp.source();
                var sink = wakeUp.sink()) {
            context.setLinger(LINGER_MILLIS);
            var sockets = sockets(context, address, workerId);
            var poller = context.createPoller(sockets.size() + 1);
            for (var socket : sockets.values()) {
                var _ = poller.register(socket, ZMQ.Poller.POLLIN);
            }
            var _ = poller.register(source, ZMQ.Poller.POLLIN);
            while (!isClosing) {
                var _ = poller.poll(TICK.toMillis());
                rest();
                sendAll(sockets);
                sockets.forEach(this::receive);
                receiver.tick();
            }
            sendAll(sockets);
            LOG.atDebug().addKeyValue("open", sink.isOpen()).log("the sockets close");
        } catch (IOException | RuntimeException e) {
            LOG.atError().setCause(e).log("the thread of the ZeroMQ sockets met with an error");
        } finally {
            isClosing = true;
        }
    }

    private static Map<DealerPort, ZMQ.Socket> sockets(
            ZContext context, DealerAddress address, String workerId) {
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
            var _ = socket.setIdentity(workerId.getBytes(UTF_8));
            address.curve()
                    .ifPresent(curve -> {
                        var pair = own.orElseThrow();
                        var _ = socket.setCurveServerKey(curve.server().getBytes(US_ASCII));
                        var _ = socket.setCurvePublicKey(pair.publicKey().getBytes(US_ASCII));
                        var _ = socket.setCurveSecretKey(pair.secretKey().getBytes(US_ASCII));
                    });
            var _ = socket.connect(address.endpoint(port));
            sockets.put(port, socket);
        }
        return sockets;
    }

    private void rest() throws IOException {
        var bytes = ByteBuffer.allocate(64);
        while (wakeUp.source().read(bytes) > 0) {
            bytes.clear();
        }
        isAwake.set(false);
    }

    private void sendAll(Map<DealerPort, ZMQ.Socket> sockets) {
        for (var message = outgoing.poll(); message != null; message = outgoing.poll()) {
            var socket = sockets.get(message.port());
            if (socket != null) {
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
        isAwake.set(false);
        wake();
    }
}
