package dev.artel.engine.core.dispatch;

import dev.artel.kernel.placement.Placement;
import java.util.List;

/// The workers that take a task of a class now, the best [Placement#MOST] of them in order. Single-threaded; used
/// again and again.
final class Ranking {
    private final WorkerIndex workerIndex;
    private final int[] best = new int[Placement.MOST];

    /// The measures of each of the best.
    private final double[][] scores = new double[Placement.MOST][CandidateScore.MOST];

    /// What the workers are compared by.
    private CandidateScore[] candidateScores = {};

    private int kept;
    private int found;

    Ranking(WorkerIndex workerIndex) {
        this.workerIndex = workerIndex;
    }

    /// Ranks the workers for `demand`; true if there is one.
    boolean rank(DemandClass demand) {
        kept = 0;
        found = 0;
        candidateScores = demand.candidateScores(workerIndex.isAnyBehind());
        for (var at = workerIndex.ready.nextWord(0);
                at >= 0;
                at = workerIndex.ready.nextWord(at + 1)) {
            for (var rest = demand.takers(workerIndex, at); rest != 0; rest &= rest - 1) {
                insert((at << 6) + Long.numberOfTrailingZeros(rest), demand);
                found++;
            }
        }
        return kept > 0;
    }

    private void insert(int place, DemandClass demand) {
        var isFull = kept == best.length;
        if (isFull && !isBetterThanLast(place, demand)) {
            return;
        }
        var at = isFull ? kept - 1 : kept;
        var score = scores[at];
        for (var m = 0; m < candidateScores.length; m++) {
            score[m] = candidateScores[m].at(place, demand, workerIndex);
        }
        for (; at > 0 && isBetter(place, score, at - 1); at--) {
            best[at] = best[at - 1];
            scores[at] = scores[at - 1];
        }
        best[at] = place;
        scores[at] = score;
        kept += isFull ? 0 : 1;
    }

    /// Whether the worker at `place` goes before the last of those that are kept: most do not, by their first measure.
    private boolean isBetterThanLast(int place, DemandClass demand) {
        var last = kept - 1;
        var worst = scores[last];
        var measures = candidateScores;
        for (var m = 0; m < measures.length; m++) {
            var order = Double.compare(measures[m].at(place, demand, workerIndex), worst[m]);
            if (order != 0) {
                return order < 0;
            }
        }
        return workerIndex.since(place) < workerIndex.since(best[last]);
    }

    /// Whether the worker at `place`, with this score, goes before that of rank `than`.
    private boolean isBetter(int place, double[] score, int than) {
        for (var m = 0; m < candidateScores.length; m++) {
            var order = Double.compare(score[m], scores[than][m]);
            if (order != 0) {
                return order < 0;
            }
        }
        return workerIndex.since(place) < workerIndex.since(best[than]);
    }

    /// The best one's place.
    int first() {
        return best[0];
    }

    /// How many workers take a task.
    int found() {
        return found;
    }

    /// Whether the workers are compared by what they gave back, before all else.
    boolean isByGivenBack() {
        return candidateScores.length > 0 && candidateScores[0] == CandidateScore.GIVEN_BACK;
    }

    /// Whether the workers are compared by how long ago they gave something back, and by nothing else.
    boolean isByLastBack() {
        return candidateScores.length > 0
                && candidateScores[0] == CandidateScore.LAST_BACK_OF_TOKEN;
    }

    List<Placement.Candidate> candidates() {
        var candidates = new Placement.Candidate[kept];
        for (var i = 0; i < kept; i++) {
            var score = new Placement.Figure[candidateScores.length];
            for (var m = 0; m < score.length; m++) {
                score[m] = new Placement.Figure(candidateScores[m].word(), scores[i][m]);
            }
            var worker = workerIndex.at(best[i]);
            candidates[i] = new Placement.Candidate(worker.id, worker.wire(), List.of(score));
        }
        return List.of(candidates);
    }
}
