package dev.artel.testkit.sim;

import dev.artel.engine.core.DeskCore;
import dev.artel.engine.core.DeskInput;
import dev.artel.engine.core.DeskOutput;
import dev.artel.engine.core.JobsInput;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.job.JobCommand;
import dev.artel.session.SessionInput;
import java.time.Duration;
import java.util.ArrayList;

/// The mailbox of the desk, and what it wants done.
final class DeskShell {
    private static final Duration FRESH_TERM = Duration.ofSeconds(30);

    private final World world;
    private final Ledger ledger;
    private final Sabotage sabotage;
    private final Orchestrator orchestrator;
    private final DeskCore core;
    private final Inbox<DeskInput> inbox;
    private long nextTick = Long.MAX_VALUE;

    DeskShell(Site site, Sabotage sabotage, Orchestrator orchestrator) {
        world = site.world();
        ledger = site.ledger();
        this.sabotage = sabotage;
        this.orchestrator = orchestrator;
        core = new DeskCore(FRESH_TERM, world.random().split());
        inbox = new Inbox<>(world, orchestrator::isAlive, this::take);
    }

    DeskCore core() {
        return core;
    }

    void put(DeskInput input) {
        Audit.jobOf(input).ifPresent(orchestrator.audit()::begin);
        inbox.put(input);
    }

    private void take(DeskInput input) {
        if (!(input instanceof DeskInput.Renewed)) {
            world.note("desk", input);
        }
        var outputs = new ArrayList<DeskOutput>();
        core.on(input, world.now(), outputs::add);
        for (var output : outputs) {
            if (orchestrator.diesNow()) {
                return;
            }
            perform(output);
        }
        Audit.jobOf(input).ifPresent(orchestrator.audit()::end);
        scheduleTick();
    }

    /// The clock has jumped: what was not due may be now, and the other way round.
    void scheduleTick() {
        var wake = core.nextWake();
        if (wake.isEmpty() || !orchestrator.isAlive()) {
            return;
        }
        var at = Math.max(world.loop().now() + 1, world.whenClockShows(wake.get()));
        if (at < nextTick) {
            nextTick = at;
            world.loop()
                    .at(
                            at,
                            () -> {
                                if (orchestrator.isAlive() && nextTick == at) {
                                    nextTick = Long.MAX_VALUE;
                                    put(new DeskInput.Tick());
                                }
                            });
        }
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
