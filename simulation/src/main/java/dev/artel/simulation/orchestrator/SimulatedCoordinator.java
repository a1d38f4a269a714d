package dev.artel.simulation.orchestrator;

import dev.artel.engine.core.CoordinatorCore;
import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.CoordinatorOutput;
import dev.artel.engine.core.CoordinatorTime;
import dev.artel.engine.core.JobsInput;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.session.SessionInput;
import dev.artel.simulation.grants.GrantInvariants;
import dev.artel.simulation.grants.HandOutInvariants;
import dev.artel.simulation.grants.LeaseTimeInvariants;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.mutants.MutantInjector;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The mailbox of the coordinator, and what it wants done.
final class SimulatedCoordinator {
    private static final Duration FRESH_TERM = Duration.ofSeconds(30);
    private static final long LONGEST_NAP = 2_000;

    private final World world;
    private final Ledger ledger;
    private final MutantInjector mutantInjector;
    private final SimulatedOrchestrator orchestrator;
    private final CoordinatorCore core;
    private final GrantInvariants judge;
    private final LeaseTimeInvariants leaseTimes;
    private final HandOutInvariants handOuts;
    private final Inbox<CoordinatorInput> inbox;
    private long nextTick = Long.MAX_VALUE;

    /// The leases that nobody could renew while the process stood still, and until when.
    private Set<LeaseToken> unrenewed = new LinkedHashSet<>();

    private long stoodStillUntil;

    /// The time by which the core reckons.
    private CoordinatorTime lastTime;

    SimulatedCoordinator(
            OrchestratorHost orchestratorHost,
            MutantInjector mutantInjector,
            SimulatedOrchestrator orchestrator) {
        world = orchestratorHost.world();
        ledger = orchestratorHost.ledger();
        this.mutantInjector = mutantInjector;
        this.orchestrator = orchestrator;
        core = new CoordinatorCore(FRESH_TERM, world.random().split());
        lastTime = new CoordinatorTime(world.now(), world.steadyNow());
        var settings = orchestratorHost.sharing().settings();
        judge = new GrantInvariants(world, settings);
        leaseTimes = new LeaseTimeInvariants(world, FRESH_TERM);
        handOuts = new HandOutInvariants(world);
        core.on(mutantInjector.settings(settings), lastTime, _ -> {});
        inbox = new Inbox<>(world, orchestrator, this::take);
    }

    CoordinatorCore core() {
        return core;
    }

    /// Whether the coordinator has `effect` of `job`.
    boolean holds(JobId job, Effect.Indexed effect) {
        return core.holds(job, mutantInjector.heard(job, effect));
    }

    void put(CoordinatorInput input) {
        Audit.jobOf(input).ifPresent(orchestrator.audit()::begin);
        inbox.put(input);
    }

    private void take(CoordinatorInput input) {
        if (!(input instanceof CoordinatorInput.Renewed
                || input instanceof CoordinatorInput.Tick)) {
            world.note("coordinator", input);
        }
        var outputs = new ArrayList<CoordinatorOutput>();
        forgetSettled(input);
        lastTime = new CoordinatorTime(world.now(), world.steadyNow());
        judge.before(input, lastTime.wall());
        leaseTimes.before(input, lastTime.steady());
        handOuts.before(input, lastTime.steady());
        mutantInjector.input(input).ifPresent(heard -> core.on(heard, lastTime, outputs::add));
        mutantInjector.refill().ifPresent(more -> core.on(more, lastTime, outputs::add));
        outputs.removeIf(output -> mutantInjector.isUnheard(output, input));
        if (!world.isWatchedOnly()) {
            outputs.forEach(judge::sends);
            outputs.forEach(leaseTimes::sends);
            leaseTimes.after(input);
            outputs.forEach(handOuts::sends);
            handOuts.after(input, lastTime.steady());
        }
        judge.after(input);
        if (input instanceof CoordinatorInput.Configured(var settings)) {
            orchestrator.audit().configured(settings);
        }
        for (var output : outputs) {
            if (input instanceof CoordinatorInput.Tick) {
                checkCouldBeRenewed(output);
            }
            if (orchestrator.diesNow()) {
                return;
            }
            perform(output);
        }
        Audit.jobOf(input).ifPresent(orchestrator.audit()::end);
        scheduleTick();
        if (input instanceof CoordinatorInput.Tick && world.has(Trait.PUSHED)) {
            tickBeforeEnd();
        }
    }

    /// Ticks a moment before the next lease is over.
    private void tickBeforeEnd() {
        var until = leaseTimes.next().map(next -> Duration.between(world.steadyNow(), next));
        if (until.isPresent()
                && until.get().toMillis() > 1
                && until.get().toMillis() < LONGEST_NAP) {
            orchestrator.later(
                    until.get().toMillis() - 1,
                    () -> put(new CoordinatorInput.Tick(world.steadyNow())));
        }
    }

