package dev.artel.gateway.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A connection that remembers what the last requests meant: a worker with nothing to do says the same bytes thousands of
/// times, and to parse them costs many times what it costs to answer.
///
/// Nothing is parsed here. A request is read as usual the first time; what is remembered is its bytes, if they came in
/// one piece with nothing after them, and what the [ShortCut] took them for. Bytes that differ in anything are read as usual
/// again. Used by the thread that reads connections; answers may come from any.
final class RepeatingConnection extends HttpConnection {
    private static final Logger LOG = LoggerFactory.getLogger(RepeatingConnection.class);
    private static final int LARGEST = 1 << 10;

    /// How many times as long as others a connection of a worker may be idle. Its timer would go off again and again
    /// between two heartbeats.
    private static final int PATIENCE = 10;

    private static final String OVER = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";

    private static final EnumSet<HttpHeader> EXTRAORDINARY =
            EnumSet.of(HttpHeader.EXPECT, HttpHeader.UPGRADE, HttpHeader.TRANSFER_ENCODING);

    private static final ThreadLocal<ByteBuffer> HEARD =
            ThreadLocal.withInitial(() -> BufferUtil.allocateDirect(LARGEST));

    private final Answerer answerer;
    private final Next next = new Next();

    /// Two: a client may say heartbeats and polls on one connection.
    private final @Nullable Memory[] memories = new Memory[2];

    private int newest;
    private boolean isPatient;

    /// The request that is being read as usual, if it may be remembered.
    private byte @Nullable [] heard;

    /// Whether something came that is no HTTP.
    private boolean isBad;

    private long bytesBefore;
    private long requestsBefore;

    /// Whether a poll waits of which Jetty knows nothing.
    private volatile boolean waits;

    /// A request, what it was taken for, and what was answered last.
    private static final class Memory {
        final ByteBuffer said;
        final Known known;
        @Nullable JsonValue answer;
        byte[] written = {};

        Memory(ByteBuffer said, Known known) {
            this.said = said;
            this.known = known;
        }
    }

    /// Who answers what is known.
    interface Answerer {
        /// Whether it is answered, or will be.
        boolean answers(Exchange exchange, Known known);

        /// A header that each answer has besides the usual ones, with its line's end; empty if none.
        String header();
    }

    RepeatingConnection(
            HttpConfiguration configuration,
            Connector connector,
            EndPoint endPoint,
            Answerer answerer) {
        super(configuration, connector, endPoint);
        this.answerer = answerer;
    }

    @Override
    public void onFillable() {
        // A virtual thread would make a buffer for itself.
        if (!isRequestBufferEmpty()
                || !getParser().isStart()
                || Thread.currentThread().isVirtual()) {
            super.onFillable();
            return;
        }
        var buffer = HEARD.get();
        BufferUtil.clear(buffer);
        if (fill(buffer) <= 0) {
            super.onFillable(); // finds the same, and knows what to do about it
            return;
        }
        var memory = memoryOf(buffer);
        if (memory != null && isAnswered(memory)) {
            return;
        }
        if (buffer.remaining() < LARGEST) {
            heard = new byte[buffer.remaining()];
            buffer.get(buffer.position(), heard);
            bytesBefore = getBytesIn();
            requestsBefore = getMessagesIn();
        }
        onUpgradeTo(buffer);
        super.onFillable();
        heard = null;
    }

    private boolean isAnswered(Memory memory) {
        try {
            return answerer.answers(new Turn(memory), memory.known);
        } catch (RuntimeException bug) {
            LOG.atError().setCause(bug).log("a request that was known could not be answered");
            getEndPoint().close(bug);
            return true;
        }
    }

    private int fill(ByteBuffer buffer) {
        try {
            return getEndPoint().fill(buffer);
        } catch (IOException broken) {
            return -1;
        }
    }

    private @Nullable Memory memoryOf(ByteBuffer buffer) {
        for (var memory : memories) {
            if (memory != null && memory.said.equals(buffer)) {
                return memory;
            }
        }
        return null;
    }

    /// Remembers what `request`, which has been read to its end, was taken for, if the thread that reads its connection
    /// has got that far itself.
    static void learn(Request request, Known known) {
        if (request.getConnectionMetaData().getConnection()
                        instanceof RepeatingConnection connection
                && connection.equals(getCurrentConnection())
                && isOrdinary(request)) {
            connection.learn(known);
        }
    }

