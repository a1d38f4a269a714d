package dev.artel.config;

import dev.artel.json.text.FairTurns;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A request to a host that may be hostile, and its answer, on one thread of the platform: a virtual thread keeps its carrier from all
/// others as long as bytes come without a pause.
///
/// What a host sends may cost much and give nothing: records of TLS that change keys or are empty, interim answers, extensions of chunks. So
/// there is a bound for what comes over the connections of an exchange, all of it counted; and only half of the processors, at least one, compute with
/// what has come for the exchanges of the same [Turns], by turns of clients. An exchange that waits for its host takes none of them.
public final class GuardedExchange implements AutoCloseable {
    /// For the handshake of TLS, for interim answers and for the head of the answer.
    public static final long HEAD = 128 << 10;

    /// So many addresses of a name are tried, each of which may keep the exchange waiting for as long as a connection may take.
    public static final int MOST_ADDRESSES = 3;

    private static final ScopedValue<GuardedExchange> CURRENT = ScopedValue.newInstance();

    private final Turns turns;
    private final String client;
    private final AtomicLong left;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile boolean isClosed;

    /// Of the thread that makes the exchange, as `turn`.
    private volatile Thread owner = Thread.currentThread();

    private FairTurns.@Nullable Turn turn;

    /// The processors that some exchanges share.
    public static final class Turns {
        private final FairTurns places =
                FairTurns.ofShortThings(
                        Math.max(1, Runtime.getRuntime().availableProcessors() / 2));

        /// How many may compute besides those that do.
        int free() {
            return places.free();
        }

        /// How many wait to compute.
        int waiting() {
            return places.waiting();
        }
    }

    /// What is made of an exchange.
    ///
    /// @param <T> what it gives
    /// @param <X> how it fails
    @FunctionalInterface
    public interface Work<T, X extends Throwable> {
        /// Makes it.
        T make() throws X;
    }

    /// An exchange of which [#HEAD] bytes may come before its body is [#expect]ed.
    ///
    /// @param client for whom it is made
    public GuardedExchange(Turns turns, String client) {
        this.turns = turns;
        this.client = client;
        left = new AtomicLong(HEAD);
    }

    /// Makes the exchange on this thread; its connections have sockets of [#socket].
    public <T, X extends Throwable> T make(Work<T, X> work) throws X {
        owner = Thread.currentThread();
        try {
            return ScopedValue.where(CURRENT, this).call(work::make);
        } finally {
            leave();
        }
    }

    /// A body of at most `bytes` comes now, which takes twice as much on its way at most, and 256 KiB.
    public void expect(int bytes) {
        left.addAndGet((256L << 10) + 2L * bytes);
    }

    /// A socket for a connection of the exchange that this thread makes. It uses no proxy.
    ///
    /// @throws IOException if the exchange is over
    public static Socket socket() throws IOException {
        var exchange = CURRENT.get();
        var socket = exchange.new Counted();
        exchange.sockets.add(socket);
        if (exchange.isClosed) {
            exchange.close();
            throw new IOException("the exchange is over");
        }
        return socket;
    }

    /// Ends its connections at once, whatever their hosts do; from any thread.
    @Override
    public void close() {
        isClosed = true;
        for (var socket : sockets) {
            try {
                socket.close();
            } catch (IOException alreadyBroken) {
                // Nothing more comes from it.
            }
        }
    }

    /// Others may compute while this one waits.
    ///
    /// @return whether it was its turn
    private boolean leave() {
        if (!owner.equals(Thread.currentThread()) || turn == null) {
            return false;
        }
        turn.close();
        turn = null;
        return true;
    }

    private void take() {
        if (owner.equals(Thread.currentThread())) {
            turn = turns.places.begin(client);
        }
    }

    private int arrived(int bytes) throws IOException {
        if (bytes > 0 && left.addAndGet(-bytes) < 0) {
            throw new IOException(
                    "the host sends much that is no part of an answer, or a very long head");
        }
        return bytes;
    }

    private final class Counted extends Socket {
        Counted() {
            super(Proxy.NO_PROXY);
        }

        /// The client goes on to the next address of a host after it has read from an earlier one.
        @Override
        public void connect(SocketAddress address, int timeoutMillis) throws IOException {
            leave();
            super.connect(address, timeoutMillis);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new Arriving(super.getInputStream());
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new Leaving(super.getOutputStream());
        }
    }

    private final class Arriving extends FilterInputStream {
        Arriving(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            leave();
            int count;
            try {
                count = in.read(bytes, offset, length);
            } finally {
                take();
            }
            return arrived(count);
        }

        @Override
        public long skip(long bytes) throws IOException {
            throw new IOException("all that comes is counted");
        }
    }

    private final class Leaving extends FilterOutputStream {
        Leaving(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            var hadTurn = leave();
            try {
                out.write(bytes, offset, length);
            } finally {
                if (hadTurn) {
                    take();
                }
            }
        }
    }
}
