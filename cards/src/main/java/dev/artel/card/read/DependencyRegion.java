package dev.artel.card.read;

import dev.artel.card.step.CardStep;
import dev.artel.card.step.StepTarget;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The steps of a list that are ordered by what they depend on: from the first one to the last one that depends on another or on which another
/// depends. Those among them without either begin at once. A `complete` at the end of the list stays behind them.
///
/// @param from the first, from 0
/// @param to behind the last
public record DependencyRegion(int from, int to) {
    /// The region of `steps`, if one of them depends on another.
    public static Optional<DependencyRegion> of(List<CardStep> steps) {
        var named = new HashSet<String>();
        for (var step : steps) {
            if (isInside(step) && !step.head().dependsOn().isEmpty()) {
                named.add(step.id());
            }
            if (isInside(step)) {
                named.addAll(
                        step.head().dependsOn().stream()
                                .map(StepTarget::id)
                                .collect(Collectors.toSet()));
            }
        }
        var inside =
                IntStream.range(0, steps.size())
                        .filter(i -> isInside(steps.get(i)) && named.contains(steps.get(i).id()))
                        .summaryStatistics();
        return inside.getCount() == 0
                ? Optional.empty()
                : Optional.of(new DependencyRegion(inside.getMin(), inside.getMax() + 1));
    }

    private static boolean isInside(CardStep step) {
        return !(step instanceof CardStep.Complete);
    }

    /// The steps of the region.
    public List<CardStep> steps(List<CardStep> all) {
        return all.subList(from, to);
    }
}
