package dev.artel.server.feed;

import dev.artel.access.Shares;
import dev.artel.engine.shell.Schedule;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.tokens.TokenDigest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The streams that are open: not too many, none whose reader does not keep up, and none longer than the token or the certificate with which it
/// was asked for is good. Safe for use by many threads.
public final class OpenStreams implements AutoCloseable {
    /// Under this name a request carries when the token or the certificate ends with which it was sent, an [java.time.Instant].
    public static final String EXPIRES = "artel.token.expires";

    /// Under this name a request carries the digest that is the id of its session.
    public static final String SESSION = "artel.session";

    private static final Logger LOG = LoggerFactory.getLogger(OpenStreams.class);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Limits limits;
    private final InstantSource clock;
    private final Shares room;
    private final Set<EventStream> open = ConcurrentHashMap.newKeySet();
    private final LongAdder dropped = new LongAdder();
    private final Schedule schedule = new Schedule("artel-streams");
    private volatile Predicate<TokenDigest> isSessionOpen = _ -> true;
    private volatile boolean isClosed;

    /// How much is taken from those who listen.
    ///
    /// @param streams how many may be open
    /// @param writeTimeout how long a reader may take to take in what is there
    /// @param silence after so long without an event a comment shows that the stream lives
    public record Limits(int streams, Duration writeTimeout, Duration silence) {
        /// 10 s for a reader, a comment each 15 s.
        public static Limits of(int streams) {
            return new Limits(streams, Duration.ofSeconds(10), Duration.ofSeconds(15));
        }
    }

    /// No streams yet.
    public OpenStreams(Limits limits) {
        this(limits, InstantSource.system());
    }

    /// No streams yet.
    ///
    /// @param clock by which tokens and certificates end
    public OpenStreams(Limits limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
        this.room = new Shares(limits.streams());
        schedule.repeat(LOOK, this::look);
    }

    /// Ends streams of sessions of the dashboard that end.
    ///
    /// @param isOpen whether the session with an id is open; is asked twice a second for each of its streams
    public void endUnless(Predicate<TokenDigest> isOpen) {
        isSessionOpen = isOpen;
    }

    /// Takes room for a stream of `client`, for [#open].
    Shares.Taken take(String client) {
        return isClosed ? Shares.Taken.NO_ROOM : room.take(client);
    }

    /// Begins a stream, for which room is taken, as the answer to `request`.
    ///
    /// @throws IOException if the reader is gone; the room is given back
    /// @throws HttpRefusal if the request is for the head alone, which would wait for the end of the stream; the room is given back
    EventStream open(String client, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        EventStream stream;
        try {
            if (request.getMethod().equals("HEAD")) {
                throw new HttpRefusal(
                        ErrorCode.METHOD_NOT_ALLOWED,
                        "Method Not Allowed",
                        "a stream of events is read with GET; its head alone shows nothing");
            }
            stream = new EventStream(request, response, one -> ended(client, one));
        } catch (IOException | RuntimeException failed) {
            room.release(client);
            throw failed;
        }
        open.add(stream);
        try {
            stream.begin();
            return stream;
        } catch (IOException | RuntimeException failed) {
            stream.close();
            throw failed;
        }
    }

    private void ended(String client, EventStream stream) {
        if (open.remove(stream)) {
            room.release(client);
        }
    }

    /// How many are open.
    public int count() {
        return open.size();
    }

    /// How many were ended since their readers did not keep up.
    public long dropped() {
        return dropped.sum();
    }

    Duration silence() {
        return limits.silence();
    }

    boolean isClosed() {
        return isClosed;
    }

    private void look() {
        var now = System.nanoTime();
        for (var stream : open) {
            if (stream.writesFor(now).compareTo(limits.writeTimeout()) > 0 && stream.cut()) {
                dropped.increment();
                LOG.atInfo()
                        .addKeyValue("path", stream.path())
                        .log("ended a stream whose reader does not keep up");
            }
            if (stream.isExpired(clock.instant())
                    || !stream.session().map(isSessionOpen::test).orElse(true)) {
                stream.finish();
            }
        }
    }

    /// Ends those that are open: who may still read comes back and goes on where it was.
    public void endAll() {
        open.forEach(EventStream::finish);
    }

    /// No more streams; those that are open end soon.
    @Override
    public void close() {
        isClosed = true;
        open.forEach(EventStream::wake);
        schedule.close();
    }
}
