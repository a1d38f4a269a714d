package dev.artel.engine.core.dispatch;

import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.Strategy;

/// Notes why a worker was chosen. Single-threaded.
final class Placements {
    private final WorkerIndex workerIndex;
    private final Reasons reasons;
    private final Ranking ranking;

    Placements(WorkerIndex workerIndex, Reasons reasons, Ranking ranking) {
        this.workerIndex = workerIndex;
        this.reasons = reasons;
        this.ranking = ranking;
    }

    /// The choice of the first of the ranking at hand.
    Placement of(DemandClass demand) {
        var winner = workerIndex.at(ranking.first());
        return new Placement(
                winner.id,
                winner.wire(),
                because(demand.key.demand().preferences().strategy()),
                ranking.candidates(demand),
                reasons.refused(demand),
                reasons.misses(demand),
                workerIndex.profiles());
    }

    private String because(Strategy strategy) {
        var found = ranking.found();
        return found == 1
                ? "it was the only one that asked and could take it"
                : switch (strategy) {
                    case DEFAULT -> first(found, "warm, then cheapest, then least loaded");
                    case ROUND_ROBIN -> first(found, "next in turn");
                    case LEAST_CONNECTIONS -> first(found, "fewest tasks in work");
                    case CHEAPEST -> first(found, "cheapest, then least loaded");
                    case BEST_VALUE -> first(found, "least cost per reputation");
                    case OVERFLOW ->
                            first(found, "cheapest that is not crowded, else least crowded");
                };
    }

    private static String first(int found, String by) {
        return "first of " + found + " that asked and could take it: " + by;
    }
}
