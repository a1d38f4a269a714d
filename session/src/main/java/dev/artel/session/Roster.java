package dev.artel.session;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The workers that are there, the last words of those that are gone, and who holds which lease.
final class Roster {
    /// So many of the leases that a worker lists and does not hold are named to it at once, the others when it has given these up.
    private static final int MOST_NOT_HELD = 1_000;

    /// Which part of the memory the workers of a token may have for which those of any other are forgotten that are gone: one divided by it.
    private static final int LITTLE = 16;

    /// Agents on the bus show no token. All of them are taken for workers of one, which has this name.
    private static final String BUS = "agents on the bus";

    private final SessionSettings.Limits limits;
    private final SequencedMap<WorkerId, WorkerSession> present = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, Remembered> remembered = new LinkedHashMap<>();

    /// The same of each token.
    private final Map<String, SequencedSet<WorkerId>> rememberedOf = new LinkedHashMap<>();

    private final Function<WorkerId, String> tokens;
    private final TokenShares places;
    private final StatusRoom room;
    private final SequencedMap<LeaseToken, WorkerId> holders = new LinkedHashMap<>();

    /// Leases of workers that have not been heard of yet, as after a restart of the orchestrator.
    private final SequencedMap<WorkerId, HeldLeases> strays = new LinkedHashMap<>();

    /// Workers that are to give leases up, or were.
    private final SequencedSet<WorkerId> revoking = new LinkedHashSet<>();

    /// The time of the input that is taken in.
    private Instant now = Instant.MIN;

    /// The last words of a worker that is gone.
    ///
    /// @param token whose token it had
    private record Remembered(WorkerStatus status, String token) {}

    /// @param tokens whose token a worker has: the same for all that have one together
    Roster(SessionSettings.Limits limits, Function<WorkerId, String> tokens) {
        this.limits = limits;
        this.tokens = tokens;
        places = new TokenShares(limits.workers());
        room = new StatusRoom(limits.statusBytes());
    }

    /// What follows happens at `time`.
    void at(Instant time) {
        now = time;
    }

    Instant now() {
        return now;
    }

    @Nullable WorkerSession find(WorkerId worker) {
        return present.get(worker);
    }

    @Nullable WorkerStatus lastWords(WorkerId worker) {
        var gone = remembered.get(worker);
        return gone == null ? null : gone.status();
    }

    /// Whose token `worker` has.
    String tokenOf(WorkerId worker) {
        var one = present.get(worker);
        return one == null ? tokens.apply(worker) : one.token;
    }

    private String tokenOf(WorkerId worker, WorkerStatus status) {
        var registration = status.registration();
        return registration != null && registration.isMarked() ? BUS : tokens.apply(worker);
    }

    /// Whether there is no place for `worker`, which is not there and declares `status`. Of the last eighth of the places the workers of a token
    /// have half of what others leave.
    boolean isFullFor(WorkerId worker, WorkerStatus status) {
        var isAlmostFull = 8L * present.size() >= 7L * limits.workers();
        return present.size() >= limits.workers()
                || (isAlmostFull && !places.hasRoom(tokenOf(worker, status)));
    }

    List<WorkerSession> all() {
        return List.copyOf(present.sequencedValues());
    }

    /// Whether there is memory for what `worker` declares; then it is counted. Those are forgotten for it that left first, of its own token and of
    /// tokens that have more of the memory.
    boolean takes(WorkerId worker, WorkerStatus workerStatus) {
        var one = present.get(worker);
        var notHeld = one == null ? List.<LeaseToken>of() : one.notHeld;
        var declared = StatusRoom.Declared.of(workerStatus).with(notHeld);
        var token = one == null ? tokenOf(worker, workerStatus) : one.token;
        while (!room.fits(worker, token, declared) && forgetOneFor(worker, token, declared)) {
            // one more
        }
        if (!room.fits(worker, token, declared)) {
            return false;
        }
        room.put(worker, token, declared);
        return true;
    }

    /// The engine has answered that a worker does not hold `missing`. As many of them are kept as there is memory for: what is left out comes
    /// with a later list.
    void keepNotHeld(WorkerSession one, Collection<LeaseToken> missing) {
        if (missing.isEmpty() && one.notHeld.isEmpty()) {
            return;
        }
        var status = StatusRoom.Declared.of(one.workerStatus);
        var first = missing.stream().limit(MOST_NOT_HELD).toList();
        var hasRoom = room.fits(one.worker, one.token, status.with(first));
        one.notHeld = hasRoom ? first : List.of();
        room.put(one.worker, one.token, status.with(one.notHeld));
    }

    private boolean forgetOneFor(WorkerId worker, String token, StatusRoom.Declared declared) {
        var others =
                rememberedOf.getOrDefault(token, new LinkedHashSet<>()).stream()
                        .filter(other -> !other.equals(worker))
                        .findFirst();
        var left = others.or(() -> eldestFor(worker, room.ofToken(worker, token, declared)));
        left.ifPresent(this::forget);
        return left.isPresent();
    }

