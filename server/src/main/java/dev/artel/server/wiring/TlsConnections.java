package dev.artel.server.wiring;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/// Connections over TLS, which end when their peers send more records without data than anybody needs, or when their handshakes together
/// have too much memory. Jetty reads on within one call as long as records without data come, new keys, empty ones, warnings or pieces of a
/// handshake, on a virtual thread that leaves its carrier to no other meanwhile; and each new key costs a hundred times what it costs to
/// send it.
///
/// Handshakes go on a few at once, and addresses take turns; what they compute is done by threads that no request needs. A connection reads
/// what has come for its handshake when it is its turn, so that those that wait take no buffers.
final class TlsConnections extends SslConnectionFactory {
    private final TlsHandshakes handshakes = new TlsHandshakes();
    private final HandshakeTurns turns = new HandshakeTurns();
    private final HandshakeTasks tasks = new HandshakeTasks();

    TlsConnections(SslContextFactory.Server context) {
        super(context, "http/1.1");
    }

    @Override
    protected SslConnection newSslConnection(
            Connector connector, EndPoint endPoint, SSLEngine engine) {
        var address =
                endPoint.getRemoteSocketAddress() instanceof InetSocketAddress remote
                        ? remote.getHostString()
                        : "unknown";
        var handshake = handshakes.begin(address);
        return new BoundedConnection(
                connector.getByteBufferPool(),
                connector.getExecutor(),
                getSslContextFactory(),
                endPoint,
                new TaskingEngine(engine, task -> tasks.run(task, () -> !endPoint.isOpen())),
                isDirectBuffersForEncryption(),
                isDirectBuffersForDecryption(),
                handshake,
                work -> turns.step(address, work));
    }

    /// Whether the handshake of `endPoint` has been under way for longer than `nanos`.
    ///
    /// @param now by [System#nanoTime]
    static boolean isHandshakeLate(EndPoint endPoint, long now, long nanos) {
        return endPoint.getConnection() instanceof BoundedConnection bounded
                && bounded.handshake.isLate(now, nanos);
    }

    private static final class BoundedConnection extends SslConnection
            implements SslHandshakeListener {
        private final TlsHandshakes.Handshake handshake;
        private final Function<Runnable, HandshakeTurns.Step> steps;

        /// Null before the first one.
        private volatile HandshakeTurns.@Nullable Step step;

        private volatile boolean isHandshakeOver;

        /// Of the thread that reads: there is one at a time, and Jetty hands the connection on between them.
        private final EmptyRecords withoutData = new EmptyRecords();

        BoundedConnection(
                ByteBufferPool buffers,
                Executor executor,
                SslContextFactory context,
                EndPoint endPoint,
                SSLEngine engine,
                boolean encryptsDirectly,
                boolean decryptsDirectly,
                TlsHandshakes.Handshake handshake,
                Function<Runnable, HandshakeTurns.Step> steps) {
            super(buffers, executor, context, endPoint, engine, encryptsDirectly, decryptsDirectly);
            this.handshake = handshake;
            this.steps = steps;
            addHandshakeListener(this);
        }

        /// Something has come. What belongs to the handshake waits for its turn; the connection asks for no other read before that.
        @Override
        public void onFillable() {
            if (isHandshakeOver) {
                super.onFillable();
                return;
            }
            var next = steps.apply(super::onFillable);
            step = next;
            next.begin();
            if (isHandshakeOver) {
                next.end();
            }
        }

        @Override
        public void handshakeSucceeded(Event event) {
            endHandshake();
        }

        @Override
        public void handshakeFailed(Event event, Throwable failure) {
            endHandshake();
        }

        @Override
        public void onClose(@Nullable Throwable cause) {
            endHandshake();
            super.onClose(cause);
        }

        /// Requests may follow on the same thread, which take as long as they like.
        private void endHandshake() {
            isHandshakeOver = true;
            handshake.end();
            var last = step;
            if (last != null) {
                last.end();
            }
        }

        @Override
        protected SSLEngineResult unwrap(SSLEngine engine, ByteBuffer input, ByteBuffer output)
                throws SSLException {
            var arrived = input.remaining();
            var result = super.unwrap(engine, input, output);
            if (result.bytesProduced() == 0) {
                var isIncomplete = result.bytesConsumed() == 0;
                if (!handshake.hasRoomFor(isIncomplete ? arrived : result.bytesConsumed())) {
                    throw new SSLException(
                            "the handshakes that are under way take all the memory that there is for those of this address; connect later");
                }
                if (!isIncomplete
                        && !withoutData.hasRoomFor(result.bytesConsumed(), !isHandshakeOver)) {
                    throw new SSLException(
                            "the peer has sent more than "
                                    + EmptyRecords.MOST
                                    + " records without data, or "
                                    + EmptyRecords.MOST_BYTES
                                    + " bytes of them; connect anew");
                }
            }
            return result;
        }
    }
}
