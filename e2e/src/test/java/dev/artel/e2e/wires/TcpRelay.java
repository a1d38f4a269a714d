package dev.artel.e2e.wires;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A way to a port that can be closed and opened again.
final class TcpRelay implements AutoCloseable {
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
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

    int port() {
        return port;
    }

    void open() {
        try {
            var opened = new ServerSocket();
            opened.setReuseAddress(true);
            opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            port = opened.getLocalPort();
            server = opened;
            Thread.ofVirtual().start(() -> accept(opened));
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
            } catch (IOException over) {
                // It is closed, or the target does not listen.
            }
        }
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
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
