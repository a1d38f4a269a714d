package dev.artel.card.compile;

import dev.artel.card.step.CardStep;
import dev.artel.card.step.StepTarget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;

/// Steps in the order that their dependencies set. What is not connected runs at the same time; of steps that are connected in a way that neither an order nor
/// independence describes, those that depend on nothing run first and the others after all of them.
sealed interface Arrangement {
    /// One step.
    record Single(CardStep step) implements Arrangement {}

    /// One after the other.
    record Ordered(List<Arrangement> parts) implements Arrangement {
        /// Copies `parts`.
        public Ordered {
            parts = List.copyOf(parts);
        }
    }

    /// At the same time.
    record Beside(List<Arrangement> parts) implements Arrangement {
        /// Copies `parts`.
        public Beside {
            parts = List.copyOf(parts);
        }
    }

    /// The arrangement of `steps`, of which none depends on itself.
    static Arrangement of(List<CardStep> steps) {
        if (steps.size() == 1) {
            return new Single(steps.getFirst());
        }
        var groups = connected(steps);
        if (groups.size() > 1) {
            return new Beside(groups.stream().map(Arrangement::of).toList());
        }
        var first = firstPart(steps);
        var rest = new ArrayList<>(steps);
        rest.removeIf(new HashSet<>(first)::contains);
        var parts = new ArrayList<Arrangement>();
        parts.add(of(first));
        switch (of(rest)) {
            case Ordered(var more) -> parts.addAll(more);
            case Arrangement other -> parts.add(other);
        }
        return new Ordered(parts);
    }

    private static Set<String> needs(CardStep step, Set<String> among) {
        var needs = new HashSet<String>();
        step.head().dependsOn().stream()
                .map(StepTarget::id)
                .filter(among::contains)
                .forEach(needs::add);
        return needs;
    }

    private static SequencedSet<String> ids(List<CardStep> steps) {
        var ids = new LinkedHashSet<String>();
        steps.forEach(step -> ids.add(step.id()));
        return ids;
    }

    private static List<List<CardStep>> connected(List<CardStep> steps) {
        var among = ids(steps);
        var group = new LinkedHashMap<String, Integer>();
        var number = 0;
        for (var step : steps) {
            group.put(step.id(), number++);
        }
        for (var step : steps) {
            for (var need : needs(step, among)) {
                var from = group.getOrDefault(step.id(), 0);
                var to = group.getOrDefault(need, 0);
                group.replaceAll((_, own) -> own.equals(from) ? to : own);
            }
        }
        var groups = new LinkedHashMap<Integer, List<CardStep>>();
        for (var step : steps) {
            groups.computeIfAbsent(group.getOrDefault(step.id(), 0), _ -> new ArrayList<>())
                    .add(step);
        }
        return List.copyOf(groups.values());
    }

    /// The fewest steps of which all others depend on each; without such, those that depend on none.
    private static List<CardStep> firstPart(List<CardStep> steps) {
        var among = ids(steps);
        var all = new LinkedHashMap<String, Set<String>>();
        var taken = new LinkedHashSet<CardStep>();
        var begin = List.<CardStep>of();
        while (taken.size() < steps.size()) {
            var layer =
                    steps.stream()
                            .filter(step -> !taken.contains(step))
                            .filter(step -> all.keySet().containsAll(needs(step, among)))
                            .toList();
            if (layer.isEmpty()) {
                throw new IllegalStateException("steps depend on each other in a circle: " + among);
            }
            for (var step : layer) {
                all.put(step.id(), transitive(step, among, all));
            }
            taken.addAll(layer);
            if (begin.isEmpty()) {
                begin = layer;
            }
            if (taken.size() < steps.size() && isCut(steps, taken, all, among)) {
                return List.copyOf(taken);
            }
        }
        return begin;
    }

    private static Set<String> transitive(
            CardStep step, Set<String> among, Map<String, Set<String>> known) {
        var needs = needs(step, among);
        for (var need : Set.copyOf(needs)) {
            needs.addAll(known.getOrDefault(need, Set.of()));
        }
        return needs;
    }

    private static boolean isCut(
            List<CardStep> steps,
            Set<CardStep> taken,
            Map<String, Set<String>> known,
            Set<String> among) {
        var needed = new HashSet<String>();
        taken.forEach(step -> needed.add(step.id()));
        var reached = new LinkedHashMap<>(known);
        var left = new ArrayList<>(steps);
        left.removeIf(new HashSet<>(taken)::contains);
        while (!left.isEmpty()) {
            var ready =
                    left.stream()
                            .filter(step -> reached.keySet().containsAll(needs(step, among)))
                            .toList();
            if (ready.isEmpty()) {
                return false;
            }
            for (var step : ready) {
                var needs = transitive(step, among, reached);
                if (!needs.containsAll(needed)) {
                    return false;
                }
                reached.put(step.id(), needs);
            }
            left.removeIf(new HashSet<>(ready)::contains);
        }
        return true;
    }
}
