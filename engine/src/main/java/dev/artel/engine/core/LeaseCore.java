package dev.artel.engine.core;

import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
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
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Which leases live, and until when. Single-threaded; nothing of it is durable: after a crash each lease gets a
/// fresh full term, and so it does after a standstill, in which no worker could renew anything.
///
/// All times here are those of a steady clock.
final class LeaseCore {
    private final Duration freshTerm;
    private final Map<LeaseToken, Held> leases = new LinkedHashMap<>();
    private final Map<WorkerId, OfWorker> byWorker = new LinkedHashMap<>();

    /// Those whose end was asked for, and reported to the conversation with their workers, which knows nothing of them any more.
    private final Set<LeaseToken> ending = new LinkedHashSet<>();

    /// The newest lease of each job; the others hang on it.
    private final Map<JobId, Held> byJob = new LinkedHashMap<>();

    /// Looked at lazily: an entry that comes up before its lease's real end is put back.
    private final PriorityQueue<Check> checks = new PriorityQueue<>();

    LeaseCore(Duration freshTerm) {
        this.freshTerm = freshTerm;
    }

    private static final class Held {
        final JobId job;
        final Lease lease;
        final OfWorker ofWorker;
        EffectId effect;
        Instant expires;

        /// How long it lives after a renewal.
        Duration term;

        /// Since when it is over and its end was asked for; null if it lives.
        @Nullable Instant overSince;

        /// What its worker has, without what it was given for it; null if only its revocation is known.
        final Effect.@Nullable HoldLease task;

        /// Whether it was revoked, and only its worker is waited for.
        boolean lingers;

        /// Whether its worker waits for an answer: then it does not expire.
        boolean isParked;

        /// Whether it is no longer held.
        boolean over;

        /// Its neighbours among those of the same worker.
        @Nullable Held before;

        @Nullable Held after;

        /// Its neighbours among those of the same job.
        @Nullable Held newer;

        @Nullable Held older;

        Held(
                JobId job,
                Lease lease,
                OfWorker ofWorker,
                EffectId effect,
                Effect.@Nullable HoldLease task,
                Instant expires,
                Duration term) {
            this.job = job;
            this.lease = lease;
            this.ofWorker = ofWorker;
            this.effect = effect;
            this.task = task;
            this.expires = expires;
            this.term = term;
        }
    }

    /// The leases of one worker, oldest first: a list whose links are in the leases.
    private static final class OfWorker {
        @Nullable Held first;
        @Nullable Held last;

        void add(Held held) {
            var before = last;
            held.before = before;
            last = held;
            if (before == null) {
                first = held;
            } else {
                before.after = held;
            }
        }

        void remove(Held held) {
            var before = held.before;
            var after = held.after;
            if (before == null) {
                first = after;
            } else {
                before.after = after;
            }
            if (after == null) {
                last = before;
            } else {
                after.before = before;
            }
        }
    }

    private record Check(Instant at, Held held) implements Comparable<Check> {
        @Override
        public int compareTo(Check other) {
            return at.compareTo(other.at);
        }
    }

    /// Holds a lease, and returns whether it is new: one of which the end was asked for is not, also if its worker has had an answer meanwhile.
    boolean hold(JobId job, Effect.HoldLease hold, Instant now) {
        var before = leases.get(hold.lease().token());
        if (before != null && !before.isParked) {
            return false;
        }
        if (before != null) {
            remove(before);
        }
        put(job, hold.lease(), hold.id(), hold.withoutParams(), now.plus(freshTerm));
        return !ending.contains(hold.lease().token());
    }

    /// The end of a lease is asked for.
    ///
    /// @return who has it; empty: it is not held
    Optional<WorkerId> end(LeaseToken token) {
        var held = leases.get(token);
        if (held == null) {
            return Optional.empty();
        }
        ending.add(token);
        return Optional.of(held.lease.worker());
    }

