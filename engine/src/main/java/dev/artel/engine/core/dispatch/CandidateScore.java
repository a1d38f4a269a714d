package dev.artel.engine.core.dispatch;

import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.Strategy;
import java.util.ArrayList;
import java.util.Locale;

/// What candidates are compared by; lower is better.
enum CandidateScore {
    /// When a worker with its token gave something back last. Looked at for tasks that came back again and again.
    LAST_BACK_OF_TOKEN,
    /// When it gave something back last, or came. Looked at for the same tasks.
    LAST_BACK,
    /// How often it has given tasks back lately. Looked at while there is a worker that has done so.
    GIVEN_BACK,
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
    static final int MOST = 6;

    private final String word = name().toLowerCase(Locale.ROOT);

    String word() {
        return word;
    }

    /// What workers are compared by as a rule.
    static CandidateScore[] of(DemandClass.Key key) {
        if (key.isWary()) {
            // Of two workers the second measure is never the same.
            return new CandidateScore[] {LAST_BACK_OF_TOKEN, LAST_BACK};
        }
        var preferences = key.demand().preferences();
        var candidateScores = new ArrayList<CandidateScore>();
        if (preferences.exclusion() == Exclusion.OTHERS_FIRST && !key.failedOn().isEmpty()) {
            candidateScores.add(FAILED_HERE);
        }
        if (preferences
                .affinity()
                .filter(it -> !it.required() && it.worker().isPresent())
                .isPresent()) {
            candidateScores.add(AWAY);
        }
        switch (preferences.strategy()) {
            case DEFAULT -> {
                candidateScores.add(COLD);
                candidateScores.add(COST);
                candidateScores.add(LOAD);
            }
            case ROUND_ROBIN -> candidateScores.add(TURN);
            case LEAST_CONNECTIONS -> {
                candidateScores.add(IN_USE);
                candidateScores.add(LOAD);
            }
            case CHEAPEST -> {
                candidateScores.add(COST);
                candidateScores.add(LOAD);
            }
            case BEST_VALUE -> {
                candidateScores.add(COST_PER_REPUTATION);
                candidateScores.add(LOAD);
            }
            case OVERFLOW -> {
                candidateScores.add(EXCESS);
                candidateScores.add(COST);
                candidateScores.add(LOAD);
            }
        }
        return candidateScores.toArray(CandidateScore[]::new);
    }

    /// What workers are compared by while some come behind others, as they gave tasks back.
    static CandidateScore[] withGivenBack(CandidateScore[] others) {
        var all = new CandidateScore[others.length + 1];
        all[0] = GIVEN_BACK;
        System.arraycopy(others, 0, all, 1, others.length);
        return all;
    }

    double at(int place, DemandClass demand, WorkerIndex workerIndex) {
        return switch (this) {
            case LAST_BACK_OF_TOKEN -> workerIndex.lastBackOfToken(place);
            case LAST_BACK -> workerIndex.lastBack(place);
            case GIVEN_BACK -> workerIndex.timesGivenBack(place);
            case FAILED_HERE -> demand.key.failedOn().contains(workerIndex.at(place).id) ? 1 : 0;
            case AWAY ->
                    demand.key
                                    .demand()
                                    .preferences()
                                    .affinity()
                                    .flatMap(it -> it.worker())
                                    .filter(workerIndex.at(place).id::equals)
                                    .isPresent()
                            ? 0
                            : 1;
            case COLD -> demand.facts.warm.has(place) ? 0 : 1;
            case COST -> demand.facts.cost(place);
            case COST_PER_REPUTATION ->
                    workerIndex.reputation(place) > 0
                            ? demand.facts.cost(place) / workerIndex.reputation(place)
                            : Double.POSITIVE_INFINITY;
            case EXCESS -> {
                var used = workerIndex.used(place);
                yield used < Strategy.SOFT_LIMIT ? 0 : used;
            }
            case IN_USE -> workerIndex.used(place);
            case LOAD -> workerIndex.load(place);
            case TURN -> Math.floorMod(place - demand.facts.last - 1, workerIndex.places());
        };
    }
}
