package dev.artel.engine.core.dispatch;

import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.Strategy;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Notes why a worker was chosen. Single-threaded.
final class Placements {
    /// The texts for fewer candidates are kept, since they come again and again.
    private static final int FEW = 128;

    private final Map<Strategy, @Nullable String[]> texts = new EnumMap<>(Strategy.class);
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
                ranking.candidates(),
                reasons.refused(demand),
                reasons.misses(demand),
                workerIndex.profiles());
    }

    private String because(Strategy strategy) {
        var found = ranking.found();
        if (found == 1) {
            return "it was the only one that asked and could take it";
        }
        if (ranking.isByLastBack()) {
            return "first of "
                    + found
                    + " that asked and could take it: longest without giving anything back, as the task came back again and again";
        }
        if (ranking.isByGivenBack()) {
            return "first of "
                    + found
                    + " that asked and could take it: fewest tasks given back lately, then "
                    + by(strategy);
        }
        if (found >= FEW) {
            return text(strategy, found);
        }
        var ofStrategy = texts.computeIfAbsent(strategy, _ -> new String[FEW]);
        var known = ofStrategy[found];
        if (known == null) {
            known = text(strategy, found);
            ofStrategy[found] = known;
        }
        return known;
    }

    private static String text(Strategy strategy, int found) {
        return "first of " + found + " that asked and could take it: " + by(strategy);
    }

    private static String by(Strategy strategy) {
        return switch (strategy) {
            case DEFAULT -> "warm, then cheapest, then least loaded";
            case ROUND_ROBIN -> "next in turn";
            case LEAST_CONNECTIONS -> "fewest tasks in work";
            case CHEAPEST -> "cheapest, then least loaded";
            case BEST_VALUE -> "least cost per reputation";
            case OVERFLOW -> "cheapest that is not crowded, else least crowded";
        };
    }
}