    /// Who but `worker` left first, of the tokens that have more than `bytes`; of all if that is little.
    private Optional<WorkerId> eldestFor(WorkerId worker, long bytes) {
        var isLittle = bytes <= limits.statusBytes() / LITTLE;
        return remembered.entrySet().stream()
                .filter(gone -> !gone.getKey().equals(worker))
                .filter(gone -> isLittle || room.bytes(gone.getValue().token()) > bytes)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private void forget(WorkerId worker) {
        isRememberedNoMore(worker);
        room.remove(worker);
    }

    private void isRememberedNoMore(WorkerId worker) {
        var gone = remembered.remove(worker);
        if (gone != null) {
            rememberedOf.computeIfPresent(
                    gone.token(),
                    (_, workers) -> {
                        workers.remove(worker);
                        return workers.isEmpty() ? null : workers;
                    });
        }
    }

    WorkerSession begin(WorkerId worker, WorkerStatus workerStatus, Instant now) {
        var left = strays.remove(worker);
        var heldLeases = left == null ? new HeldLeases() : left;
        var token = tokenOf(worker, workerStatus);
        var workerSession = new WorkerSession(worker, token, workerStatus, heldLeases, now);
        present.put(worker, workerSession);
        places.take(token);
        isRememberedNoMore(worker);
        return workerSession;
    }

    void end(WorkerSession workerSession) {
        dropLeases(workerSession);
        keepNotHeld(workerSession, List.of());
        present.remove(workerSession.worker);
        places.free(workerSession.token);
        remember(
                workerSession.worker,
                new Remembered(workerSession.workerStatus, workerSession.token));
    }

    /// The registration of a worker that is not there; of too many, those that were recalled or left first are forgotten.
    void recall(WorkerId worker, WorkerStatus workerStatus) {
        if (!present.containsKey(worker)) {
            isRememberedNoMore(worker);
            var token = tokenOf(worker, workerStatus);
            room.put(worker, token, StatusRoom.Declared.of(workerStatus));
            remember(worker, new Remembered(workerStatus, token));
        }
    }

    private void remember(WorkerId worker, Remembered gone) {
        remembered.put(worker, gone);
        var ofToken = rememberedOf.computeIfAbsent(gone.token(), _ -> new LinkedHashSet<>());
        ofToken.add(worker);
        while (remembered.size() > limits.remembered()
                || (room.isFull() && !remembered.isEmpty())) {
            forget(
                    hasMoreThanItsPart(ofToken)
                            ? ofToken.getFirst()
                            : remembered.firstEntry().getKey());
        }
    }

    /// Whether more workers of a token are remembered than of each, if all had as many.
    private boolean hasMoreThanItsPart(Collection<WorkerId> ofToken) {
        return (long) ofToken.size() * rememberedOf.size() > remembered.size();
    }

    /// Who holds a lease, as far as this process has seen.
    @Nullable WorkerId holder(LeaseToken token) {
        return holders.get(token);
    }

    /// `worker` has a task, or will have it in a moment.
    void give(WorkerId worker, HandOut task) {
        heldLeases(worker).add(task, now);
        holders.put(task.lease().token(), worker);
    }

    /// An earlier process of the orchestrator gave `worker` a task.
    void recallLease(WorkerId worker, HandOut task) {
        heldLeases(worker).recall(task, now);
        holders.put(task.lease().token(), worker);
    }

    private HeldLeases heldLeases(WorkerId worker) {
        var workerSession = present.get(worker);
        return workerSession == null
                ? strays.computeIfAbsent(worker, _ -> new HeldLeases())
                : workerSession.heldLeases;
    }

    void confirm(WorkerSession workerSession, LeaseToken token) {
        workerSession.heldLeases.confirm(token, now);
        holders.put(token, workerSession.worker);
    }

    void revoke(WorkerId worker, LeaseToken token, Instant until) {
        heldLeases(worker).revoke(token, until, now);
        revoking.add(worker);
        holders.put(token, worker);
    }

    /// A lease is over.
    ///
    /// @return whether a worker held it
    boolean drop(LeaseToken token) {
        var holder = holders.remove(token);
        if (holder == null) {
            return false;
        }
        var heldLeases = heldBy(holder);
        if (heldLeases != null) {
            heldLeases.remove(token);
            if (!present.containsKey(holder) && heldLeases.size() == 0) {
                strays.remove(holder);
            }
        }
        return true;
    }

    void dropLeases(WorkerSession workerSession) {
        workerSession.heldLeases.tokens().forEach(this::drop);
    }

    /// What a worker held that has not been heard of yet, it holds no more.
    void dropStrays(WorkerId worker) {
        var left = strays.get(worker);
        if (left != null) {
            left.tokens().forEach(this::drop);
        }
    }

    /// The workers that are to give leases up, or were; those that have been for the longest time first. Changes with them.
    SequencedCollection<WorkerId> revoking() {
        return Collections.unmodifiableSequencedSet(revoking);
    }

    /// The leases that `worker` is to give up, whether it has been heard of yet or not.
    List<LeaseToken> revoked(WorkerId worker) {
        var heldLeases = heldBy(worker);
        return heldLeases == null ? List.of() : heldLeases.revoked();
    }

    private @Nullable HeldLeases heldBy(WorkerId worker) {
        var workerSession = present.get(worker);
        return workerSession == null ? strays.get(worker) : workerSession.heldLeases;
    }

    /// The leases that workers were to give up and have kept for too long.
    List<LeaseToken> overdue(Instant now) {
        var overdue = new ArrayList<LeaseToken>();
        revoking.removeIf(worker -> {
            var heldLeases = heldBy(worker);
            if (heldLeases == null || !heldLeases.hasRevoked()) {
                return true;
            }
            overdue.addAll(heldLeases.overdue(now));
            return false;
        });
        return overdue;
    }
}
