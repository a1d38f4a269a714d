package dev.artel.simulation.card;

import dev.artel.kernel.budget.Budget;
import dev.artel.simulation.card.RandomStep.Run;
import dev.artel.simulation.card.RandomStep.Together;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// A card of a scenario, as its judges know it.
///
/// @param maxDepth how many generations may descend from its process
/// @param budget what its process may spend
record RandomCard(
        String name, List<RandomStep> steps, OptionalInt maxDepth, Optional<Budget> budget) {
    /// The version of each card.
    static final String VERSION = "1.0.0";

    /// The number with which a process is started, among its input.
    static final String NUMBER = "number";

    /// The number that a step has made, in its output.
    static final String MADE = "made";

    /// Copies `steps`.
    RandomCard {
        steps = List.copyOf(steps);
    }

    /// Where a step stands.
    ///
    /// @param list the list of steps that it is in
    /// @param index its place there, from 0
    /// @param from the first of the steps there that are ordered by what they depend on
    /// @param to behind the last of those; `from` if there are none
    record Place(List<RandomStep> list, int index, int from, int to) {
        RandomStep step() {
            return list.get(index);
        }

        /// Whether what it depends on sets its order.
        boolean isOrderedByNeeds() {
            return index >= from && index < to;
        }

        /// The steps whose order is set by what they depend on.
        List<RandomStep> orderedByNeeds() {
            return list.subList(from, to);
        }

        /// The step behind those.
        Optional<RandomStep> behindThem() {
            return to < list.size() ? Optional.of(list.get(to)) : Optional.empty();
        }
    }

    /// All steps, those of branches behind the step with the branches.
    SequencedMap<String, Place> places() {
        var places = new LinkedHashMap<String, Place>();
        place(steps, places);
        return places;
    }

    private static void place(List<RandomStep> list, SequencedMap<String, Place> places) {
        var named = new HashSet<String>();
        for (var step : list) {
            named.addAll(step.needs());
            if (!step.needs().isEmpty()) {
                named.add(step.id());
            }
        }
        var inside =
                IntStream.range(0, list.size())
                        .filter(i -> named.contains(list.get(i).id()))
                        .summaryStatistics();
        var from = inside.getCount() == 0 ? 0 : inside.getMin();
        var to = inside.getCount() == 0 ? 0 : inside.getMax() + 1;
        for (var i = 0; i < list.size(); i++) {
            places.put(list.get(i).id(), new Place(list, i, from, to));
            if (list.get(i).work() instanceof Together together) {
                together.branches().forEach(branch -> place(branch, places));
            }
        }
    }

    /// It and the cards inside it.
    void forEach(Consumer<RandomCard> card) {
        card.accept(this);
        for (var place : places().values()) {
            if (place.step().work() instanceof Run run) {
                run.inner().ifPresent(inner -> inner.forEach(card));
            }
        }
    }

    /// The step with all inside it.
    static List<RandomStep> with(RandomStep step) {
        var all = new ArrayList<>(List.of(step));
        if (step.work() instanceof Together together) {
            together.branches().forEach(branch -> branch.forEach(one -> all.addAll(with(one))));
        }
        return all;
    }
}
