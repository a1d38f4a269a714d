package dev.artel.server.wiring;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
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
final class TlsConnections extends SslConnectionFactory {
    /// A handshake has a dozen, and those who write terabytes change their keys some times.
    static final int MOST_WITHOUT_DATA = 1_000;

    private final Handshakes handshakes = new Handshakes();

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
        return new BoundedConnection(
                connector.getByteBufferPool(),
                connector.getExecutor(),
                getSslContextFactory(),
                endPoint,
                engine,
                isDirectBuffersForEncryption(),
                isDirectBuffersForDecryption(),
                handshakes.begin(address));
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
        private final Handshakes.Handshake handshake;

        /// Of the thread that reads: there is one at a time, and Jetty hands the connection on between them.
        private int withoutData;

        BoundedConnection(
                ByteBufferPool buffers,
                Executor executor,
                SslContextFactory context,
                EndPoint endPoint,
                SSLEngine engine,
                boolean encryptsDirectly,
                boolean decryptsDirectly,
                Handshakes.Handshake handshake) {
            super(buffers, executor, context, endPoint, engine, encryptsDirectly, decryptsDirectly);
            this.handshake = handshake;
            addHandshakeListener(this);
        }

        @Override
        public void handshakeSucceeded(Event event) {
            handshake.end();
        }

        @Override
        public void handshakeFailed(Event event, Throwable failure) {
            handshake.end();
        }

        @Override
        public void onClose(@Nullable Throwable cause) {
            handshake.end();
            super.onClose(cause);
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
                if (!isIncomplete && ++withoutData > MOST_WITHOUT_DATA) {
                    throw new SSLException(
                            "the peer has sent more than "
                                    + MOST_WITHOUT_DATA
                                    + " records without data; connect anew");
                }
            }
            return result;
        }
    }
}
