package dev.artel.card.step;

import dev.artel.card.template.Template;
import java.time.Duration;
import java.util.List;

/// Another worker judges the output of a step; the step is done again, with what was found, until it is good enough.
///
/// @param action the type of the task that judges
/// @param criteria by what
/// @param pass the score from which on it is good, from 0 to 1
/// @param marginal the score from which on it is accepted
/// @param mostRounds how often the step is done in all
/// @param retryOnMarginal whether what is merely accepted is done again
public record QualityCheck(
        String action,
        List<QualityCriterion> criteria,
        double pass,
        double marginal,
        int mostRounds,
        boolean retryOnMarginal,
        Duration timeout) {
    /// Copies `criteria`.
    public QualityCheck {
        criteria = List.copyOf(criteria);
    }

    /// One thing that is judged.
    ///
    /// @param weight its part of the score; those of a check add up to 1
    public record QualityCriterion(String name, Template description, double weight) {}
}
