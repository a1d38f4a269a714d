package dev.artel.engine.core;

import dev.artel.engine.core.dispatch.DispatchCore;
import dev.artel.engine.core.dispatch.DispatchQueries;
import dev.artel.engine.core.dispatch.DispatchSink;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Holds the standing effects of all jobs: offers in the dispatcher's queues, leases, and timers. Single-threaded.
///
/// Holding is idempotent: an effect that is already held stays as it is.
public final class CoordinatorCore {
    private final DispatchCore dispatch;
    private final DispatchQueries questions;
    private final LeaseCore leases;
    private final TimerCore timers = new TimerCore();
    private final RandomGenerator random;

    /// After how long without a tick the coordinator was not running, so that no worker could renew anything.
    private static final Duration STANDSTILL = Duration.ofSeconds(3);

    /// The time of the last input.
    private CoordinatorTime last = CoordinatorTime.of(Instant.EPOCH);

    /// The time of the last tick, or of the first input before there was one; null before that.
    private @Nullable Instant ticked;

    /// A coordinator without anything on it, in whose queues any number of tasks may wait.
    ///
    /// @param freshTerm how long a lease lives until its worker first renews it
    /// @param random mints lease tokens and jitter
    public CoordinatorCore(Duration freshTerm, RandomGenerator random) {
        this(freshTerm, random, Integer.MAX_VALUE);
    }

    /// A coordinator without anything on it.
    ///
    /// @param freshTerm how long a lease lives until its worker first renews it
    /// @param random mints lease tokens and jitter
    /// @param mostQueued how many tasks may wait for workers; see [DispatchCore]
    public CoordinatorCore(Duration freshTerm, RandomGenerator random, int mostQueued) {
        this.random = random;
        dispatch = new DispatchCore(random, mostQueued);
        questions = dispatch.questions();
        leases = new LeaseCore(freshTerm);
    }

    /// Takes `input` in and hands what it wants done to `out`, in order.
    ///
    /// Ticks must come at least once a second: a pause of more than three seconds between two of them is taken for a
    /// standstill of the whole process, after which each lease gets a fresh term.
    public void on(CoordinatorInput input, CoordinatorTime time, Consumer<CoordinatorOutput> out) {
        last = time;
        if (ticked == null) {
            ticked = time.steady();
        }
        dispatch.at(time.wall());
        var outputs = new Outputs(out);
        on(input, time.wall(), outputs);
        dispatch.askAgain(outputs);
    }

    /// Takes what the dispatcher wants done as outputs.
    private record Outputs(Consumer<CoordinatorOutput> out) implements DispatchSink {
        void accept(CoordinatorOutput output) {
            out.accept(output);
        }

        @Override
        public void grant(JobId job, JobCommand.Grant grant) {
            accept(new CoordinatorOutput.Command(job, grant));
        }

        @Override
        public void again(JobId job) {
            accept(new CoordinatorOutput.Again(job));
        }

        @Override
        public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
            accept(new CoordinatorOutput.HandOuts(ask, worker, tasks));
        }

