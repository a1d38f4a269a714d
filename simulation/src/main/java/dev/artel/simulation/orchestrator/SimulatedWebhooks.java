package dev.artel.simulation.orchestrator;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Calls the webhooks of jobs, in virtual time. Others hear it late, twice, without an answer, or
/// never.
final class SimulatedWebhooks {
    private static final int MOST_ATTEMPTS = 4;

    private final World world;
    private final Ledger ledger;
    private final SimulatedOrchestrator orchestrator;
    private final Set<Call> underWay = new HashSet<>();

    private record Call(JobId job, EffectId effect) {}

    SimulatedWebhooks(World world, Ledger ledger, SimulatedOrchestrator orchestrator) {
        this.world = world;
        this.ledger = ledger;
        this.orchestrator = orchestrator;
    }

    boolean isUnderWay(JobId job, EffectId call) {
        return underWay.contains(new Call(job, call));
    }

    void perform(JobId job, List<Effect.CallWebhook> calls) {
        for (var call : calls) {
            if (underWay.add(new Call(job, call.id()))) {
                orchestrator.later(world.between(0, 50), () -> attempt(job, call, 1));
            }
        }
    }

    private void attempt(JobId job, Effect.CallWebhook call, int number) {
        if (world.has(Mutant.WEBHOOK_NOT_CALLED) && world.chance(0.3)) {
            end(job, call, number, Optional.empty());
            return;
        }
        var heard = world.chance(0.7);
        if (heard) {
            ledger.hears(job, call);
        }
        if (heard && world.chance(0.8)) {
            end(job, call, number, Optional.empty());
        } else if (number == MOST_ATTEMPTS) {
            end(job, call, number, Optional.of("nobody answers"));
        } else {
            orchestrator.later(
                    world.between(500, 5_000L * number), () -> attempt(job, call, number + 1));
        }
    }

    private void end(JobId job, Effect.CallWebhook call, int attempts, Optional<String> problem) {
        if (underWay.remove(new Call(job, call.id()))) {
            orchestrator.command(
                    job, new JobCommand.SettleWebhook(call.id(), attempts, problem, world.now()));
        }
    }
}
