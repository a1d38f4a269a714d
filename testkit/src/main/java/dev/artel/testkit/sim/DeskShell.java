package dev.artel.testkit.sim;

import dev.artel.engine.core.DeskCore;
import dev.artel.engine.core.DeskInput;
import dev.artel.engine.core.DeskOutput;
import dev.artel.engine.core.DeskTime;
import dev.artel.engine.core.JobsInput;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobCommand;
import dev.artel.session.SessionInput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The mailbox of the desk, and what it wants done.
final class DeskShell {
    private static final Duration FRESH_TERM = Duration.ofSeconds(30);
    private static final long LONGEST_NAP = 2_000;

    private final World world;
    private final Ledger ledger;
    private final Sabotage sabotage;
    private final Orchestrator orchestrator;
    private final DeskCore core;
    private final DeskJudge judge;
    private final Inbox<DeskInput> inbox;
    private long nextTick = Long.MAX_VALUE;

    /// The leases that nobody could renew while the process stood still, and until when.
    private Set<LeaseToken> unrenewed = new LinkedHashSet<>();

    private long stoodStillUntil;

    /// The time by which the core reckons.
    private DeskTime lastTime;

    DeskShell(Site site, Sabotage sabotage, Orchestrator orchestrator) {
        world = site.world();
        ledger = site.ledger();
        this.sabotage = sabotage;
        this.orchestrator = orchestrator;
        core = new DeskCore(FRESH_TERM, world.random().split());
        lastTime = new DeskTime(world.now(), world.steadyNow());
        var settings = site.sharing().settings();
        judge = new DeskJudge(world, settings);
        core.on(sabotage.settings(settings), lastTime, _ -> {});
        inbox = new Inbox<>(world, orchestrator, this::take);
    }

    DeskCore core() {
        return core;
    }

    void put(DeskInput input) {
        Audit.jobOf(input).ifPresent(orchestrator.audit()::begin);
        inbox.put(input);
    }

    private void take(DeskInput input) {
        if (!(input instanceof DeskInput.Renewed || input instanceof DeskInput.Tick)) {
            world.note("desk", input);
        }
        var outputs = new ArrayList<DeskOutput>();
        forgetSettled(input);
        lastTime = new DeskTime(world.now(), world.steadyNow());
        judge.before(input, lastTime.wall());
        sabotage.input(input).ifPresent(heard -> core.on(heard, lastTime, outputs::add));
        sabotage.refill().ifPresent(more -> core.on(more, lastTime, outputs::add));
        if (!world.isWatchedOnly()) {
            outputs.forEach(judge::says);
        }
        judge.after(input);
        for (var output : outputs) {
            if (input instanceof DeskInput.Tick) {
                checkCouldBeRenewed(output);
            }
            if (orchestrator.diesNow()) {
                return;
            }
            perform(output);
        }
        Audit.jobOf(input).ifPresent(orchestrator.audit()::end);
        scheduleTick();
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
                                    put(new DeskInput.Tick(began.plusMillis(at)));
                                }
                            });
        }
        stoodStillUntil = until;
    }

    /// A worker that has renewed has the term that it asked for; of a lease that is revoked only the last word of its
    /// worker is waited for.
    private void forgetSettled(DeskInput input) {
        switch (input) {
            case DeskInput.Effects effects -> forgetRevoked(effects.asked());
            case DeskInput.AllPending all -> forgetRevoked(all.pending());
            case DeskInput.Renewed renewed ->
                    unrenewed.removeAll(
                            core.view().slots().getOrDefault(renewed.worker(), new TreeSet<>()));
            case DeskInput.RenewedOnly renewed -> unrenewed.removeAll(renewed.tokens());
            case DeskInput _ -> {}
        }
    }

    private void forgetRevoked(List<Effect.Indexed> asked) {
        for (var effect : asked) {
            if (effect instanceof Effect.Revoke revoke) {
                unrenewed.remove(revoke.lease().token());
            }
        }
    }

    private void checkCouldBeRenewed(DeskOutput output) {
        if (output instanceof DeskOutput.Command(var _, JobCommand.EndLease end)
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
        put(new DeskInput.Tick(world.steadyNow()));
    }

    private void perform(DeskOutput output) {
        switch (output) {
            case DeskOutput.Command(var job, var command) -> {
                if (world.has(Mutant.ALARMS_UNHEARD)
                        && command instanceof JobCommand.FireAlarm
                        && world.chance(0.3)) {
                    return;
                }
                if (world.has(Mutant.LEASES_OVERDUE)
                        && command instanceof JobCommand.EndLease end
                        && end.reason() == LeaseEnding.Lost.EXPIRED) {
                    return;
                }
                orchestrator.command(job, command);
                sabotage.handOut(command).ifPresent(this::perform);
            }
            case DeskOutput.Reserved(var job, var grants) ->
                    orchestrator.put(new JobsInput.Reserved(job, grants));
            case DeskOutput.HandOuts(long ask, var worker, var tasks) -> {
                tasks.forEach(task -> ledger.handsOut(task.lease().token()));
                orchestrator.put(new SessionInput.HandedOut(ask, worker, tasks));
            }
            case DeskOutput.Held(var task) -> orchestrator.put(new SessionInput.Held(task));
            case DeskOutput.Revoked(var worker, var token) ->
                    orchestrator.put(new SessionInput.Revoked(worker, token));
            case DeskOutput.Lost(var worker, var token) ->
                    orchestrator.put(new SessionInput.LeaseLost(worker, token));
            case DeskOutput.NotHeld(long ticket, var tokens) -> {
                if (ticket != 0) {
                    orchestrator.put(
                            new SessionInput.Renewed(ticket, new RenewReply.Renewed(tokens)));
                }
            }
            case DeskOutput.Why _,
                    DeskOutput.Judged _,
                    DeskOutput.Missing _,
                    DeskOutput.Seen _ -> {}
        }
    }
}
