package dev.artel.gateway.zeromq;

import java.nio.channels.SelectableChannel;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import zmq.Msg;
import zmq.msg.MsgAllocator;

/// The three sockets, bound. One thread at a time.
final class RouterSockets implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RouterSockets.class);

    /// How long a socket that closes goes on sending.
    private static final int LINGER_MILLIS = 1_000;

    /// How many messages wait for one worker, in each direction.
    private static final int WAITING = 1_000;

    private static final int HANDSHAKE_MILLIS = 10_000;

    /// How many connections wait to be taken up.
    private static final int BACKLOG = 1_024;

    private final ZContext context = new ZContext(1);
    private final Map<WirePort, ZMQ.Socket> sockets = new EnumMap<>(WirePort.class);
    private final Map<WirePort, Integer> ports = new EnumMap<>(WirePort.class);

    /// Sockets that listen as `config` asks.
    ///
    /// @param fatal receives what ended a thread of the library, without which nothing works any more
    /// @throws IllegalStateException if one of them cannot
    RouterSockets(ZeroMqConfig config, ZeroMqCounts counts, Consumer<Throwable> fatal) {
        context.setLinger(LINGER_MILLIS);
        context.setUncaughtExceptionHandler((_, error) -> {
            failed(counts, error);
            fatal.accept(error);
        });
        context.setNotificationExceptionHandler((_, error) -> failed(counts, error));
        try {
            for (var port : WirePort.values()) {
                bind(config, port);
            }
        } catch (ZMQException | IllegalArgumentException refused) {
            close();
            throw new IllegalStateException(refused.getMessage(), refused);
        }
    }

    private static void failed(ZeroMqCounts counts, Throwable error) {
        counts.hasFailed();
        LOG.atError().setCause(error).log("a thread of the ZeroMQ library met with an error");
    }

    private void bind(ZeroMqConfig config, WirePort port) {
        var socket = context.createSocket(SocketType.ROUTER);
        sockets.put(port, socket);
        socket.setRouterMandatory(true);
        socket.setRouterHandover(true);
        socket.setMaxMsgSize(config.maxMessageBytes());
        allocateAtMost(socket, config.maxMessageBytes());
        var _ = socket.setBacklog(BACKLOG);
        socket.setRcvHWM(WAITING);
        socket.setSndHWM(WAITING);
        socket.setHandshakeIvl(HANDSHAKE_MILLIS);
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

    /// The library takes a length from 2^63 on for a negative one, lets it pass as not too large, fails at the allocation, and then
    /// turns in a circle: a few bytes of a stranger would end the connections of all. Of such a length there is nothing to allocate.
    private static void allocateAtMost(ZMQ.Socket socket, int most) {
        MsgAllocator bounded = length -> new Msg(length < 0 || length > most ? 0 : length);
        var _ = socket.base().setSocketOpt(zmq.ZMQ.ZMQ_MSG_ALLOCATOR, bounded);
    }

    /// A poller over the sockets and `wakeUp`.
    ZMQ.Poller poller(SelectableChannel wakeUp) {
        var poller = context.createPoller(sockets.size() + 1);
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

    /// Where a socket listens.
    int portOf(WirePort port) {
        return ports.getOrDefault(port, 0);
    }

    @Override
    public void close() {
        context.close();
    }
}
