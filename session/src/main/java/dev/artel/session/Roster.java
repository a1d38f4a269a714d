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
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// The workers that are there, the last words of those that are gone, and who holds which lease.
final class Roster {
    /// So many of the leases that a worker lists and does not hold are named to it at once, the others when it has given these up.
    private static final int MOST_NOT_HELD = 1_000;

    private final SessionSettings.Limits limits;
    private final SequencedMap<WorkerId, WorkerSession> present = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, WorkerStatus> remembered = new LinkedHashMap<>();
    private final StatusRoom room;
    private final SequencedMap<LeaseToken, WorkerId> holders = new LinkedHashMap<>();

    /// Leases of workers that have not been heard of yet, as after a restart of the orchestrator.
    private final SequencedMap<WorkerId, HeldLeases> strays = new LinkedHashMap<>();

    /// Workers that are to give leases up, or were.
    private final SequencedSet<WorkerId> revoking = new LinkedHashSet<>();

    /// The time of the input that is taken in.
    private Instant now = Instant.MIN;

    Roster(SessionSettings.Limits limits) {
        this.limits = limits;
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
        return remembered.get(worker);
    }

    boolean isFull() {
        return present.size() >= limits.workers();
    }

    List<WorkerSession> all() {
        return List.copyOf(present.sequencedValues());
    }

    /// Whether there is memory for what `worker` declares; then it is counted. Those that left first are forgotten for it.
    boolean takes(WorkerId worker, WorkerStatus workerStatus) {
        var one = present.get(worker);
        var notHeld = one == null ? List.<LeaseToken>of() : one.notHeld;
        var declared = StatusRoom.Declared.of(workerStatus).with(notHeld);
        while (!room.fits(worker, declared) && forgetOneBut(worker)) {
            // one more
        }
        if (!room.fits(worker, declared)) {
            return false;
        }
        room.put(worker, declared);
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
        var hasRoom = room.fits(one.worker, status.with(first));
        one.notHeld = hasRoom ? first : List.of();
        room.put(one.worker, status.with(one.notHeld));
    }

    private boolean forgetOneBut(WorkerId worker) {
        for (var other : remembered.sequencedKeySet()) {
            if (!other.equals(worker)) {
                forget(other);
                return true;
            }
        }
        return false;
    }

    private void forget(WorkerId worker) {
        remembered.remove(worker);
        room.remove(worker);
    }

    WorkerSession begin(WorkerId worker, WorkerStatus workerStatus, Instant now) {
        var left = strays.remove(worker);
        var heldLeases = left == null ? new HeldLeases() : left;
        var workerSession = new WorkerSession(worker, workerStatus, heldLeases, now);
        present.put(worker, workerSession);
        remembered.remove(worker);
        return workerSession;
    }

    void end(WorkerSession workerSession) {
        dropLeases(workerSession);
        keepNotHeld(workerSession, List.of());
        present.remove(workerSession.worker);
        remember(workerSession.worker, workerSession.workerStatus);
    }

    /// The registration of a worker that is not there; of too many, those that were recalled or left first are forgotten.
    void recall(WorkerId worker, WorkerStatus workerStatus) {
        if (!present.containsKey(worker)) {
            remembered.remove(worker);
            room.put(worker, StatusRoom.Declared.of(workerStatus));
            remember(worker, workerStatus);
        }
    }

    private void remember(WorkerId worker, WorkerStatus workerStatus) {
        remembered.put(worker, workerStatus);
        while (remembered.size() > limits.remembered()
                || (room.isFull() && !remembered.isEmpty())) {
            forget(remembered.firstEntry().getKey());
        }
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
