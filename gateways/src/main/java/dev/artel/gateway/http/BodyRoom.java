package dev.artel.gateway.http;

import dev.artel.gateway.access.AddressBlock;
import dev.artel.json.text.FairShares;
import dev.artel.json.text.ForeignJson;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/// How many bytes of bodies may be in memory: of all requests together, and of those of one client, or from one address where it is not known whose they
/// are, half of what others leave, so that some is left however many of them hold theirs. A request waits
/// for its room before its body is read, and has it until it is answered. Bodies of up to [#FREE] bytes, and the values of short texts, need none as long as
/// all of them together take little, as those of all but a flood do.
/// The large values of answers have such a room as well, of which one client has half of what others leave.
/// Those that wait have room by turns of clients and addresses. Safe for use by many threads.
public final class BodyRoom {
    /// Under this name a request carries whose it is, once that is known.
    public static final String OWNER = "artel.body.owner";

    /// A body of unknown length has room for so many bytes, and for as many again when they have come.
    private static final int FIRST = 4 << 10;

    /// Bodies up to this size need no room while there are few.
    public static final int FREE = 64 << 10;

    /// As many bodies of this size as there are connections take next to nothing.
    private static final int NEGLIGIBLE = 1 << 10;

    /// The same for texts of which values are made, which take many times as much.
    private static final int NEGLIGIBLE_TEXT = 256;

    /// Which part of the heap small ones may take without room of their own: one divided by it.
    private static final int PART_OF_SMALL = 16;

    /// Which part of the heap all of them may take: one divided by it.
    private static final int PART = 8;

    /// The same for their values, which take up to thirty times as much.
    private static final int PART_OF_VALUES = 4;

    /// Under this name a request carries for how many bytes of its answer it has room.
    private static final String ANSWER = "artel.answer.bytes";

    private static final int MOST_WAITING = 1_024;

    /// Of small ones, which would be served at once but for a flood.
    private static final int MOST_SMALL_WAITING = 8_192;

    /// Of both one client or address has at most one divided by this.
    private static final int PART_OF_WAITING = 4;

    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final long HEAP = Runtime.getRuntime().maxMemory();

    /// Of this process, whose heap it is.
    private static final BodyRoom OF_PROCESS =
            new BodyRoom(HEAP / PART, HEAP / PART_OF_SMALL, LONGEST);

    /// For the large values that answers have, while they are read and written.
    private static final BodyRoom OF_ANSWERS =
            new BodyRoom(
                    HEAP / PART,
                    0,
                    LONGEST,
                    "large answers",
                    "read fewer at once, or only what you need (fields)");

    /// For the values of those bodies, while their requests are served.
    private static final BodyRoom OF_VALUES =
            new BodyRoom(HEAP / PART_OF_VALUES, HEAP / PART_OF_SMALL, LONGEST);

    private final long most;
    private final long mostOfOne;
    private final long mostSmall;
    private final Duration longest;
    private final String what;
    private final String advice;

    /// What small ones take that have no room of their own.
    private final AtomicLong small = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();

    /// All below are guarded by [#lock].
    private final FairShares shares;

    /// Of each line those that wait, which are one at least; order: that of the turns.
    private final SequencedMap<Line, Deque<Waiting>> waiting = new LinkedHashMap<>();

    private int largeWaiting;
    private int smallWaiting;

    /// Those of one address wait behind each other, and small ones not behind large ones.
    private record Line(String address, boolean isSmall) {}

    private static final class Waiting {
        final long bytes;
        final Condition turn;
        boolean hasRoom;

        Waiting(long bytes, Condition turn) {
            this.bytes = bytes;
            this.turn = turn;
        }
    }

    /// @param most how many bytes there may be
    /// @param mostSmall how many bytes of small ones there may be beside them
    /// @param longest how long a request waits
    BodyRoom(long most, long mostSmall, Duration longest) {
        this(most, mostSmall, longest, "large bodies", "send fewer at once");
    }

    private BodyRoom(long most, long mostSmall, Duration longest, String what, String advice) {
        this.what = what;
        this.advice = advice;
        this.most = most;
        this.mostSmall = mostSmall;
        this.shares = new FairShares(most);
        this.mostOfOne = Math.max(1, most / 2);
        this.longest = longest;
    }

    /// Waits until there is room for the body of `request`, which has up to `bytes`; the room is free again once it is answered.
    ///
    /// @throws HttpRefusal if there is none within ten seconds, or too many wait
    public static void take(Context request, long bytes) {
        if (bytes > FREE) {
            hold(request, OF_PROCESS.take(ownerOf(request), bytes));
        } else if (bytes > NEGLIGIBLE) {
            hold(request, OF_PROCESS.takeSmall(() -> ownerOf(request), bytes));
        }
    }

    /// Waits until there is room for the value of `body`, the JSON of `request`; the room is free again once the request is answered.
    ///
    /// @throws HttpRefusal if there is none within ten seconds, or too many wait
    public static void takeValue(Context request, byte[] body) {
        if (body.length > FREE) {
            hold(request, OF_VALUES.take(ownerOf(request), ForeignJson.weight(body)));
        } else if (body.length > NEGLIGIBLE_TEXT) {
            hold(request, OF_VALUES.takeSmall(() -> ownerOf(request), ForeignJson.weight(body)));
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
            hold(request, OF_ANSWERS.take(who, bytes - held));
            request.attribute(ANSWER, bytes);
        }
    }

