package dev.artel.session;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.engine.HandOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The leases of one worker as far as this process has seen them, and which of them the worker's own words
/// confirm.
final class HeldLeases {
    /// In how many heartbeats in a row a lease must be missing before it counts as not received.
    private static final int MISSES = 2;

    /// How long the words of a worker may be on their way, or be kept before they are delivered: what it sent later may arrive
    /// first, on another socket or thread. A heartbeat that lacks a lease says nothing before, and two of them say
    /// something if as much lies between them.
    static final Duration LATE = Duration.ofSeconds(2);

    private final SequencedMap<LeaseToken, Held> held = new LinkedHashMap<>();

    private static final class Held {
        /// The task's type; empty if it is unknown.
        private final String type;

        /// When it was granted.
        private final Instant since;

        /// The process of the worker to which it was granted.
        private final WorkerInstance instance;

        /// When the worker was given it, or was heard of it last.
        private Instant heardOf;

        /// Whether a poll brought the task, and no channel.
        private boolean isPolled;

        private boolean isConfirmed;
        private int misses;

        /// The first and the last of the heartbeats that lacked it.
        private Instant missedFirst = Instant.MAX;

        private Instant missedLast = Instant.MIN;
        private @Nullable Instant revokedUntil;

        /// The task, if an earlier process of the orchestrator gave it to the worker; null otherwise, and once it was taken.
        private @Nullable HandOut recalled;

        private Held(String type, Instant since, WorkerInstance instance, Instant now) {
            this.type = type;
            this.since = since;
            this.instance = instance;
            this.heardOf = now;
        }

        private static Held unheardOf(Instant now) {
            return new Held("", Instant.MIN, WorkerInstance.UNKNOWN, now);
        }

        private void confirm(Instant now) {
            isConfirmed = true;
            heardOf = now;
            misses = 0;
        }

        private void miss(Instant now) {
            if (now.isBefore(heardOf.plus(LATE))) {
                return;
            }
            if (misses == 0) {
                missedFirst = now;
            }
            misses++;
            missedLast = now;
        }

        private boolean isMissing() {
            return misses >= MISSES && !missedLast.isBefore(missedFirst.plus(LATE));
        }
    }

    /// The worker was given a task.
    void add(HandOut task, Instant now) {
        var lease = task.lease();
        var since = lease.timeout().minus(task.spec().limits().executionTimeout());
        held.putIfAbsent(lease.token(), new Held(task.spec().type(), since, lease.instance(), now));
    }

    /// The worker was given a task by an earlier process of the orchestrator.
    void recall(HandOut task, Instant now) {
        add(task, now);
        var lease = held.get(task.lease().token());
        if (lease != null) {
            lease.recalled = task;
        }
    }

    /// The tasks that were recalled and of which the worker has sent nothing since, each once.
    List<HandOut> takeRecalled() {
        var tasks = new ArrayList<HandOut>();
        for (var lease : held.values()) {
            if (lease.recalled != null && !lease.isConfirmed && lease.revokedUntil == null) {
                tasks.add(lease.recalled);
            }
            lease.recalled = null;
        }
        return tasks;
    }

    /// The leases of other processes of the worker than `instance`.
    List<LeaseToken> ofOthersThan(WorkerInstance instance) {
        return select(lease -> lease.instance.isOtherThan(instance));
    }

    /// A task that was added is the answer to a poll.
    void poll(LeaseToken token) {
        var lease = held.get(token);
        if (lease != null) {
            lease.isPolled = true;
        }
    }

    /// The leases of the tasks that no poll has brought.
    List<LeaseToken> notPolled() {
        return select(lease -> !lease.isPolled);
    }

    int size() {
        return held.size();
    }

    /// How many tasks of a type the worker has.
    int count(String type) {
        return (int) held.values().stream().filter(lease -> lease.type.equals(type)).count();
    }

    /// The worker is known to have a lease, from whatever source.
    void confirm(LeaseToken token, Instant now) {
        held.computeIfAbsent(token, _ -> Held.unheardOf(now)).confirm(now);
    }

    /// Whether the worker was given a task and has sent nothing about it.
    boolean isUnconfirmed(LeaseToken token) {
        var lease = held.get(token);
        return lease != null && !lease.isConfirmed;
    }

    void remove(LeaseToken token) {
        held.remove(token);
    }

    List<LeaseToken> tokens() {
        return List.copyOf(held.sequencedKeySet());
    }

    /// A heartbeat reports that the worker has `load` tasks, but not which: those that it had before come first, then
    /// the oldest. Its load may count tasks of others, so that this errs on the side of the worker.
    void confirmByLoad(int load, Instant now) {
        if (held.isEmpty()) {
            return;
        }
        var ordered = new ArrayList<Held>(held.size());
        held.values().stream().filter(lease -> lease.isConfirmed).forEach(ordered::add);
        held.values().stream()
                .filter(lease -> !lease.isConfirmed)
                .sorted(Comparator.comparing(lease -> lease.since))
                .forEach(ordered::add);
        for (var place = 0; place < ordered.size(); place++) {
            if (place < load) {
                ordered.get(place).confirm(now);
            } else {
                ordered.get(place).miss(now);
            }
        }
    }

    /// A heartbeat reports which leases the worker has.
    void confirmByList(List<LeaseToken> listed, Instant now) {
        var present = new TreeSet<>(listed);
        held.forEach((token, lease) -> {
            if (present.contains(token)) {
                lease.confirm(now);
            } else {
                lease.miss(now);
            }
        });
    }

    /// The leases that the worker's heartbeats do not confirm.
    List<LeaseToken> missing() {
        return select(Held::isMissing);
    }

    /// The leases that the worker has as far as its heartbeats show, and may go on with.
    List<LeaseToken> believed() {
        return select(lease -> !lease.isMissing() && lease.revokedUntil == null);
    }

    /// The worker is to give a lease up.
    void revoke(LeaseToken token, Instant until, Instant now) {
        held.computeIfAbsent(token, _ -> Held.unheardOf(now)).revokedUntil = until;
    }

    boolean isRevoked(LeaseToken token) {
        var lease = held.get(token);
        return lease != null && lease.revokedUntil != null;
    }

    /// The leases that the worker is to give up.
    List<LeaseToken> revoked() {
        return select(lease -> lease.revokedUntil != null);
    }

    boolean hasRevoked() {
        return held.values().stream().anyMatch(lease -> lease.revokedUntil != null);
    }

    /// The revoked leases that the worker evidently has given up without a word.
    List<LeaseToken> droppedQuietly() {
        return select(lease -> lease.revokedUntil != null && lease.isMissing());
    }

    /// The revoked leases that the worker has kept for too long.
    List<LeaseToken> overdue(Instant now) {
        return select(lease -> lease.revokedUntil != null && !lease.revokedUntil.isAfter(now));
    }

    private List<LeaseToken> select(Predicate<Held> test) {
        if (held.isEmpty()) {
            return List.of();
        }
        var tokens = new ArrayList<LeaseToken>();
        held.forEach((token, lease) -> {
            if (test.test(lease)) {
                tokens.add(token);
            }
        });
        return tokens;
    }
}
