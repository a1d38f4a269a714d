package dev.artel.card.read;

import dev.artel.card.step.CardStep;
import dev.artel.card.step.StepTarget;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Stream;

/// Checks where the steps of a card lead.
final class CardFlow {
    private static final int MOST_STEPS = 100;

    private final CardProblems problems;
    private final Set<String> ids = new HashSet<>();
    private int count;

    private CardFlow(CardProblems problems) {
        this.problems = problems;
    }

    /// Reports what is wrong with the order of `steps`.
    static void check(List<CardStep> steps, String path, CardProblems problems) {
        var flow = new CardFlow(problems);
        flow.list(steps, path, false);
        if (flow.count > MOST_STEPS) {
            problems.error(
                    steps.getFirst().head().at(),
                    path,
                    "a card has at most "
                            + MOST_STEPS
                            + " steps, and this one has "
                            + flow.count
                            + "; move some into a card that a subprocess runs");
        }
    }

    private void list(List<CardStep> steps, String path, boolean isBranch) {
        var byId = new LinkedHashMap<String, CardStep>();
        for (var step : steps) {
            count++;
            if (!ids.add(step.id())) {
                problems.error(
                        step.head().at(),
                        path + "." + step.id(),
                        "there are two steps '" + step.id() + "'; give each a name of its own");
            }
            byId.putIfAbsent(step.id(), step);
        }
        for (var step : steps) {
            var place = path + "." + step.id();
            targets(step).forEach(target -> target(target, byId, place, isBranch));
            step.head().dependsOn().forEach(target -> dependency(step, target, byId, place));
            switch (step) {
                case CardStep.Together together ->
                        together.branches().forEach(branch -> list(branch, path, true));
                case CardStep.Complete _ when isBranch ->
                        problems.error(
                                step.head().at(),
                                place,
                                "a branch cannot end the process; end it behind the parallel step");
                default -> {}
            }
        }
        if (byId.size() == steps.size()) {
            together(steps, byId, path);
        }
    }

    /// The steps to which `step` may go, as far as it names them.
    static Stream<StepTarget> targets(CardStep step) {
        return switch (step) {
            case CardStep.Decide decide ->
                    Stream.concat(
                            Stream.of(decide.then()),
                            decide.otherwise().or(() -> step.head().next()).stream());
            default -> step.head().next().stream();
        };
    }

    private void target(
            StepTarget target,
            SequencedMap<String, CardStep> byId,
            String place,
            boolean isBranch) {
        if (byId.containsKey(target.id())
                || (target.id().equals(StepTarget.COMPLETE) && !isBranch)) {
            return;
        }
        var near = problems.nearest(target.id(), byId.sequencedKeySet());
        problems.error(
                target.at(),
                place,
                "it leads to '"
                        + target.id()
                        + "', and there is no such step "
                        + (isBranch ? "in this branch" : "here")
                        + near.map(each -> "; did you mean '" + each + "'?").orElse(""),
                near);
    }

    private void dependency(
            CardStep step, StepTarget target, SequencedMap<String, CardStep> byId, String place) {
        if (!byId.containsKey(target.id())) {
            var near = problems.nearest(target.id(), byId.sequencedKeySet());
            problems.error(
                    target.at(),
                    place,
                    "it depends on '"
                            + target.id()
                            + "', and there is no such step here"
                            + near.map(each -> "; did you mean '" + each + "'?").orElse(""),
                    near);
        } else if (target.id().equals(step.id())) {
            problems.error(target.at(), place, "it depends on itself");
        }
    }

    /// Steps that are ordered by what they depend on are not ordered by jumps as well.
    private void together(List<CardStep> steps, SequencedMap<String, CardStep> byId, String path) {
        var region = DependencyRegion.of(steps);
        if (region.isEmpty()) {
            return;
        }
        var inside = new LinkedHashSet<String>();
        region.get().steps(steps).forEach(step -> inside.add(step.id()));
        for (var step : steps) {
            var isInside = inside.contains(step.id());
            if (isInside
                    && (step instanceof CardStep.Decide
                            || step instanceof CardStep.Complete
                            || step.head().next().isPresent())) {
                problems.error(
                        step.head().at(),
                        path + "." + step.id(),
                        "it is among steps that depends_on orders, and has an order of its own (condition, complete or"
                                + " next); put it before or behind them");
            }
            targets(step)
                    .filter(target -> inside.contains(target.id()))
                    .forEach(target ->
                            problems.error(
                                    target.at(),
                                    path + "." + step.id(),
                                    "it leads to '"
                                            + target.id()
                                            + "', whose order depends_on sets; lead to a step before or behind"
                                            + " those"));
        }
        cycle(steps, byId)
                .ifPresent(cycle ->
                        problems.error(
                                cycle.head().at(),
                                path + "." + cycle.id(),
                                "it depends on itself over other steps; break the circle (CYCLE_DETECTED)"));
    }

    private static java.util.Optional<CardStep> cycle(
            List<CardStep> steps, SequencedMap<String, CardStep> byId) {
        for (var step : steps) {
            var seen = new HashSet<String>();
            var open = new ArrayDeque<CardStep>(List.of(step));
            while (!open.isEmpty()) {
                for (var target : open.removeFirst().head().dependsOn()) {
                    if (target.id().equals(step.id())) {
                        return java.util.Optional.of(step);
                    }
                    var next = byId.get(target.id());
                    if (next != null && seen.add(next.id())) {
                        open.add(next);
                    }
                }
            }
        }
        return java.util.Optional.empty();
    }
}