    private void learn(Known known) {
        var bytes = heard;
        // Not if Jetty has read on, so that the request came in several pieces, or if there was
        // another one before or after it.
        if (bytes != null
                && getBytesIn() == bytesBefore
                && getMessagesIn() == requestsBefore + 1
                && isRequestBufferEmpty()) {
            var memory = new Memory(ByteBuffer.wrap(bytes), known);
            var outdated = Arrays.asList(memories).indexOf(memoryOf(memory.said));
            newest = outdated >= 0 ? outdated : 1 - newest;
            memories[newest] = memory;
            if (!isPatient) {
                isPatient = true;
                getEndPoint().setIdleTimeout(PATIENCE * getEndPoint().getIdleTimeout());
            }
        }
    }

    /// Whether its bytes decide about its answer alone, and the connection stays open afterwards.
    private static boolean isOrdinary(Request request) {
        var headers = request.getHeaders();
        var connection = headers.get(HttpHeader.CONNECTION);
        return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1
                && (connection == null || connection.equalsIgnoreCase("keep-alive"))
                && !headers.contains(EXTRAORDINARY)
                && !headers.contains("X-Request-Id");
    }

    @Override
    protected RequestHandler newRequestHandler() {
        return new RequestHandler() {
            @Override
            public void badMessage(HttpException failure) {
                isBad = true;
                super.badMessage(failure);
            }
        };
    }

    /// What is no HTTP is answered by another thread, and nothing is read after it: the end of what the sender says would
    /// close the connection before the answer is written.
    @Override
    public void fillInterested(Callback callback) {
        if (!isBad) {
            super.fillInterested(callback);
        }
    }

    @Override
    public boolean onIdleExpired(TimeoutException timeout) {
        return !waits && super.onIdleExpired(timeout);
    }

    /// The next request may come.
    private void goOn() {
        waits = false;
        getEndPoint().fillInterested(next);
    }

    private final class Next implements Callback {
        @Override
        public void succeeded() {
            onFillable();
        }

        @Override
        public void failed(Throwable why) {
            onFillInterestedFailed(why);
        }

        @Override
        public InvocationType getInvocationType() {
            return getServer().getInvocationType();
        }
    }

    /// A request that was known.
    private final class Turn implements Exchange {
        private final Memory memory;

        Turn(Memory memory) {
            this.memory = memory;
        }

        /// Written once as long as it stays the same object, as the record of a worker does that says nothing new.
        @Override
        @SuppressWarnings("ReferenceEquality") // to compare them would cost more than to write them
        public byte[] written(JsonValue body) {
            if (memory.answer != body) {
                memory.written = JsonText.write(body);
                memory.answer = body;
            }
            return memory.written;
        }

        @Override
        public void answer(
                int status, @Nullable String type, long retryAfter, byte[] body, Callback written) {
            var head = head(status, type, retryAfter, body.length).getBytes(ISO_8859_1);
            var date = getServer().getDateField().toString().getBytes(ISO_8859_1);
            var all = ByteBuffer.allocate(head.length + date.length + 4 + body.length);
            all.put(head).put(date).put((byte) '\r').put((byte) '\n');
            all.put((byte) '\r').put((byte) '\n').put(body).flip();
            getEndPoint()
                    .write(
                            Callback.from(
                                    () -> {
                                        written.succeeded();
                                        goOn();
                                    },
                                    broken -> {
                                        written.failed(broken);
                                        getEndPoint().close(broken);
                                    }),
                            all);
        }

        private String head(int status, @Nullable String type, long retryAfter, int length) {
            var head = new StringBuilder(256).append("HTTP/1.1 ").append(status).append(' ');
            head.append(HttpStatus.getMessage(status)).append("\r\n").append(answerer.header());
            if (retryAfter > 0) {
                head.append("Retry-After: ").append(retryAfter).append("\r\n");
            }
            if (type != null) {
                head.append("Content-Type: ").append(type).append("\r\n");
                head.append("Content-Length: ").append(length).append("\r\n");
            }
            return head.toString();
        }

        @Override
        public Hangup watch(Runnable gone) {
            waits = true;
            return Hangup.watch(getEndPoint(), gone);
        }

        @Override
        public void over() {
            var end = getEndPoint();
            end.write(
                    Callback.from(end::close, end::close),
                    ByteBuffer.wrap(OVER.getBytes(ISO_8859_1)));
        }

        @Override
        public void fail(Throwable why) {
            getEndPoint().close(why);
        }
    }
}
