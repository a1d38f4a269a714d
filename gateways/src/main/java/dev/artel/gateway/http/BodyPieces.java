package dev.artel.gateway.http;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/// Watches in how many pieces a body comes. A piece costs the same whatever is in it, and the thread that reads what has arrived already
/// does not wait: a body in chunks of a byte would keep its thread, and the processor under it, for as long as its sender likes. So the
/// thread lets others go first now and then, and a body in very many small pieces is broken off with 400.
public final class BodyPieces implements HttpConfiguration.Customizer {
    /// As many pieces may be of any size.
    static final int FREE = 4_096;

    /// Beyond these, a piece has so many bytes on average.
    static final int LEAST_ON_AVERAGE = 64;

    /// After so many pieces others go first.
    private static final int TURN = 16;

    /// For the configuration of a connector.
    public BodyPieces() {}

    @Override
    public Request customize(Request request, HttpFields.Mutable answer) {
        var hasBody =
                request.getLength() > FREE
                        || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)
                        || (request.getLength() < 0
                                && !request.getHeaders().contains(HttpHeader.UPGRADE));
        return hasBody ? new Watched(request) : request;
    }

    private static final class Watched extends Request.Wrapper {
        private long pieces;
        private long bytes;

        Watched(Request request) {
            super(request);
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // a virtual thread is not interrupted by others
        public Content.Chunk read() {
            var chunk = super.read();
            if (chunk == null || Content.Chunk.isFailure(chunk)) {
                return chunk;
            }
            pieces++;
            bytes += chunk.remaining();
            if (pieces % TURN == 0) {
                Thread.yield();
            }
            if (pieces <= FREE || bytes >= pieces * LEAST_ON_AVERAGE) {
                return chunk;
            }
            chunk.release();
            var broken =
                    new EofException(
                            "the body comes in "
                                    + pieces
                                    + " pieces of "
                                    + bytes
                                    + " bytes together; send larger ones");
            super.fail(broken);
            return Content.Chunk.from(broken, true);
        }
    }
}