        @Override
        public void placed(String type, Duration waited) {
            accept(new CoordinatorOutput.Placed(type, waited));
        }
    }

    private void on(CoordinatorInput input, Instant now, Outputs out) {
        switch (input) {
            case CoordinatorInput.Effects(var job, var asked, var ended) -> {
                // What a slot that becomes free goes to must still be wanted.
                for (var i = 0; i < ended.size(); i++) {
                    withdraw(job, ended.get(i));
                }
                // A revoked lease keeps its slot: it lingers before it ends.
                for (var i = 0; i < asked.size(); i++) {
                    revoke(job, asked.get(i), now, out);
                }
                for (var i = 0; i < ended.size(); i++) {
                    release(job, ended.get(i), now, out);
                }
                for (var i = 0; i < asked.size(); i++) {
                    hold(job, asked.get(i), now, out);
                }
                for (var i = 0; i < ended.size(); i++) {
                    settle(ended.get(i));
                }
            }
            case CoordinatorInput.Asked(long ask, var worker, int max) ->
                    dispatch.asked(ask, worker, max, now, out);
            case CoordinatorInput.Reserve(var job, var offers) ->
                    out.accept(
                            new CoordinatorOutput.Reserved(
                                    job, dispatch.reserve(job, offers, now, out)));
            case CoordinatorInput.AllPending(var job, var pending) -> {
                dispatch.keepOnly(job, pending);
                leases.keepOnly(job, pending);
                timers.keepOnly(job, pending);
                pending.forEach(effect -> revoke(job, effect, now, out));
                pending.forEach(effect -> hold(job, effect, now, out));
                dispatch.serveAll(now, out);
            }
            case CoordinatorInput.Configured(var settings) ->
                    dispatch.configure(settings, now, out);
            case CoordinatorInput.Unreadable(var job) -> dispatch.withdrawAll(job);
            case CoordinatorInput.GrantLapsed(var token) -> dispatch.lapsed(token, now, out);
            case CoordinatorInput.Joined(var profile) -> dispatch.joined(profile, now, out);
            case CoordinatorInput.Left(var worker, var reason) -> {
                dispatch.left(worker);
                leases.of(worker).forEach(token -> end(token, reason, now, out));
            }
            case CoordinatorInput.Withdrawn(long ask) ->
                    dispatch.withdrawn(ask)
                            .forEach(token -> end(token, LeaseEnd.Returned.NOT_RECEIVED, now, out));
            case CoordinatorInput.Renewed(var worker, var tokens, var term) ->
                    leases.renew(worker, tokens, term, last.steady());
            case CoordinatorInput.RenewedOnly(long requestId, var worker, var tokens, var term) ->
                    out.accept(
                            new CoordinatorOutput.NotHeld(
                                    requestId, leases.renewOnly(worker, tokens, term, last)));
            case CoordinatorInput.Ended(var token, var reason) -> end(token, reason, now, out);
            case CoordinatorInput.WhyNotYet(long requestId, var job, var tasks) ->
                    out.accept(
                            new CoordinatorOutput.Why(
                                    requestId, questions.whyNotYet(job, tasks, now)));
            case CoordinatorInput.Judge(long requestId, var job, int task, var only, int limit) ->
                    out.accept(
                            new CoordinatorOutput.Judged(
                                    requestId,
                                    questions.eligibilities(job, task, only, limit, now)));
            case CoordinatorInput.Foresee(long requestId, var question, int limit) ->
                    out.accept(
                            new CoordinatorOutput.Foreseen(
                                    requestId, questions.forecast(question, limit, now)));
            case CoordinatorInput.Survey(long requestId) ->
                    out.accept(new CoordinatorOutput.Surveyed(requestId, questions.survey(now)));
            case CoordinatorInput.Limited(var worker, var until) -> dispatch.limited(worker, until);
            case CoordinatorInput.Listened _ ->
                    leases.report(
                            (job, hold) -> out.accept(held(job, hold)),
                            lease ->
                                    out.accept(
                                            new CoordinatorOutput.Revoked(
                                                    lease.worker(), lease.token())));
            case CoordinatorInput.Miss(long requestId, var job, var effects) ->
                    out.accept(
                            new CoordinatorOutput.Missing(
                                    requestId,
                                    effects.stream()
                                            .filter(effect -> !holds(job, effect))
                                            .toList()));
            case CoordinatorInput.Look(long requestId) ->
                    out.accept(new CoordinatorOutput.Seen(requestId, view()));
            case CoordinatorInput.Tick(var at) -> tick(at, now, out);
        }
    }

    /// When the next tick has something to do; empty if nothing waits for time.
    public Optional<Instant> nextWake() {
        return earliest(
                earliest(timers.next(), dispatch.next()),
                earliest(leases.next(), dispatch.nextHandOut()).map(last::wallAt));
    }

    /// How many offers wait for a worker.
    public int queued() {
        return dispatch.queued();
    }

    /// See [DispatchCore#isHopeful].
    public boolean isHopeful() {
        return dispatch.isHopeful();
    }

    /// What is held, for audits.
    public CoordinatorView view() {
        return new CoordinatorView(
                dispatch.queued(),
                dispatch.reserved(),
                leases.expiries(last),
                timers.size(),
                dispatch.slots(),
                dispatch.crowds(),
                dispatch.limits());
    }

    /// Whether `effect` of `job` is held, exactly as it is and with all that goes with it, for audits.
    public boolean holds(JobId job, Effect.Indexed effect) {
        return switch (effect) {
            case Effect.Offer offer -> dispatch.holds(job, offer);
            case Effect.HoldLease hold ->
                    leases.holds(hold.id(), hold.lease()) && dispatch.occupies(hold.lease());
            case Effect.HoldParked parked ->
                    leases.holds(parked.id(), parked.lease()) && !dispatch.occupies(parked.lease());
            case Effect.Revoke(var id, int _, var lease, var _, var _) ->
                    leases.holds(id, lease) && dispatch.occupies(lease);
            case Effect.ScheduleTimer timer -> timers.holds(job, timer);
        };
    }

    /// @param at when the tick was sent: what the coordinator had to wait for since then is no time in which a worker did not
    ///     renew
    private void tick(Instant at, Instant now, Outputs out) {
        if (ticked != null && Duration.between(ticked, at).compareTo(STANDSTILL) > 0) {
            leases.refresh(at);
        }
        ticked = at;
        timers.due(
                now,
                (job, timer) ->
                        out.accept(
                                new CoordinatorOutput.Command(
                                        job,
                                        new JobCommand.FireTimer(
                                                timer.id(),
                                                timer.timerKind(),
                                                random.nextDouble(),
                                                now))));
        dispatch.handOutOverdue(last.steady(), out);
        leases.expired(at).forEach(token -> end(token, LeaseEnd.Lost.EXPIRED, now, out));
        dispatch.due(now, out);
    }

    private void end(LeaseToken token, LeaseEnd reason, Instant now, Outputs out) {
        var worker = takeBack(token, reason, now, out);
        if (reason instanceof LeaseEnd.Returned returned && !returned.isOfOrchestrator()) {
            worker.ifPresent(had -> dispatch.gaveBack(had, token));
        }
    }

    /// Ends a lease, whatever its worker has done.
    ///
    /// @return who had it; empty: it is not held
    private Optional<WorkerId> takeBack(
            LeaseToken token, LeaseEnd reason, Instant now, Outputs out) {
        token.address()
                .ifPresent(address ->
                        out.accept(
                                new CoordinatorOutput.Command(
                                        address.job(),
                                        new JobCommand.EndLease(
                                                address.task(), token, reason, now))));
        var worker = leases.end(token);
        worker.ifPresent(had -> out.accept(new CoordinatorOutput.Lost(had, token)));
        return worker;
    }

    private void revoke(JobId job, Effect.Indexed effect, Instant now, Outputs out) {
        if (effect instanceof Effect.Revoke revoke) {
            var lease = revoke.lease();
            var handedOut = dispatch.linger(job, revoke, out);
            leases.linger(job, revoke.id(), lease, last);
            if (handedOut) {
                out.accept(new CoordinatorOutput.Revoked(lease.worker(), lease.token()));
            } else {
                var _ = takeBack(lease.token(), LeaseEnd.Returned.NOT_RECEIVED, now, out);
            }
        }
    }

    private void hold(JobId job, Effect.Indexed effect, Instant now, Outputs out) {
        switch (effect) {
            case Effect.Offer offer -> dispatch.offer(job, offer, now, out);
            case Effect.HoldLease hold -> {
                var isNew = leases.hold(job, hold, last.steady());
                var isOwn = dispatch.isReserved(hold.lease().token());
                if (!dispatch.granted(job, hold, last.steady(), out)) {
                    end(hold.lease().token(), LeaseEnd.Returned.NOT_RECEIVED, now, out);
                } else if (isNew && !isOwn) {
                    out.accept(held(job, hold));
                }
            }
            case Effect.HoldParked parked -> leases.park(job, parked);
            case Effect.ScheduleTimer timer -> timers.hold(job, timer);
            case Effect.Revoke _ -> {} // see [#revoke]
        }
    }

    private static CoordinatorOutput.Held held(JobId job, Effect.HoldLease hold) {
        return new CoordinatorOutput.Held(
                new HandOut(
                        job,
                        hold.task(),
                        hold.lease(),
                        hold.spec(),
                        hold.priority(),
                        hold.trace(),
                        hold.answers()));
    }

    private void withdraw(JobId job, Effect.Indexed effect) {
        if (effect instanceof Effect.Offer offer) {
            dispatch.withdraw(job, offer);
        }
    }

    private void release(JobId job, Effect.Indexed effect, Instant now, Outputs out) {
        switch (effect) {
            case Effect.HoldLease hold -> {
                leases.release(hold.id(), hold.lease());
                dispatch.freed(hold.lease(), false, now, out);
            }
            case Effect.Revoke revoke -> {
                leases.release(revoke.id(), revoke.lease());
                dispatch.freed(revoke.lease(), true, now, out);
            }
            case Effect.HoldParked parked -> leases.release(parked.id(), parked.lease());
            case Effect.ScheduleTimer timer -> timers.release(job, timer);
            case Effect.Offer _ -> {}
        }
    }

    private void settle(Effect.Indexed ended) {
        switch (ended) {
            case Effect.HoldLease hold -> leases.settle(hold.lease());
            case Effect.HoldParked parked -> leases.settle(parked.lease());
            case Effect.Revoke revoke -> leases.settle(revoke.lease());
            case Effect.Offer _, Effect.ScheduleTimer _ -> {}
        }
    }

    private static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return one.get().isBefore(other.get()) ? one : other;
    }
}
