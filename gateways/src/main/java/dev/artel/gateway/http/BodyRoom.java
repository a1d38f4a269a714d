package dev.artel.gateway.http;

import dev.artel.gateway.access.AddressBlock;
import dev.artel.json.text.FairShares;
import dev.artel.json.text.ForeignJson;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;

/// How many bytes of large bodies may be in memory: of all requests together, and of those from one address half of what others leave, so that
/// some is left however many of them hold theirs. A request waits
/// for its room before its body is read, and has it until it is answered. Bodies of up to [#FREE] bytes need none: connections are bounded.
/// The large values of answers have such a room as well, of which one client has half of what others leave.
/// Safe for use by many threads.
public final class BodyRoom {
    /// Bodies up to this size need no room.
    public static final int FREE = 64 << 10;

    /// Which part of the heap all of them may take: one divided by it.
    private static final int PART = 8;

    /// The same for their values, which take up to thirty times as much.
    private static final int PART_OF_VALUES = 4;

    /// Under this name a request carries for how many bytes of its answer it has room.
    private static final String ANSWER = "artel.answer.bytes";

    private static final int MOST_WAITING = 256;
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /// Of this process, whose heap it is.
    private static final BodyRoom OF_PROCESS =
            new BodyRoom(Runtime.getRuntime().maxMemory() / PART, LONGEST);

    /// For the large values that answers have, while they are read and written.
    private static final BodyRoom OF_ANSWERS =
            new BodyRoom(
                    Runtime.getRuntime().maxMemory() / PART,
                    LONGEST,
                    "large answers",
                    "read fewer at once, or only what you need (fields)");

    /// For the values of those bodies, while their requests are served.
    private static final BodyRoom OF_VALUES =
            new BodyRoom(Runtime.getRuntime().maxMemory() / PART_OF_VALUES, LONGEST);

    private final long most;
    private final long mostOfOne;
    private final Duration longest;
    private final String what;
    private final String advice;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final FairShares shares;
    private int waiting;

    /// @param most how many bytes there may be
    /// @param longest how long a request waits
    BodyRoom(long most, Duration longest) {
        this(most, longest, "large bodies", "send fewer at once");
    }

    private BodyRoom(long most, Duration longest, String what, String advice) {
        this.what = what;
        this.advice = advice;
        this.most = most;
        this.shares = new FairShares(most);
        this.mostOfOne = Math.max(1, most / 2);
        this.longest = longest;
    }

    /// Waits until there is room for the body of `request`, which has up to `bytes`; the room is free again once it is answered.
    ///
    /// @throws HttpRefusal if there is none within ten seconds, or too many wait
    public static void take(Context request, long bytes) {
        if (bytes <= FREE) {
            return;
        }
        hold(request, OF_PROCESS, addressOf(request), bytes);
    }

    /// Waits until there is room for the value of `body`, the JSON of `request`, if it is large; the room is free again once the request is
    /// answered.
    ///
    /// @throws HttpRefusal if there is none within ten seconds, or too many wait
    public static void takeValue(Context request, byte[] body) {
        var weight = ForeignJson.weightIfLarge(body);
        if (weight > 0) {
            hold(request, OF_VALUES, addressOf(request), weight);
        }
    }

    /// Waits until there is room for the answer to `request` and its large values, if that is large; the room is free again once the request is
    /// answered. Of what it has asked for before it has the larger one.
    ///
    /// @param who whose answer it is
    /// @param bytes how much memory they take
    /// @throws HttpRefusal if there is none within ten seconds, or too many wait
    public static void takeAnswer(Context request, String who, long bytes) {
        Long before = request.attribute(ANSWER);
        var held = before == null ? 0 : before;
        if (bytes - held > FREE) {
            hold(request, OF_ANSWERS, who, bytes - held);
            request.attribute(ANSWER, bytes);
        }
    }

    private static String addressOf(Context request) {
        return AddressBlock.of(String.valueOf(request.ip()));
    }

    private static void hold(Context request, BodyRoom room, String who, long bytes) {
        var place = room.take(who, bytes);
        var whole = ServletContextRequest.getServletContextRequest(request.req());
        Request.addCompletionListener(whole, _ -> place.run());
    }

    /// Waits until there is room.
    ///
    /// @return frees it
    Runnable take(String address, long bytes) {
        // One alone has its room, however large it is.
        var share = Math.min(bytes, mostOfOne);
        lock.lock();
        try {
            await(address, share);
            shares.take(address, share);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw HttpRefusal.later(Duration.ofSeconds(1), "The orchestrator stops");
        } finally {
            lock.unlock();
        }
        return () -> free(address, share);
    }

    private void await(String address, long share) throws InterruptedException {
        if (shares.hasRoom(address, share)) {
            return;
        }
        if (waiting == MOST_WAITING) {
            throw full(address);
        }
        waiting++;
        try {
            var left = longest.toNanos();
            while (!shares.hasRoom(address, share)) {
                if (left <= 0) {
                    throw full(address);
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            waiting--;
        }
    }

    private HttpRefusal full(String address) {
        return HttpRefusal.later(
                ErrorCode.UNAVAILABLE,
                Duration.ofSeconds(1),
                "Too many " + what,
                "%s of %,d bytes are in memory, %,d of them of %s; there are at most %,d at once, and of one half of what others leave: %s"
                        .formatted(
                                what, shares.taken(), shares.of(address), address, most, advice));
    }

    private void free(String address, long share) {
        lock.lock();
        try {
            shares.free(address, share);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// How many bytes have room now.
    long taken() {
        lock.lock();
        try {
            return shares.taken();
        } finally {
            lock.unlock();
        }
    }
}
