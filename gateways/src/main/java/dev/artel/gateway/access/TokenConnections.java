package dev.artel.gateway.access;

import dev.artel.kernel.attempt.WorkerId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// How many connections stay open under each token, over all wires together: one whose holder connects without end leaves room for the others. All tokens of one worker count
/// as one, and so do those that were exchanged for a token for several workers, each by its name. Safe for use by many threads; does not wait.
public final class TokenConnections {
    /// How many connections a worker with tokens of its own has: it needs one, and may come back before the end of the last one is noticed.
    public static final int OF_ONE_WORKER = 16;

    /// How the holders are named whose workers are counted beside them.
    private static final String TOGETHER = "tokens of ";

    private final IntSupplier most;
    private final Function<WorkerId, String> accounts;
    private final ConcurrentMap<String, Integer> open = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();

    /// @param most how many there are of a token for all workers, at this moment; 0: as many as come
    public TokenConnections(IntSupplier most) {
        this(most, WorkerId::value);
    }

    /// As [#TokenConnections(IntSupplier)], where workers have tokens together.
    ///
    /// @param accounts returns for a worker whose token it has: its own name where that is its alone
    public TokenConnections(IntSupplier most, Function<WorkerId, String> accounts) {
        this.most = most;
        this.accounts = accounts;
    }

    /// Whose a connection is, with all others that count as one: that of a worker with tokens of its own; of a token for all workers or for a
    /// pattern of names; also behind an exchanged one.
    ///
    /// @param owner whose token it is; null: it is good for all workers
    public String holder(String token, @Nullable WorkerId owner) {
        if (owner == null) {
            return "token " + token;
        }
        var account = accounts.apply(owner);
        return account.equals(owner.value()) ? "worker " + owner : TOGETHER + account;
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
        var holder = holder(token, owner);
        var worker = owner == null ? holder : "worker " + owner;
        if (!worker.equals(holder) && !isTaken(holder, most.getAsInt())) {
            refused.increment();
            return Optional.empty();
        }
        if (!isTaken(worker, owner == null ? most.getAsInt() : OF_ONE_WORKER)) {
            if (!worker.equals(holder)) {
                free(holder);
            }
            refused.increment();
            return Optional.empty();
        }
        return Optional.of(place(holder, worker));
    }

    private boolean isTaken(String holder, int bound) {
        var isThere = new boolean[1];
        open.compute(
                holder,
                (_, count) -> {
                    var before = count == null ? 0 : count;
                    isThere[0] = bound == 0 || before < bound;
                    return isThere[0] ? (Integer) (before + 1) : count;
                });
        return isThere[0];
    }

    /// Counts a connection that takes the place of one under the same token, which is about to end.
    public Place replace(String token, @Nullable WorkerId owner) {
        var holder = holder(token, owner);
        var worker = owner == null ? holder : "worker " + owner;
        open.merge(worker, 1, Integer::sum);
        if (!worker.equals(holder)) {
            open.merge(holder, 1, Integer::sum);
        }
        return place(holder, worker);
    }

    private Place place(String holder, String worker) {
        return new Place(() -> {
            free(worker);
            if (!worker.equals(holder)) {
                free(holder);
            }
        });
    }

    private void free(String holder) {
        open.computeIfPresent(holder, (_, count) -> count <= 1 ? null : (Integer) (count - 1));
    }

    /// Why a connection is refused, for its worker.
    public static String refusal(@Nullable WorkerId owner) {
        return owner == null
                ? "as many connections are open under this token as access.connections-per-token allows; close some, or use another token"
                : "as many connections are open under the tokens of worker "
                        + owner
                        + " as there may be: "
                        + OF_ONE_WORKER
                        + " of one worker, and access.connections-per-token of all that share its token; close some";
    }

    /// How many connections were refused.
    public long refused() {
        return refused.sum();
    }

    /// How many are open.
    public int open() {
        return open.entrySet().stream()
                .filter(entry -> !entry.getKey().startsWith(TOGETHER))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }
}
