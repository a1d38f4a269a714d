package dev.artel.server.api.http;

import dev.artel.engine.shell.LongLivedHeap;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.log.LinesAMinute;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Refuses what adds to the heap while almost all of it is in use. Each kind of thing in memory has a bound of its own; this one is for all of them together, and for what
/// no bound counts: the process answers on, and does not end. What frees memory is not refused: results, heartbeats, cancels. Small requests of a client go on at a slow
/// pace, as long as a little is left, so that those who fill the heap do not shut the others out. Safe for use by many threads.
public final class FreeHeap {
    private static final Logger LOG = LoggerFactory.getLogger(FreeHeap.class);

    /// How much of the part of the heap that has what lives long may be in use after its last collection, in percent.
    private static final int MOST = 88;

    /// Up to here small requests go on, in percent.
    private static final int MOST_WITH_SMALL = 94;

    /// A request with a body of so many bytes is small.
    private static final long SMALL = 64 << 10;

    /// While it is almost full, a client has one small request in this time.
    private static final Duration BETWEEN_SMALL = Duration.ofMillis(500);

    /// Of how many clients it is known when they had one last.
    private static final int MOST_CLIENTS = 1_000;

    /// While it is almost full, a collection after this time shows whether it still is.
    private static final Duration BETWEEN = Duration.ofSeconds(5);

    private static final Duration AFTER = Duration.ofSeconds(5);
    private static final FreeHeap OF_PROCESS = ofProcess();

    private final LongSupplier used;
    private final LongSupplier size;
    private final Runnable collect;
    private final LongSupplier now;
    private final LinesAMinute lines = new LinesAMinute(1);
    private final ReentrantLock lock = new ReentrantLock();

    /// By [#now]; null: never. Guarded by [#lock].
    private @Nullable Long collected;

    /// Client to when it had its last small request, by [#now]; the one first that had none for longest. Guarded by [#lock].
    private final SequencedMap<String, Long> lastSmall = new LinkedHashMap<>();

    /// @param used how many bytes were in use after the last collection
    /// @param size how many there are
    /// @param collect runs a collection
    /// @param now the time in nanoseconds, from whenever
    FreeHeap(LongSupplier used, LongSupplier size, Runnable collect, LongSupplier now) {
        this.used = used;
        this.size = size;
        this.collect = collect;
        this.now = now;
    }

    private static FreeHeap ofProcess() {
        var heap = LongLivedHeap.ofProcess();
        return new FreeHeap(heap::used, heap::most, System::gc, System::nanoTime);
    }

    /// Refuses a request that adds to the heap, if that is almost full.
    ///
    /// @param who whose request it is
    /// @param bytes of its body
    /// @throws HttpRefusal with 503 if it is
    public static void require(String who, long bytes) {
        OF_PROCESS.check(who, bytes);
    }

    void check(String who, long bytes) {
        if (!isShort() || (bytes <= SMALL && mayHaveSmall(who))) {
            return;
        }
        var all = size.getAsLong();
        lines.log(
                LOG.atWarn().addKeyValue("used", used.getAsLong()).addKeyValue("most", all),
                "the heap is almost full, and requests that add to it are refused; give the process a larger one (-Xmx), or let jobs end");
        throw HttpRefusal.later(
                ErrorCode.UNAVAILABLE,
                AFTER,
                "The memory of the orchestrator is almost full",
                "%,d of %,d bytes are in use; try again later, let jobs end or cancel some, or give the orchestrator a larger heap (-Xmx)"
                        .formatted(used.getAsLong(), all));
    }

    private boolean isAbove(int percent) {
        return used.getAsLong() > size.getAsLong() / 100 * percent;
    }

    private boolean mayHaveSmall(String who) {
        lock.lock();
        try {
            var last = lastSmall.get(who);
            if (isAbove(MOST_WITH_SMALL)
                    || (last != null && now.getAsLong() - last < BETWEEN_SMALL.toNanos())) {
                return false;
            }
            lastSmall.putLast(who, now.getAsLong());
            if (lastSmall.size() > MOST_CLIENTS) {
                lastSmall.pollFirstEntry();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean isShort() {
        if (!isAbove(MOST)) {
            return false;
        }
        lock.lock();
        try {
            if (isAbove(MOST)
                    && (collected == null || now.getAsLong() - collected >= BETWEEN.toNanos())) {
                collect.run();
                collected = now.getAsLong();
            }
            return isAbove(MOST);
        } finally {
            lock.unlock();
        }
    }
}
