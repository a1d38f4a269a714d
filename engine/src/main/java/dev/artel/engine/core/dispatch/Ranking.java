package dev.artel.engine.core.dispatch;

import dev.artel.kernel.placement.Placement;
import java.util.ArrayList;
import java.util.List;

/// The workers that take a task of a class now, the best [Placement#MOST] of them in order. Single-threaded; used
/// again and again.
final class Ranking {
    private final Floor floor;
    private final int[] best = new int[Placement.MOST];
    private int kept;
    private int found;

    Ranking(Floor floor) {
        this.floor = floor;
    }

    /// Ranks the workers for `demand`; true if there is one.
    boolean rank(DemandClass demand) {
        kept = 0;
        found = 0;
        var words = floor.words();
        for (var at = 0; at < words; at++) {
            for (var rest = demand.takers(floor, at); rest != 0; rest &= rest - 1) {
                insert((at << 6) + Long.numberOfTrailingZeros(rest), demand);
                found++;
            }
        }
        return kept > 0;
    }

    private void insert(int place, DemandClass demand) {
        if (kept == best.length && compare(place, best[kept - 1], demand) >= 0) {
            return;
        }
        var at = kept == best.length ? kept - 1 : kept++;
        for (; at > 0 && compare(place, best[at - 1], demand) < 0; at--) {
            best[at] = best[at - 1];
        }
        best[at] = place;
    }

    private int compare(int one, int other, DemandClass demand) {
        for (var measure : demand.measures) {
            var order =
                    Double.compare(
                            measure.at(one, demand, floor), measure.at(other, demand, floor));
            if (order != 0) {
                return order;
            }
        }
        return Long.compare(floor.since(one), floor.since(other));
    }

    /// The best one's place.
    int first() {
        return best[0];
    }

    /// How many workers take a task.
    int found() {
        return found;
    }

    List<Placement.Candidate> candidates(DemandClass demand) {
        var candidates = new ArrayList<Placement.Candidate>(kept);
        for (var i = 0; i < kept; i++) {
            var score = new ArrayList<Placement.Figure>(demand.measures.length);
            for (var measure : demand.measures) {
                score.add(new Placement.Figure(measure.word(), measure.at(best[i], demand, floor)));
            }
            candidates.add(new Placement.Candidate(floor.at(best[i]).id, score));
        }
        return candidates;
    }
}