    /// Holds a lease that does not expire, since its worker waits for an answer; it ends with its worker.
    void park(JobId job, Effect.HoldParked parked) {
        var before = leases.get(parked.lease().token());
        if (before == null || (!before.isParked && !before.lingers)) {
            if (before != null) {
                remove(before);
            }
            place(job, parked.lease(), parked.id(), null, Instant.MAX).isParked = true;
        }
    }

    /// The lease no longer counts, but its worker is still waited for, at most until it would have expired anyway
    /// or its attempt would have timed out.
    void linger(JobId job, EffectId revoke, Lease lease, CoordinatorTime now) {
        var held = leases.get(lease.token());
        if (held == null) {
            held = put(job, lease, revoke, null, now.steadyAt(lease.timeout()));
        }
        if (held.isParked) {
            remove(held);
            held = put(job, lease, revoke, null, now.steadyAt(lease.timeout()));
        }
        if (!held.effect.equals(revoke)) {
            // What is waited for now is something else than before.
            held.overSince = null;
        }
        held.effect = revoke;
        held.lingers = true;
    }

    private Held put(
            JobId job,
            Lease lease,
            EffectId effect,
            Effect.@Nullable HoldLease task,
            Instant expires) {
        var held = place(job, lease, effect, task, expires);
        check(held);
        return held;
    }

    private Held place(
            JobId job,
            Lease lease,
            EffectId effect,
            Effect.@Nullable HoldLease task,
            Instant expires) {
        var ofWorker = byWorker.computeIfAbsent(lease.worker(), _ -> new OfWorker());
        var held = new Held(job, lease, ofWorker, effect, task, expires, freshTerm);
        ofWorker.add(held);
        leases.put(lease.token(), held);
        var older = byJob.put(job, held);
        held.older = older;
        if (older != null) {
            older.newer = held;
        }
        return held;
    }

    /// An effect of the lease is over, and the next one, if there is any, is held.
    void settle(Lease lease) {
        if (!leases.containsKey(lease.token())) {
            ending.remove(lease.token());
        }
    }

    /// Forgets the lease if it is held for `effect`; one that lingers meanwhile is held for another.
    void release(EffectId effect, Lease lease) {
        var held = leases.get(lease.token());
        if (held != null && held.effect.equals(effect)) {
            remove(held);
        }
    }

    private void remove(Held held) {
        held.over = true;
        leases.remove(held.lease.token());
        held.ofWorker.remove(held);
        if (held.ofWorker.first == null) {
            byWorker.remove(held.lease.worker());
        }
        var newer = held.newer;
        var older = held.older;
        if (older != null) {
            older.newer = newer;
        }
        if (newer != null) {
            newer.older = older;
        } else if (older != null) {
            byJob.put(held.job, older);
        } else {
            byJob.remove(held.job);
        }
    }

    void keepOnly(JobId job, List<Effect.Indexed> pending) {
        var wanted = new LinkedHashSet<LeaseToken>();
        for (var effect : pending) {
            switch (effect) {
                case Effect.HoldLease hold -> wanted.add(hold.lease().token());
                case Effect.HoldParked parked -> wanted.add(parked.lease().token());
                case Effect.Revoke revoke -> wanted.add(revoke.lease().token());
                case Effect.Offer _, Effect.ScheduleTimer _ -> {}
            }
        }
        var held = byJob.get(job);
        while (held != null) {
            var older = held.older;
            if (!wanted.contains(held.lease.token())) {
                remove(held);
                ending.remove(held.lease.token());
            }
            held = older;
        }
    }

    /// Renews those of `tokens` that the worker holds, but none that lingers: that a worker lives proves nothing about an
    /// attempt whose lease was revoked.
    void renew(WorkerId worker, List<LeaseToken> tokens, Duration term, Instant now) {
        for (var token : tokens) {
            var held = leases.get(token);
            if (held != null
                    && held.lease.worker().equals(worker)
                    && !held.lingers
                    && !held.isParked) {
                held.term = term;
                held.expires = now.plus(term);
                held.overSince = null;
                check(held);
            }
        }
    }

