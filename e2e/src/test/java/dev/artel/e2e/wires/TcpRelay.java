package dev.artel.e2e.wires;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A way to a port that can be closed and opened again.
final class TcpRelay implements AutoCloseable {
    /// Below those that Linux and others give to connections.
    private static final int FIRST_PORT = 20_000;

    private static final int LAST_PORT = 32_000;
    private static final int MOST_ATTEMPTS = 50;

    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong bytes = new AtomicLong();
    private @Nullable ServerSocket server;
    private int port;

    private TcpRelay(int target) {
        this.target = target;
    }

    /// An open way to `target`, a port of this machine.
    static TcpRelay to(int target) {
        var relay = new TcpRelay(target);
        relay.open();
        return relay;
    }

    /// How many bytes have passed, in both directions.
    long bytes() {
        return bytes.get();
    }

    int port() {
        return port;
    }

    /// Listens, on the port that it had, or on one of those that the system gives no connection: else one could take the port while the
    /// relay is shut.
    void open() {
        for (var attempt = 1; !listens(attempt == MOST_ATTEMPTS); attempt++) {
            // The port is taken; another one is tried.
        }
    }

    private boolean listens(boolean isLast) {
        var wanted = port > 0 ? port : ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
        var opened = unbound();
        try {
            opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
        } catch (IOException taken) {
            if (port > 0 || isLast) {
                throw new UncheckedIOException("cannot listen on port " + wanted, taken);
            }
            return false;
        }
        port = wanted;
        server = opened;
        Thread.ofVirtual().start(() -> accept(opened));
        return true;
    }

    private static ServerSocket unbound() {
        try {
            var opened = new ServerSocket();
            opened.setReuseAddress(true);
            return opened;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                var near = from.accept();
                sockets.add(near);
                var far = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(far);
                Thread.ofVirtual().start(() -> copy(near, far));
                Thread.ofVirtual().start(() -> copy(far, near));
                if (from.isClosed()) {
                    // It was shut while these came.
                    near.close();
                    far.close();
                }
            } catch (IOException over) {
                // It is closed, or the target does not listen.
            }
        }
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to) {
            var buffer = new byte[8192];
            for (var count = from.getInputStream().read(buffer);
                    count >= 0;
                    count = from.getInputStream().read(buffer)) {
                bytes.addAndGet(count);
                to.getOutputStream().write(buffer, 0, count);
            }
        } catch (IOException over) {
            // Both ends are closed.
        }
        sockets.remove(from);
        sockets.remove(to);
    }

    @Override
    public void close() {
        shut();
    }

    /// Breaks all connections, and takes no more before [#open].
    void shut() {
        try {
            if (server != null) {
                server.close();
            }
            for (var socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