    /// The process stands still until then; a worker with a lease may renew it afterwards.
    void standsStill(long until) {
        unrenewed = new LinkedHashSet<>();
        var since = Duration.between(lastTime.steady(), world.steadyNow());
        var now = lastTime.wall().plus(since);
        core.view()
                .expiries()
                .forEach((token, expires) -> {
                    // Who waits for an answer renews nothing.
                    if (expires.isAfter(now) && !expires.equals(Instant.MAX)) {
                        unrenewed.add(token);
                    }
                });
        if (world.has(Mutant.STANDSTILL_UNNOTICED)) {
            var began = world.steadyNow();
            var length = until - world.loop().now();
            // One act: those of the same time come in any order, and a late tick that comes first
            // is a pause that is noticed.
            world.loop()
                    .at(
                            until,
                            () -> {
                                for (var at = 0L; at < length; at += LONGEST_NAP) {
                                    put(new CoordinatorInput.Tick(began.plusMillis(at)));
                                }
                            });
        }
        stoodStillUntil = until;
    }

    /// A worker that has renewed has the term that it asked for; of a lease that is revoked only the last word of its
    /// worker is waited for.
    private void forgetSettled(CoordinatorInput input) {
        switch (input) {
            case CoordinatorInput.Effects effects -> forgetRevoked(effects.asked());
            case CoordinatorInput.AllPending all -> forgetRevoked(all.pending());
            case CoordinatorInput.Renewed renewed ->
                    unrenewed.removeAll(
                            core.view().slots().getOrDefault(renewed.worker(), new TreeSet<>()));
            case CoordinatorInput.RenewedOnly renewed -> unrenewed.removeAll(renewed.tokens());
            case CoordinatorInput _ -> {}
        }
    }

    private void forgetRevoked(List<Effect.Indexed> asked) {
        for (var effect : asked) {
            if (effect instanceof Effect.Revoke revoke) {
                unrenewed.remove(revoke.lease().token());
            }
        }
    }

    private void checkCouldBeRenewed(CoordinatorOutput output) {
        if (output instanceof CoordinatorOutput.Command(var _, JobCommand.EndLease end)
                && unrenewed.contains(end.token())
                && world.loop().now() < stoodStillUntil + FRESH_TERM.toMillis()) {
            throw world.failure("the orchestrator stood still, and a lease is over: " + end);
        }
    }

    /// The clock has jumped: what was not due may be now, and the other way round.
    void scheduleTick() {
        if (!orchestrator.isAlive()) {
            return;
        }
        var longest = world.loop().now() + LONGEST_NAP;
        var due = core.nextWake().map(world::whenClockShows).orElse(longest);
        var at = Math.clamp(due, world.loop().now() + 1, longest);
        if (at < nextTick) {
            nextTick = at;
            world.loop().at(at, () -> tick(at));
        }
    }

    private void tick(long at) {
        if (!orchestrator.isAlive() || nextTick != at) {
            return;
        }
        if (world.loop().now() < orchestrator.stillUntil()) {
            world.loop().at(orchestrator.stillUntil(), () -> tick(at));
            return;
        }
        nextTick = Long.MAX_VALUE;
        put(new CoordinatorInput.Tick(world.steadyNow()));
    }

    private void perform(CoordinatorOutput output) {
        switch (output) {
            case CoordinatorOutput.Command(var job, var command) -> {
                if (world.has(Mutant.TIMERS_UNHEARD)
                        && command instanceof JobCommand.FireTimer
                        && world.chance(0.3)) {
                    return;
                }
                orchestrator.command(job, command);
                mutantInjector.handOut(command).ifPresent(this::perform);
            }
            case CoordinatorOutput.Again(var job) -> orchestrator.put(new JobsInput.Repeat(job));
            case CoordinatorOutput.Reserved(var job, var grants) ->
                    orchestrator.put(new JobsInput.Reserved(job, grants));
            case CoordinatorOutput.HandOuts(long ask, var worker, var tasks) -> {
                tasks.forEach(task -> ledger.handsOut(task.lease().token()));
                orchestrator.put(new SessionInput.HandedOut(ask, worker, tasks));
            }
            case CoordinatorOutput.Held(var task) -> orchestrator.put(new SessionInput.Held(task));
            case CoordinatorOutput.Revoked(var worker, var token) ->
                    orchestrator.put(new SessionInput.Revoked(worker, token));
            case CoordinatorOutput.Lost(var worker, var token) ->
                    orchestrator.put(new SessionInput.LeaseLost(worker, token));
            case CoordinatorOutput.NotHeld(long requestId, var tokens) -> {
                if (requestId != 0) {
                    orchestrator.put(
                            new SessionInput.Renewed(requestId, new RenewReply.Renewed(tokens)));
                }
            }
            case CoordinatorOutput.Why _,
                    CoordinatorOutput.Judged _,
                    CoordinatorOutput.Foreseen _,
                    CoordinatorOutput.Surveyed _,
                    CoordinatorOutput.Placed _,
                    CoordinatorOutput.Missing _,
                    CoordinatorOutput.Seen _ -> {}
        }
    }
}
