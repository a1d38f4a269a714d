package dev.artel.engine.core;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.Refusal;
import dev.artel.kernel.placement.WaitReason;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// The `default` strategy: warm first, then cheapest, then least loaded, among workers that are free now.
final class Strategy {
    static final String FIRST_FREE = "best of the workers that were free when the task came";
    static final String FIRST_IN_LINE = "the worker had room and the task was first in line";

    /// Enough to find a good one, few enough to cost nothing in a large fleet.
    private static final int CANDIDATES = 32;

    private Strategy() {}

    static @Nullable Desk best(Collection<Desk> asking, String type) {
        Desk best = null;
        var bestScore = Double.POSITIVE_INFINITY;
        var looked = 0;
        for (var desk : asking) {
            var score = score(desk, type);
            if (best == null || score < bestScore) {
                best = desk;
                bestScore = score;
            }
            looked++;
            if (looked == CANDIDATES) {
                break;
            }
        }
        return best;
    }

    /// Lower is better: a cold start outweighs any cost, a cost any load.
    private static double score(Desk desk, String type) {
        var profile = desk.profile();
        if (profile == null) {
            return Double.POSITIVE_INFINITY;
        }
        var cold = profile.skills().isWarmFor(type) ? 0 : 1e12;
        var cost = Math.min(profile.costOf(type), 1e9);
        var load = (double) desk.slots().size() / profile.capacity();
        return cold + cost * 100 + load;
    }

    static Placement placement(
            Desk winner,
            String type,
            String because,
            int workers,
            int offering,
            int asking,
            long fleet) {
        var refused = new LinkedHashMap<Refusal, Integer>();
        if (workers > offering) {
            refused.put(Refusal.TYPE, workers - offering);
        }
        if (offering > asking) {
            refused.put(Refusal.BUSY, offering - asking);
        }
        return new Placement(
                winner.id(),
                because,
                List.of(new Placement.Candidate(winner.id(), score(winner, type))),
                refused,
                fleet);
    }

    static WaitReason waitReason(Effect.Offer offer, Collection<Desk> desks, Instant now) {
        var type = offer.spec().type();
        var refused = new LinkedHashMap<Refusal, Integer>();
        for (var desk : desks) {
            var refusal = refusalOf(desk, type);
            if (refusal != null) {
                refused.merge(refusal, 1, Integer::sum);
            }
        }
        return new WaitReason(text(offer, refused, desks.size(), now), desks.size(), refused);
    }

    private static @Nullable Refusal refusalOf(Desk desk, String type) {
        var profile = desk.profile();
        if (profile == null || !profile.tasks().contains(type)) {
            return Refusal.TYPE;
        }
        if (profile.draining()) {
            return Refusal.DRAINING;
        }
        if (desk.free() <= 0) {
            return Refusal.BUSY;
        }
        return desk.openAsk() == null ? Refusal.NOT_ASKING : null;
    }

    private static String text(
            Effect.Offer offer, SequencedMap<Refusal, Integer> refused, int workers, Instant now) {
        var type = offer.spec().type();
        if (offer.notBefore().isAfter(now)) {
            return "it backs off until "
                    + offer.notBefore()
                    + " after attempt "
                    + (offer.attempt() - 1);
        }
        if (workers == 0) {
            return "no worker is connected; start one that offers " + type;
        }
        var able = workers - refused.getOrDefault(Refusal.TYPE, 0);
        if (able == 0) {
            return "none of " + workers + " workers offers " + type + "; start one that does";
        }
        return "of "
                + able
                + " workers that offer "
                + type
                + ", "
                + refused.getOrDefault(Refusal.BUSY, 0)
                + " are busy, "
                + refused.getOrDefault(Refusal.DRAINING, 0)
                + " drain and "
                + refused.getOrDefault(Refusal.NOT_ASKING, 0)
                + " do not ask for work now";
    }
}
