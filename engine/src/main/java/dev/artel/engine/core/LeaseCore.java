package dev.artel.engine.core;

import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SequencedSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Which leases live, and until when. Single-threaded; nothing of it is durable: after a crash each lease gets a
/// fresh full term.
final class LeaseCore {
    private final Duration freshTerm;
    private final Map<LeaseToken, Held> leases = new LinkedHashMap<>();
    private final Map<WorkerId, LinkedHashMap<LeaseToken, Held>> byWorker = new LinkedHashMap<>();

    /// Looked at lazily: an entry that comes up before its lease's real end is put back.
    private final PriorityQueue<Check> checks = new PriorityQueue<>();

    LeaseCore(Duration freshTerm) {
        this.freshTerm = freshTerm;
    }

    private static final class Held {
        final JobId job;
        final Lease lease;
        EffectId effect;
        Instant expires;

        /// What its worker has; null if only its revocation is known.
        final Effect.@Nullable HoldLease task;

        /// Whether it was revoked, and only its worker is waited for.
        boolean lingers;

        Held(JobId job, Effect.HoldLease task, Instant expires) {
            this(job, task.lease(), task.id(), task, expires);
        }

        Held(
                JobId job,
                Lease lease,
                EffectId effect,
                Effect.@Nullable HoldLease task,
                Instant expires) {
            this.job = job;
            this.lease = lease;
            this.effect = effect;
            this.task = task;
            this.expires = expires;
        }
    }

    private record Check(Instant at, LeaseToken token) implements Comparable<Check> {
        @Override
        public int compareTo(Check other) {
            return at.compareTo(other.at);
        }
    }

    /// Holds a lease, and says whether it is news.
    boolean hold(JobId job, Effect.HoldLease hold, Instant now) {
        if (leases.containsKey(hold.lease().token())) {
            return false;
        }
        put(new Held(job, hold, now.plus(freshTerm)));
        return true;
    }

    /// The lease no longer counts, but its worker is still waited for, at most until it would have expired anyway
    /// or its attempt would have timed out.
    void linger(JobId job, EffectId revoke, Lease lease) {
        var held = leases.get(lease.token());
        if (held == null) {
            held = new Held(job, lease, revoke, null, lease.timeout());
            put(held);
        }
        held.effect = revoke;
        held.lingers = true;
    }

    private void put(Held held) {
        var token = held.lease.token();
        leases.put(token, held);
        byWorker.computeIfAbsent(held.lease.worker(), _ -> new LinkedHashMap<>()).put(token, held);
        checks.add(new Check(held.expires, token));
    }

    /// Forgets the lease if it is held for `effect`; one that lingers meanwhile is held for another.
    void release(EffectId effect, Lease lease) {
        var held = leases.get(lease.token());
        if (held != null && held.effect.equals(effect)) {
            remove(held);
        }
    }

    private void remove(Held held) {
        var token = held.lease.token();
        leases.remove(token);
        var ofWorker = byWorker.get(held.lease.worker());
        if (ofWorker != null) {
            ofWorker.remove(token);
            if (ofWorker.isEmpty()) {
                byWorker.remove(held.lease.worker());
            }
        }
    }

    void keepOnly(JobId job, List<Effect> pending) {
        var wanted = new LinkedHashSet<LeaseToken>();
        for (var effect : pending) {
            switch (effect) {
                case Effect.HoldLease hold -> wanted.add(hold.lease().token());
                case Effect.Revoke revoke -> wanted.add(revoke.lease().token());
                case Effect.Offer _, Effect.RunStep _, Effect.WakeAt _, Effect.AwaitPerson _ -> {}
            }
        }
        leases.values().stream()
                .filter(held -> held.job.equals(job) && !wanted.contains(held.lease.token()))
                .toList()
                .forEach(this::remove);
    }

    /// Renews all that a worker holds but for some and those that linger: that a worker lives says nothing about an
    /// attempt that it was told to give up.
    void renew(WorkerId worker, List<LeaseToken> except, Instant until) {
        ofWorker(worker)
                .forEach((token, held) -> {
                    if (!held.lingers && !except.contains(token)) {
                        held.expires = until;
                        recheck(held);
                    }
                });
    }

    /// Renews some leases; one that lingers until its attempt times out at the latest, since the worker says that it is
    /// still at it.
    ///
    /// @return those of `tokens` that the worker does not hold
    List<LeaseToken> renewOnly(WorkerId worker, List<LeaseToken> tokens, Instant until) {
        var mine = ofWorker(worker);
        var foreign = new ArrayList<LeaseToken>();
        for (var token : tokens) {
            var held = mine.get(token);
            if (held == null) {
                foreign.add(token);
            } else {
                var latest = held.lease.timeout();
                held.expires = held.lingers && until.isAfter(latest) ? latest : until;
                recheck(held);
            }
        }
        return foreign;
    }

    /// A renewal may also shorten: then the entry in [#checks] would come up too late.
    private void recheck(Held held) {
        checks.add(new Check(held.expires, held.lease.token()));
        if (checks.size() > 64 + 4 * leases.size()) {
            checks.clear();
            leases.values()
                    .forEach(each -> checks.add(new Check(each.expires, each.lease.token())));
        }
    }

    /// The leases that are over at `now`. Each is said once for each term: its end may be refused or get lost.
    List<LeaseToken> expired(Instant now) {
        var over = new ArrayList<LeaseToken>();
        for (var check = dueCheck(now); check != null; check = dueCheck(now)) {
            var held = leases.get(check.token());
            if (held != null && !held.expires.isAfter(now)) {
                over.add(check.token());
                held.expires = now.plus(freshTerm);
                checks.add(new Check(held.expires, check.token()));
            }
        }
        return over;
    }

    private @Nullable Check dueCheck(Instant now) {
        var first = checks.peek();
        return first == null || first.at().isAfter(now) ? null : checks.remove();
    }

    Optional<Instant> next() {
        return Optional.ofNullable(checks.peek()).map(Check::at);
    }

    List<LeaseToken> of(WorkerId worker) {
        return List.copyOf(ofWorker(worker).keySet());
    }

    Optional<WorkerId> holder(LeaseToken token) {
        return Optional.ofNullable(leases.get(token)).map(held -> held.lease.worker());
    }

    boolean holds(EffectId effect, Lease lease) {
        var held = leases.get(lease.token());
        return held != null && held.effect.equals(effect) && held.lease.equals(lease);
    }

    /// Tells of each lease: those that live, and those that linger.
    void tell(BiConsumer<JobId, Effect.HoldLease> live, Consumer<Lease> lingering) {
        for (var held : leases.values()) {
            if (held.lingers) {
                lingering.accept(held.lease);
            } else if (held.task != null) {
                live.accept(held.job, held.task);
            }
        }
    }

    SequencedSet<LeaseToken> held() {
        return Collections.unmodifiableSequencedSet(new LinkedHashSet<>(leases.keySet()));
    }

    private Map<LeaseToken, Held> ofWorker(WorkerId worker) {
        var mine = byWorker.get(worker);
        return mine == null ? Collections.emptyMap() : mine;
    }
}
