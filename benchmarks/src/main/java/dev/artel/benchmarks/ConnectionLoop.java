package dev.artel.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/// One thread for the connections of all workers of a load program, so that they take as little as possible from the orchestrator.
final class ConnectionLoop {
    private static final int WAIT_MILLIS = 5;

    private final InetSocketAddress address;
    private final Selector selector;

    /// A connection that can be read.
    interface Reader {
        /// Takes in what there is.
        ///
        /// @throws IOException if the connection is over
        void read() throws IOException;
    }

    /// What the connections are for.
    interface Load {
        /// Sends what is due; called some hundred times a second.
        void act();

        /// A connection is over.
        void broken();
    }

    /// No connections yet.
    ///
    /// @param port of the orchestrator on this machine
    ConnectionLoop(int port) throws IOException {
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        selector = Selector.open();
    }

    /// A connection that still waits to be read and written, as a thread of its own would.
    SocketChannel open() throws IOException {
        var channel = SocketChannel.open(address);
        channel.socket().setTcpNoDelay(true);
        return channel;
    }

    /// Sends all of it.
    static void write(SocketChannel channel, byte[] bytes) throws IOException {
        var left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            channel.write(left);
        }
    }

    static void write(SocketChannel channel, String text) throws IOException {
        write(channel, text.getBytes(UTF_8));
    }

    /// Has `reader` read `channel` from now on, which does not wait any more.
    void add(SocketChannel channel, Reader reader) throws IOException {
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, reader);
    }

    /// Reads and acts from now on, until the process ends.
    void start(Load load) {
        Thread.ofPlatform().daemon().name("load").start(() -> run(load));
    }

    private void run(Load load) {
        while (true) {
            load.act();
            try {
                selector.select(key -> read(key, load), WAIT_MILLIS);
            } catch (IOException e) {
                throw new IllegalStateException("the connections cannot be waited for", e);
            }
        }
    }

    private static void read(SelectionKey key, Load load) {
        try {
            ((Reader) key.attachment()).read();
        } catch (IOException over) {
            load.broken();
            key.cancel();
        }
    }
}
