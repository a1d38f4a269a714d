package dev.artel.gateway.zeromq;

import dev.artel.json.text.FairShares;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;

/// How many connections a second are let in whose first messages are expensive: the greeting, `HELLO` and `INITIATE` of CURVE take the one thread of the library some milliseconds each, before anything
/// shows whose the connection is, and all workers wait meanwhile. An address has at most half of what others leave. Not safe for use by many threads.
final class NewConnections {
    /// With a key of the orchestrator such a connection takes some 15 ms.
    static final int MOST = 40;

    static final Duration WITHIN = Duration.ofSeconds(1);

    private final FairShares shares = new FairShares(MOST);
    private final Queue<New> lately = new ArrayDeque<>();

    private record New(String block, Instant until) {}

    /// Whether one more of `block` is let in.
    boolean isLetIn(String block, Instant now) {
        for (var first = lately.peek();
                first != null && !first.until().isAfter(now);
                first = lately.peek()) {
            shares.free(first.block(), 1);
            var _ = lately.remove();
        }
        if (!shares.hasRoom(block, 1)) {
            return false;
        }
        shares.take(block, 1);
        lately.add(new New(block, now.plus(WITHIN)));
        return true;
    }
}
