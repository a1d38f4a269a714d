package dev.artel.gateway.access;

import dev.artel.kernel.attempt.WorkerId;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// How many connections stay open under each token, over all wires together: one whose holder connects without end leaves room for the others. All tokens of one worker count
/// as one. Safe for use by many threads; does not wait.
public final class TokenConnections {
    /// How many connections a worker with tokens of its own has: it needs one, and may come back before the end of the last one is noticed.
    public static final int OF_ONE_WORKER = 16;

    private final IntSupplier most;
    private final ConcurrentMap<Object, Integer> open = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();

    /// @param most how many there are of a token for all workers, at this moment; 0: as many as come
    public TokenConnections(IntSupplier most) {
        this.most = most;
    }

    /// The place of one connection, which ends with it.
    public static final class Place implements AutoCloseable {
        private final AtomicBoolean isTaken = new AtomicBoolean(true);
        private final Runnable end;

        private Place(Runnable end) {
            this.end = end;
        }

        /// The connection is closed. Only the first time counts.
        @Override
        public void close() {
            if (isTaken.compareAndSet(true, false)) {
                end.run();
            }
        }
    }

    /// Counts a connection that stays open.
    ///
    /// @param owner whose token it is; null: it is good for all workers
    /// @return empty: there are as many as there may be
    public Optional<Place> take(String token, @Nullable WorkerId owner) {
        var bound = owner == null ? most.getAsInt() : OF_ONE_WORKER;
        var holder = owner == null ? (Object) token : owner;
        var isThere = new boolean[1];
        open.compute(
                holder,
                (_, count) -> {
                    var before = count == null ? 0 : count;
                    isThere[0] = bound == 0 || before < bound;
                    return isThere[0] ? (Integer) (before + 1) : count;
                });
        if (!isThere[0]) {
            refused.increment();
            return Optional.empty();
        }
        return Optional.of(place(holder));
    }

    /// Counts a connection that takes the place of one under the same token, which is about to end.
    public Place replace(String token, @Nullable WorkerId owner) {
        var holder = owner == null ? (Object) token : owner;
        open.merge(holder, 1, Integer::sum);
        return place(holder);
    }

    private Place place(Object holder) {
        return new Place(() ->
                open.computeIfPresent(
                        holder, (_, count) -> count <= 1 ? null : (Integer) (count - 1)));
    }

    /// Why a connection is refused, for its worker.
    public static String refusal(@Nullable WorkerId owner) {
        return owner == null
                ? "as many connections are open under this token as access.connections-per-token allows; close some, or use another token"
                : OF_ONE_WORKER
                        + " connections are open under the tokens of worker "
                        + owner
                        + "; close some";
    }

    /// How many connections were refused.
    public long refused() {
        return refused.sum();
    }

    /// How many are open.
    public int open() {
        return open.values().stream().mapToInt(Integer::intValue).sum();
    }
}
