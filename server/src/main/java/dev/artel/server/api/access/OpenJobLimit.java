package dev.artel.server.api.access;

import dev.artel.access.AccessControl;
import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.kernel.store.EventStore;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// Refuses jobs of clients that have as many open ones as they may have: as their table states, and otherwise one for each two kilobytes of heap, since
/// something is kept in memory of each job that waits, be it a name. Jobs are counted in the store when the last count,
/// with what was submitted since, has reached the limit, and once a second at most for each client; so a client below its
/// limit costs nothing. Children count, and are never refused. Safe for use by many threads.
public final class OpenJobLimit {
    private static final Duration RECOUNT = Duration.ofSeconds(1);

    /// A client without a limit of its own may have one job for so many bytes of heap: what is kept of one that waits is a tenth of it.
    private static final long HEAP_OF_JOB = 2_048;

    private final AccessControl accessControl;
    private final EventStore store;
    private final LongSupplier nanoTime;
    private final int byHeap;

    /// As many as there are clients.
    private final Map<String, Count> counts = new ConcurrentHashMap<>();

    /// A limit as `accessControl` has it for each client, and this process has the heap for the others.
    ///
    /// @param nanoTime see [System#nanoTime]
    public OpenJobLimit(AccessControl accessControl, EventStore store, LongSupplier nanoTime) {
        this(accessControl, store, nanoTime, Runtime.getRuntime().maxMemory());
    }

    /// @param heap how many bytes it has
    OpenJobLimit(AccessControl accessControl, EventStore store, LongSupplier nanoTime, long heap) {
        this.byHeap = Math.clamp(heap / HEAP_OF_JOB, 1, Integer.MAX_VALUE);
        this.accessControl = accessControl;
        this.store = store;
        this.nanoTime = nanoTime;
    }

    /// A place for one more job, to be given back if the job is not made.
    public interface Place {
        /// The job is durable if `isMade`; otherwise its place is free.
        void end(boolean isMade);
    }

    /// Takes a place for a job of `caller`.
    ///
    /// @throws HttpRefusal if none is free
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    public Place take(Caller caller) {
        var own = accessControl.maxOpenJobs(caller);
        var most = own.orElse(byHeap);
        var name = caller.name();
        return counts.computeIfAbsent(name, Count::new)
                .take(most)
                .orElseThrow(() -> refusal(name, most, own.isPresent()));
    }

    private static HttpRefusal refusal(String client, int most, boolean isOwn) {
        var why =
                isOwn
                        ? "(max_open_jobs), and has as many; wait until one ends, or cancel some"
                        : "with the heap of this orchestrator, and has as many; wait until one ends, cancel some, or give it a larger heap (-Xmx)";
        return HttpRefusal.later(
                ErrorCode.TOO_MANY_OPEN_JOBS,
                RECOUNT,
                "Too many open jobs",
                "client " + client + " may have " + most + " open jobs " + why);
    }

    /// How many jobs of one client are open, or fewer.
    private final class Count {
        private final String client;
        private final ReentrantLock lock = new ReentrantLock();
        private long countedAt;

        /// Up to which limit; 0 before the first count.
        private int countedTo;

        /// In the store.
        private long counted;

        /// Taken since then; also those that were being submitted at the time.
        private long since;

        private long beingSubmitted;

        Count(String client) {
            this.client = client;
        }

        Optional<Place> take(int most) {
            lock.lock();
            try {
                if (countedTo != most || (counted + since >= most && isOld())) {
                    counted = store.countOpen(client, most);
                    since = beingSubmitted;
                    countedAt = nanoTime.getAsLong();
                    countedTo = most;
                }
                if (counted + since >= most) {
                    return Optional.empty();
                }
                since++;
                beingSubmitted++;
                return Optional.of(this::end);
            } finally {
                lock.unlock();
            }
        }

        private boolean isOld() {
            return nanoTime.getAsLong() - countedAt >= RECOUNT.toNanos();
        }

        private void end(boolean isMade) {
            lock.lock();
            try {
                beingSubmitted--;
                if (!isMade) {
                    since--;
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
