package dev.artel.simulation.judges;

import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.simulation.world.World;
import java.util.HashSet;
import java.util.Map;

/// The part of the [Ledger] that judges whether a job still asks for what it has asked for.
final class PendingInvariants {
    private final World world;

    PendingInvariants(World world) {
        this.world = world;
    }

    /// Emitted - answered - withdrawn = pending.
    void settle(JobId job, JobAccount account, Map<EffectId, Integer> balance) {
        var pending = new HashSet<EffectId>();
        for (var effect : Jobs.pending(account.fold)) {
            if (!pending.add(effect.id())) {
                throw world.failure("job " + job + " asks twice for " + effect);
            }
        }
        balance.forEach((id, count) -> {
            if (count != (pending.contains(id) ? 1 : 0)) {
                throw world.failure(
                        "job "
                                + job
                                + ": effect "
                                + id
                                + " was asked for "
                                + count
                                + " times more than it ended, and is "
                                + (pending.contains(id) ? "" : "not ")
                                + "pending in "
                                + account.fold);
            }
        });
        for (var id : pending) {
            if (!balance.containsKey(id)) {
                throw world.failure(
                        "job " + job + ": pending effect " + id + " was never asked for");
            }
        }
        var fold = (Job) account.fold;
        if (pending.isEmpty() != fold.isClosed()) {
            throw world.failure(
                    "job "
                            + job
                            + " is "
                            + (fold.isClosed() ? "closed" : "not closed")
                            + " and has "
                            + pending.size()
                            + " pending effects: "
                            + fold);
        }
        account.pending = pending;
    }
}
