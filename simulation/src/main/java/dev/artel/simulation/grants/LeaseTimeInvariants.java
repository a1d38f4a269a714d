package dev.artel.simulation.grants;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.CoordinatorOutput;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// Judges when a coordinator ends leases that nobody renews: with the first tick at which their term is over, and no moment
/// before, by the clock that never jumps.
///
/// Leases that were revoked, and those of workers that wait for an answer, have other times, and are left out.
public final class LeaseTimeInvariants {
    /// After how long without a tick the process has stood still.
    private static final Duration STANDSTILL = Duration.ofSeconds(3);

    private final World world;
    private final Duration freshTerm;
    private final SequencedMap<LeaseToken, Term> terms = new LinkedHashMap<>();

    /// The time of the last tick; at first, that of the beginning.
    private Instant ticked;

    private static final class Term {
        final WorkerId worker;
        Duration length;
        Instant until;

        Term(WorkerId worker, Duration length, Instant until) {
            this.worker = worker;
            this.length = length;
            this.until = until;
        }
    }

    /// @param freshTerm how long a lease lives until its worker first renews it
    public LeaseTimeInvariants(World world, Duration freshTerm) {
        this.world = world;
        this.freshTerm = freshTerm;
        ticked = world.steadyNow();
    }

    /// The coordinator is about to take `input` in.
    ///
    /// @param now by the clock that never jumps
    public void before(CoordinatorInput input, Instant now) {
        switch (input) {
            case CoordinatorInput.Effects(var _, var asked, var ended) -> {
                for (var effect : ended) {
                    if (effect instanceof Effect.HoldLease hold) {
                        terms.remove(hold.lease().token());
                    }
                }
                hold(asked, now);
            }
            case CoordinatorInput.AllPending(var job, var pending) -> {
                keepOnly(job, pending);
                hold(pending, now);
            }
            case CoordinatorInput.Renewed(var worker, var tokens, var length) ->
                    renew(worker, tokens, length, now);
            case CoordinatorInput.RenewedOnly(long _, var worker, var tokens, var length) ->
                    renew(worker, tokens, length, now);
            case CoordinatorInput.Tick(var at) -> {
                if (Duration.between(ticked, at).compareTo(STANDSTILL) > 0) {
                    terms.values().forEach(term -> refresh(term, at));
                }
                ticked = at;
            }
            default -> {
                // is not about leases
            }
        }
    }

    private void renew(WorkerId worker, List<LeaseToken> tokens, Duration length, Instant now) {
        for (var token : tokens) {
            var term = terms.get(token);
            if (term != null && term.worker.equals(worker)) {
                term.length = length;
                term.until = now.plus(length);
            }
        }
    }

    /// Nobody could renew anything before `at`.
    private void refresh(Term term, Instant at) {
        var length = term.length.compareTo(freshTerm) > 0 ? term.length : freshTerm;
        var fresh = at.plus(length);
        term.until = term.until.isAfter(fresh) ? term.until : fresh;
    }

    private void hold(Collection<? extends Effect> effects, Instant now) {
        for (var effect : effects) {
            switch (effect) {
                case Effect.HoldLease hold ->
                        terms.computeIfAbsent(hold.lease().token(), _ -> fresh(hold.lease(), now));
                case Effect.Revoke revoke -> terms.remove(revoke.lease().token());
                case Effect.HoldParked parked -> terms.remove(parked.lease().token());
                default -> {
                    // is not about leases
                }
            }
        }
    }

    private Term fresh(Lease lease, Instant now) {
        return new Term(lease.worker(), freshTerm, now.plus(freshTerm));
    }

    private void keepOnly(JobId job, List<? extends Effect> pending) {
        var held = new HashSet<LeaseToken>();
        for (var effect : pending) {
            if (effect instanceof Effect.HoldLease hold) {
                held.add(hold.lease().token());
            }
        }
        terms.keySet().removeIf(token -> !held.contains(token) && isOf(job, token));
    }

    private static boolean isOf(JobId job, LeaseToken token) {
        return token.address().filter(address -> address.job().equals(job)).isPresent();
    }

    /// The coordinator has put out `output`.
    ///
    /// Leases expire by the moment at which a tick was sent, not by that at which the coordinator took it in.
    public void sends(CoordinatorOutput output) {
        if (output instanceof CoordinatorOutput.Command(var _, JobCommand.EndLease end)
                && end.reason() == LeaseEnd.Lost.EXPIRED) {
            var term = terms.get(end.token());
            if (term != null && term.until.isAfter(ticked)) {
                throw world.failure(
                        "lease " + end.token() + " is over before its time, " + term.until);
            }
            if (term != null) {
                // Its end may be refused or get lost; then it is over again after another term.
                term.until = ticked.plus(freshTerm);
            }
        }
    }

    /// The coordinator has taken `input` in.
    public void after(CoordinatorInput input) {
        if (input instanceof CoordinatorInput.Tick(var at)) {
            terms.forEach((token, term) -> {
                if (!term.until.isAfter(at)) {
                    throw world.failure(
                            "no worker has renewed lease "
                                    + token
                                    + ", which is held after its time, "
                                    + term.until);
                }
            });
        }
    }

    /// When the next lease is over that nobody renews until then; empty if there is none.
    public Optional<Instant> next() {
        return terms.values().stream().map(term -> term.until).min(Instant::compareTo);
    }
}
