package dev.artel.gateway.http;

import io.javalin.http.Context;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is left of the body of a request that is answered before the body has been read: since it is refused, or since its
/// route takes none.
///
/// TCP resets a connection that is closed while bytes wait to be read, and the reset destroys an answer that the sender has
/// not read yet. The server therefore reads the rest and drops it, up to [#MOST] bytes and for [#LONGEST] nanoseconds; nginx
/// calls it a lingering close. A sender that asks before it sends (`Expect: 100-continue`) sends nothing more.
public final class UnreadBody {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadBody.class);

    /// Methods whose routes read no body.
    private static final Set<String> WITHOUT = Set.of("GET", "HEAD", "DELETE", "OPTIONS");

    private static final long MOST = 8L << 20;
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(5);
    private static final int PIECE = 16 << 10;

    /// What is dropped comes in as many pieces at most, whatever is in them: each costs the same.
    private static final int MOST_PIECES = 4_096;

    private UnreadBody() {}

    /// Drops the body of a request whose route reads none, as a `GET` may have one. For before its handler.
    public static void dropOfReader(Context request) {
        if (WITHOUT.contains(request.req().getMethod())
                && isThere(request)
                && request.header("Expect") == null) {
            var _ = drop(request);
        }
    }

    /// Drops what is left of the body of a request that is answered with `status`. Where it is not read to its end, the connection is closed behind the answer, and the
    /// answer has that, so that the sender does not use it again. Before the answer is written.
    public static void beforeAnswer(Context request, int status) {
        var waits = request.header("Expect") != null;
        // Where the sender waits for leave, looking for the body would give it.
        if (!isThere(request) || (waits && status < 400)) {
            return;
        }
        // Where the token is wrong, the body is too large, or it came too slowly, nothing else is
        // worth waiting for.
        var ends = status == 401 || status == 408 || status == 413;
        var isAtEnd = status != 408 && !waits && drop(request);
        if (ends || !isAtEnd) {
            request.header("Connection", "close");
        }
    }

    /// Drops what the handler of a request has not read. For after its handler.
    public static void dropBeforeAnswer(Context request) {
        if (!request.res().isCommitted()) {
            beforeAnswer(request, request.statusCode());
        }
    }

    /// Whether `request` has a body.
    private static boolean isThere(Context request) {
        return request.req().getContentLengthLong() > 0
                || request.header("Transfer-Encoding") != null;
    }

    /// @return whether it was read to its end
    private static boolean drop(Context request) {
        var began = System.nanoTime();
        try {
            var in = request.req().getInputStream();
            if (in.isFinished()) {
                return true;
            }
            var rest = new byte[PIECE];
            var dropped = 0L;
            var pieces = 0;
            for (var read = 0;
                    dropped <= MOST && System.nanoTime() - began < LONGEST;
                    dropped += read) {
                read = in.read(rest);
                if (read < 0) {
                    return true;
                }
                pieces++;
                if (pieces > MOST_PIECES) {
                    return false;
                }
            }
        } catch (IOException gone) {
            LOG.atDebug().setCause(gone).log("the sender of a refused body hung up");
        }
        return false;
    }
}
