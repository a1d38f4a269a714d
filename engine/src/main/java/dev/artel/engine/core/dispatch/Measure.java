package dev.artel.engine.core.dispatch;

import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.Strategy;
import java.util.ArrayList;
import java.util.Locale;

/// What candidates are compared by; lower is better.
enum Measure {
    /// 1 for a worker on which the task has failed.
    FAILED_HERE,
    /// 1 for another worker than that of the earlier task.
    AWAY,
    /// 1 for a worker that is not warm for the type.
    COLD,
    COST,
    COST_PER_REPUTATION,
    /// The tasks in work on a worker that is crowded; 0 for others.
    EXCESS,
    /// The tasks in work.
    IN_USE,
    /// The part of the slots that is taken.
    LOAD,
    /// How long until it is the worker's turn.
    TURN;

    /// The most that a class has.
    static final int MOST = 5;

    private final String word = name().toLowerCase(Locale.ROOT);

    String word() {
        return word;
    }

    static Measure[] of(DemandClass.Key key) {
        var choice = key.demand().choice();
        var measures = new ArrayList<Measure>();
        if (choice.exclusion() == Exclusion.OTHERS_FIRST && !key.failedOn().isEmpty()) {
            measures.add(FAILED_HERE);
        }
        if (choice.affinity().filter(it -> !it.required() && it.worker().isPresent()).isPresent()) {
            measures.add(AWAY);
        }
        switch (choice.strategy()) {
            case DEFAULT -> {
                measures.add(COLD);
                measures.add(COST);
                measures.add(LOAD);
            }
            case ROUND_ROBIN -> measures.add(TURN);
            case LEAST_CONNECTIONS -> {
                measures.add(IN_USE);
                measures.add(LOAD);
            }
            case CHEAPEST -> {
                measures.add(COST);
                measures.add(LOAD);
            }
            case BEST_VALUE -> {
                measures.add(COST_PER_REPUTATION);
                measures.add(LOAD);
            }
            case OVERFLOW -> {
                measures.add(EXCESS);
                measures.add(COST);
                measures.add(LOAD);
            }
        }
        return measures.toArray(Measure[]::new);
    }

    double at(int place, DemandClass demand, Floor floor) {
        return switch (this) {
            case FAILED_HERE -> demand.key.failedOn().contains(floor.at(place).id) ? 1 : 0;
            case AWAY ->
                    demand.key
                                    .demand()
                                    .choice()
                                    .affinity()
                                    .flatMap(it -> it.worker())
                                    .filter(floor.at(place).id::equals)
                                    .isPresent()
                            ? 0
                            : 1;
            case COLD -> demand.facts.warm.has(place) ? 0 : 1;
            case COST -> demand.facts.cost(place);
            case COST_PER_REPUTATION ->
                    floor.reputation(place) > 0
                            ? demand.facts.cost(place) / floor.reputation(place)
                            : Double.POSITIVE_INFINITY;
            case EXCESS -> {
                var used = floor.used(place);
                yield used < Strategy.SOFT_LIMIT ? 0 : used;
            }
            case IN_USE -> floor.used(place);
            case LOAD -> floor.load(place);
            case TURN -> Math.floorMod(place - demand.facts.last - 1, floor.places());
        };
    }
}