    /// The body of `request`, whose length is unknown, up to `most` bytes and one more. Its room grows with what has come of it, so that one that comes
    /// slowly has little.
    ///
    /// @throws HttpRefusal if there is none within ten seconds, or too many wait
    /// @throws IOException if it cannot be read
    public static byte[] read(Context request, InputStream in, int most) throws IOException {
        return read(in, most, bytes -> take(request, bytes));
    }

    /// @param room waits until there is room for so many bytes more
    static byte[] read(InputStream in, int most, LongConsumer room) throws IOException {
        var has = Math.min(FIRST, most + 1);
        room.accept(has);
        var bytes = in.readNBytes(has);
        while (bytes.length == has && has <= most) {
            var more = Math.min(has, most + 1 - has);
            room.accept(more);
            var grown = Arrays.copyOf(bytes, has + more);
            var read = in.readNBytes(grown, has, more);
            bytes = read < more ? Arrays.copyOf(grown, has + read) : grown;
            has += more;
        }
        return bytes;
    }

    /// Whose `request` is: the client, or the address where that is not known.
    public static String ownerOf(Context request) {
        @Nullable String owner = request.attribute(OWNER);
        return owner == null ? "address " + AddressBlock.of(String.valueOf(request.ip())) : owner;
    }

    private static void hold(Context request, Runnable place) {
        var whole = ServletContextRequest.getServletContextRequest(request.req());
        Request.addCompletionListener(whole, _ -> place.run());
    }

    /// Waits until there is room.
    ///
    /// @return frees it
    Runnable take(String address, long bytes) {
        return take(address, bytes, false);
    }

    /// As [#take], of what needs no room while all such take little together.
    Runnable takeSmall(Supplier<String> address, long bytes) {
        if (small.addAndGet(bytes) <= mostSmall) {
            return () -> small.addAndGet(-bytes);
        }
        small.addAndGet(-bytes);
        return take(address.get(), bytes, true);
    }

    private Runnable take(String address, long bytes, boolean isSmall) {
        // One alone has its room, however large it is.
        var share = Math.min(bytes, mostOfOne);
        var line = new Line(address, isSmall);
        lock.lock();
        try {
            if (!waiting.containsKey(line) && shares.hasRoom(address, share)) {
                shares.take(address, share);
            } else {
                await(line, share);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw HttpRefusal.later(Duration.ofSeconds(1), "The orchestrator stops");
        } finally {
            lock.unlock();
        }
        return () -> free(address, share);
    }

    private void await(Line line, long share) throws InterruptedException {
        var there = waiting.get(line);
        var own = there == null ? 0 : there.size();
        var mostWaiting = line.isSmall ? MOST_SMALL_WAITING : MOST_WAITING;
        if (own >= mostWaiting / PART_OF_WAITING
                || (line.isSmall ? smallWaiting : largeWaiting) >= mostWaiting) {
            throw full(line.address);
        }
        var mine = new Waiting(share, lock.newCondition());
        waiting.computeIfAbsent(line, _ -> new ArrayDeque<>()).add(mine);
        count(line, 1);
        try {
            var left = longest.toNanos();
            while (!mine.hasRoom) {
                if (left <= 0) {
                    throw full(line.address);
                }
                left = mine.turn.awaitNanos(left);
            }
        } catch (InterruptedException stopped) {
            if (mine.hasRoom) {
                shares.free(line.address, share);
            }
            throw stopped;
        } finally {
            count(line, -1);
            if (!mine.hasRoom) {
                forget(line, mine);
            }
            grant();
        }
    }

    private void count(Line line, int more) {
        if (line.isSmall) {
            smallWaiting += more;
        } else {
            largeWaiting += more;
        }
    }

    private void forget(Line line, Waiting gone) {
        var ofLine = waiting.get(line);
        if (ofLine != null && ofLine.remove(gone) && ofLine.isEmpty()) {
            waiting.remove(line);
        }
    }

    /// Gives room to those whose turn it is, as far as there is any.
    private void grant() {
        for (var next = next(); next != null; next = next()) {
            var ofLine = waiting.remove(next);
            if (ofLine == null) {
                throw new IllegalStateException("nothing of " + next + " waits");
            }
            var first = ofLine.removeFirst();
            if (!ofLine.isEmpty()) {
                waiting.put(next, ofLine);
            }
            shares.take(next.address, first.bytes);
            first.hasRoom = true;
            first.turn.signal();
        }
    }

    private @Nullable Line next() {
        if (shares.taken() >= most) {
            return null;
        }
        for (var each : waiting.sequencedEntrySet()) {
            if (shares.hasRoom(each.getKey().address, each.getValue().getFirst().bytes)) {
                return each.getKey();
            }
        }
        return null;
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
            grant();
        } finally {
            lock.unlock();
        }
    }

    /// How many bytes have room now.
    long taken() {
        lock.lock();
        try {
            return shares.taken() + small.get();
        } finally {
            lock.unlock();
        }
    }

    /// How many requests wait.
    int waiting() {
        lock.lock();
        try {
            return largeWaiting + smallWaiting;
        } finally {
            lock.unlock();
        }
    }
}
