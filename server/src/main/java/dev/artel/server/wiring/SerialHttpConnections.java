package dev.artel.server.wiring;

import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;

/// Connections of HTTP/1.1 that one thread at a time reads.
///
/// Jetty (12.1.13 and before) answers a request that cannot be parsed while the thread that found it out is still parsing, and the end of that answer has another thread go on with
/// the connection. Both then own its buffer: the one gives it back to the pool while the other reads the socket into it, and the bytes of the broken request end up in the request of
/// another connection.
///
/// A request has at most [#MOST_FIELDS] fields, and as many trailers: each takes a hundred bytes of memory, however short it is, for as long as
/// the request arrives or waits.
final class SerialHttpConnections extends HttpConnectionFactory {
    /// As with other servers; a browser behind two proxies sends forty.
    static final int MOST_FIELDS = 100;

    SerialHttpConnections(HttpConfiguration http) {
        super(http);
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        var connection = new Serial(getHttpConfiguration(), connector, endPoint);
        connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
        return configure(connection, connector, endPoint);
    }

    private static final class Serial extends HttpConnection {
        /// How often it was to be read since the thread that reads it began.
        private final AtomicInteger wanted = new AtomicInteger();

        Serial(HttpConfiguration http, Connector connector, EndPoint endPoint) {
            super(http, connector, endPoint);
        }

        @Override
        protected RequestHandler newRequestHandler() {
            return new FewFields();
        }

        private final class FewFields extends RequestHandler {
            private int fields;
            private int trailers;

            @Override
            public void messageBegin() {
                fields = 0;
                trailers = 0;
                super.messageBegin();
            }

            @Override
            public void parsedHeader(HttpField field) {
                require(++fields);
                super.parsedHeader(field);
            }

            @Override
            public void parsedTrailer(HttpField field) {
                require(++trailers);
                super.parsedTrailer(field);
            }

            private static void require(int count) {
                if (count > MOST_FIELDS) {
                    throw new HttpException.RuntimeException(
                            HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431,
                            "a request has at most " + MOST_FIELDS + " fields");
                }
            }
        }

        /// A thread that comes while another one reads leaves the rest to that one.
        @Override
        public void onFillable() {
            if (wanted.getAndIncrement() > 0) {
                return;
            }
            super.onFillable();
            for (var left = wanted.addAndGet(-1); left > 0; left = wanted.addAndGet(-left)) {
                if (isInPlace()) {
                    super.onFillable();
                }
            }
        }

        /// Whether no other protocol has taken over.
        @SuppressWarnings("ReferenceEquality") // the very connection
        private boolean isInPlace() {
            return getEndPoint().getConnection() == this;
        }
    }
}
