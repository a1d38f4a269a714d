package dev.artel.server.feed;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.tokens.TokenDigest;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/// Server-sent events to one reader (HTML Living Standard, section 9.2). Keeps nothing: a reader that does not take in
/// what is written stops the thread that writes, and is cut off after a while.
final class EventStream implements AutoCloseable {
    /// A write that takes no longer is let end by itself.
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static final byte[] ALIVE = ":\n\n".getBytes(US_ASCII);
    private static final byte[] RETRY = "retry: 2000\n\n".getBytes(US_ASCII);
    private static final byte[] DATA = "\ndata: ".getBytes(US_ASCII);
    private static final byte[] END = "\n\n".getBytes(US_ASCII);
    private static final long NOT_WRITING = 0;

    private final String path;
    private final Optional<TokenDigest> session;
    private final Optional<Instant> until;
    private final EndPoint endPoint;
    private final HttpServletResponse response;
    private final ServletOutputStream out;
    private final Consumer<EventStream> end;
    private final AtomicBoolean isCut = new AtomicBoolean();
    private final AtomicReference<@Nullable EventWaiter> eventWaiter = new AtomicReference<>();
    private volatile long writingSince = NOT_WRITING;
    private volatile boolean isOver;

    EventStream(HttpServletRequest request, HttpServletResponse response, Consumer<EventStream> end)
            throws IOException {
        this.path = request.getRequestURI();
        this.session =
                request.getAttribute(OpenStreams.SESSION) instanceof TokenDigest id
                        ? Optional.of(id)
                        : Optional.empty();
        this.until =
                request.getAttribute(OpenStreams.EXPIRES) instanceof Instant expires
                        ? Optional.of(expires)
                        : Optional.empty();
        this.endPoint =
                ServletContextRequest.getServletContextRequest(request)
                        .getConnectionMetaData()
                        .getConnection()
                        .getEndPoint();
        this.response = response;
        this.end = end;
        response.setStatus(200);
        response.setContentType("text/event-stream; charset=utf-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        this.out = response.getOutputStream();
    }

    String path() {
        return path;
    }

    /// The session of the dashboard that reads it; empty: a program with a token does.
    Optional<TokenDigest> session() {
        return session;
    }

    /// Whether the token or the certificate with which it was asked for has ended at `now`.
    boolean isExpired(Instant now) {
        return until.filter(end -> !now.isBefore(end)).isPresent();
    }

    void begin() throws IOException {
        write(RETRY);
        flush();
    }

    /// An event with the id `position`, which reaches the reader with the next [#flush].
    void event(long position, String type, JsonValue what) throws IOException {
        write(head(position, type));
        write(DATA);
        write(JsonText.write(what));
        write(END);
    }

    /// An event as [#event] writes it.
    static byte[] frame(long position, String type, JsonValue what) {
        var frame = new ByteArrayOutputStream();
        frame.writeBytes(head(position, type));
        frame.writeBytes(DATA);
        frame.writeBytes(JsonText.write(what));
        frame.writeBytes(END);
        return frame.toByteArray();
    }

    private static byte[] head(long position, String type) {
        return ("id: " + position + "\nevent: " + type).getBytes(US_ASCII);
    }

    /// An event that is written out already, which reaches the reader with the next [#flush].
    void frame(byte[] bytes) throws IOException {
        write(bytes);
    }

    /// Shows that the stream lives.
    void alive() throws IOException {
        write(ALIVE);
        flush();
    }

    void flush() throws IOException {
        writingSince = System.nanoTime() | 1;
        try {
            response.flushBuffer();
        } finally {
            writingSince = NOT_WRITING;
        }
    }

    /// A reader drops what is cut off in the middle of an event.
    private void write(byte[] bytes) throws IOException {
        if (isOver) {
            return;
        }
        writingSince = System.nanoTime() | 1;
        try {
            out.write(bytes);
        } finally {
            writingSince = NOT_WRITING;
        }
    }

    /// How long what is being written now has been waiting for its reader.
    Duration writesFor(long now) {
        var since = writingSince;
        return since == NOT_WRITING ? Duration.ZERO : Duration.ofNanos(now - since);
    }

    /// Whom to wake when the stream is to end.
    void waitsFor(EventWaiter one) {
        eventWaiter.set(one);
    }

    void wake() {
        var one = eventWaiter.get();
        if (one != null) {
            one.ring();
        }
    }

    /// Nothing more is written, and the answer comes to its end; where a write waits for its reader, the connection is ended.
    void finish() {
        isOver = true;
        if (writesFor(System.nanoTime()).compareTo(SHORT) > 0) {
            cut();
        }
        wake();
    }

    /// Ends the connection under the thread that writes.
    ///
    /// @return whether this call did it
    boolean cut() {
        if (!isCut.compareAndSet(false, true)) {
            return false;
        }
        endPoint.close();
        return true;
    }

    boolean isOpen() {
        return !isOver && !isCut.get() && endPoint.isOpen();
    }

    @Override
    public void close() {
        end.accept(this);
    }
}
