package dev.artel.kernel.placement;

import dev.artel.kernel.delivery.WorkerId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Why a worker was chosen; kept with the attempt, at most 2 KB.
///
/// @param winner who was chosen
/// @param because in words
/// @param best the best candidates with their scores, best first, at most 5
/// @param refused how many workers each reason refused
/// @param fleet the version of the fleet at that moment
public record Placement(
        WorkerId winner,
        String because,
        List<Candidate> best,
        SequencedMap<Refusal, Integer> refused,
        long fleet) {
    /// A worker that could have taken the task.
    ///
    /// @param score lower is better
    public record Candidate(WorkerId worker, double score) {}

    /// Copies, and keeps the limit of the candidates.
    public Placement {
        best = List.copyOf(best.subList(0, Math.min(5, best.size())));
        refused = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(refused));
    }
}
