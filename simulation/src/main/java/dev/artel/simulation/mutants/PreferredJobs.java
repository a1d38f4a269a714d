package dev.artel.simulation.mutants;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobId;
import dev.artel.simulation.world.Sharing;
import java.util.LinkedHashMap;
import java.util.List;

/// The bug that some jobs of a client have nine of ten turns of their client: the coordinator takes them for those of another client, and
/// both have together the weight of the one. Beside other clients it would
/// also show in the turns of those, so only jobs of an only client are preferred.
final class PreferredJobs {
    private static final double SHARE = 0.9;
    private static final int ONE_OF = 3;
    private static final String PREFERRED = "preferred";

    private PreferredJobs() {}

    /// `input` with the tasks of preferred jobs in another name.
    static CoordinatorInput renamed(CoordinatorInput input) {
        return switch (input) {
            case CoordinatorInput.Reserve(var job, var offers) ->
                    new CoordinatorInput.Reserve(
                            job, offers.stream().map(offer -> renamed(job, offer)).toList());
            case CoordinatorInput.Effects(var job, var asked, var ended) ->
                    new CoordinatorInput.Effects(job, renamed(job, asked), renamed(job, ended));
            case CoordinatorInput.AllPending(var job, var pending) ->
                    new CoordinatorInput.AllPending(job, renamed(job, pending));
            case CoordinatorInput other -> other;
        };
    }

    /// `effect` with the tasks of preferred jobs in another name.
    static Effect.Indexed renamed(JobId job, Effect.Indexed effect) {
        return effect instanceof Effect.Offer offer ? renamed(job, offer) : effect;
    }

    /// `settings` in which the weight of the client is divided between its preferred jobs and the others.
    static DispatchSettings divided(DispatchSettings settings) {
        var weights = new LinkedHashMap<>(settings.weights());
        var weight = settings.weight(Sharing.ONLY_CLIENT);
        weights.put(Sharing.ONLY_CLIENT, weight * (1 - SHARE));
        weights.put(PREFERRED, weight * SHARE);
        return settings.withWeights(weights);
    }

    private static List<Effect.Indexed> renamed(JobId job, List<Effect.Indexed> effects) {
        return effects.stream().map(effect -> renamed(job, effect)).toList();
    }

    private static Effect.Offer renamed(JobId job, Effect.Offer offer) {
        return offer.client().equals(Sharing.ONLY_CLIENT)
                        && Math.floorMod(job.value().hashCode(), ONE_OF) == 0
                ? new Effect.Offer(
                        offer.id(),
                        offer.task(),
                        offer.attempt(),
                        offer.outline(),
                        offer.priority(),
                        PREFERRED,
                        offer.opened(),
                        offer.notBefore(),
                        offer.failedOn())
                : offer;
    }
}
