package dev.artel.server.wiring;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// Connections over TLS, which end when their peers send more records without data than anybody needs. Jetty reads on within one call as
/// long as such records come, new keys, empty ones, warnings or pieces of a handshake, on a virtual thread that leaves its carrier to no
/// other meanwhile; and each new key costs a hundred times what it costs to send it.
final class TlsConnections extends SslConnectionFactory {
    /// A handshake has a dozen, and those who write terabytes change their keys some times.
    static final int MOST_WITHOUT_DATA = 1_000;

    TlsConnections(SslContextFactory.Server context) {
        super(context, "http/1.1");
    }

    @Override
    protected SslConnection newSslConnection(
            Connector connector, EndPoint endPoint, SSLEngine engine) {
        return new BoundedConnection(
                connector.getByteBufferPool(),
                connector.getExecutor(),
                getSslContextFactory(),
                endPoint,
                engine,
                isDirectBuffersForEncryption(),
                isDirectBuffersForDecryption());
    }

    private static final class BoundedConnection extends SslConnection {
        /// Of the thread that reads: there is one at a time, and Jetty hands the connection on between them.
        private int withoutData;

        BoundedConnection(
                ByteBufferPool buffers,
                Executor executor,
                SslContextFactory context,
                EndPoint endPoint,
                SSLEngine engine,
                boolean encryptsDirectly,
                boolean decryptsDirectly) {
            super(buffers, executor, context, endPoint, engine, encryptsDirectly, decryptsDirectly);
        }

        @Override
        protected SSLEngineResult unwrap(SSLEngine engine, ByteBuffer input, ByteBuffer output)
                throws SSLException {
            var result = super.unwrap(engine, input, output);
            if (result.bytesConsumed() > 0
                    && result.bytesProduced() == 0
                    && ++withoutData > MOST_WITHOUT_DATA) {
                throw new SSLException(
                        "the peer has sent more than "
                                + MOST_WITHOUT_DATA
                                + " records without data; connect anew");
            }
            return result;
        }
    }
}