    /// Renews some leases; one that lingers until its attempt times out at the latest, since the worker reports that it is
    /// still at it.
    ///
    /// @return those of `tokens` that the worker does not hold
    List<LeaseToken> renewOnly(
            WorkerId worker, List<LeaseToken> tokens, Duration term, CoordinatorTime now) {
        var until = now.steady().plus(term);
        var foreign = new ArrayList<LeaseToken>();
        for (var token : tokens) {
            var held = leases.get(token);
            if (held == null || !held.lease.worker().equals(worker)) {
                foreign.add(token);
            } else if (!held.isParked) {
                var latest = now.steadyAt(held.lease.timeout());
                held.term = term;
                held.expires = held.lingers && until.isAfter(latest) ? latest : until;
                held.overSince = null;
                check(held);
            }
        }
        return foreign;
    }

    /// Sees to it that `held` is looked at when it expires. A renewal may also shorten: then an older entry in
    /// [#checks] would come up too late.
    private void check(Held held) {
        checks.add(new Check(held.expires, held));
        if (checks.size() > 64 + 4 * leases.size()) {
            checks.clear();
            leases.values().stream()
                    .filter(each -> !each.isParked)
                    .forEach(each -> checks.add(new Check(each.expires, each)));
        }
    }

    /// The leases that are over at `now`. Each is reported once for each term: its end may be refused or get lost.
    List<LeaseToken> expired(Instant now) {
        var over = new ArrayList<LeaseToken>();
        for (var check = dueCheck(now); check != null; check = dueCheck(now)) {
            var held = check.held();
            if (!held.over && !held.expires.isAfter(now)) {
                over.add(held.lease.token());
                held.overSince = held.overSince == null ? held.expires : held.overSince;
                held.expires = now.plus(freshTerm);
                checks.add(new Check(held.expires, held));
            }
        }
        return over;
    }

    /// The process has stood still: a worker that lives renews within a term from now. A lease that was over before and whose
    /// end did not become durable has a fresh term, too, and is over at the end of that one.
    void refresh(Instant now) {
        checks.clear();
        for (var held : leases.values()) {
            if (!held.isParked) {
                var term = held.term.compareTo(freshTerm) > 0 ? held.term : freshTerm;
                var fresh = now.plus(term);
                held.expires = held.expires.isAfter(fresh) ? held.expires : fresh;
                held.overSince = null;
                checks.add(new Check(held.expires, held));
            }
        }
    }

    private @Nullable Check dueCheck(Instant now) {
        var first = checks.peek();
        return first == null || first.at().isAfter(now) ? null : checks.remove();
    }

    Optional<Instant> next() {
        return Optional.ofNullable(checks.peek()).map(Check::at);
    }

    List<LeaseToken> of(WorkerId worker) {
        var tokens = new ArrayList<LeaseToken>();
        for (var held = first(worker); held != null; held = held.after) {
            tokens.add(held.lease.token());
        }
        return tokens;
    }

    boolean holds(EffectId effect, Lease lease) {
        var held = leases.get(lease.token());
        return held != null && held.effect.equals(effect) && held.lease.equals(lease);
    }

    /// Reports each lease: those that live, without what their workers were given, and those that linger.
    void report(BiConsumer<JobId, Effect.HoldLease> live, Consumer<Lease> lingering) {
        for (var held : leases.values()) {
            if (held.lingers) {
                lingering.accept(held.lease);
            } else if (held.task != null) {
                live.accept(held.job, held.task);
            }
        }
    }

    /// The leases, each with the time of day at which it is over, or since when.
    SequencedMap<LeaseToken, Instant> expiries(CoordinatorTime now) {
        var all = new LinkedHashMap<LeaseToken, Instant>();
        leases.forEach((token, held) ->
                all.put(token, now.wallAt(held.overSince == null ? held.expires : held.overSince)));
        return Collections.unmodifiableSequencedMap(all);
    }

    private @Nullable Held first(WorkerId worker) {
        var mine = byWorker.get(worker);
        return mine == null ? null : mine.first;
    }
}
