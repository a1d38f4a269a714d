package dev.artel.card.read;

import dev.artel.card.condition.ConditionTranslator;
import dev.artel.card.step.CardStep;
import dev.artel.card.template.Template;
import dev.artel.card.template.ValuePath;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Consumer;

/// The values to which the steps of a card can refer.
public final class CardVariables {
    /// What the process was started with.
    public static final String INPUT = "input";

    /// The run of a loop: its `index`, and its `item` if it runs over a list.
    public static final String LOOP = "loop";

    /// Why the last step failed that has failed: its `step`, `code` and `message`.
    public static final String FAILURE = "failure";

    private static final Set<String> BUILT_IN =
            Set.of(INPUT, FAILURE, "task_id", "process_id", "step_id");

    private CardVariables() {}

    /// Whether `name` is one that no card may declare.
    static boolean isBuiltIn(String name) {
        return BUILT_IN.contains(name) || name.equals(LOOP) || name.equals(Template.SECRET);
    }

    /// How CEL calls a value. The checker of CEL would take a member of a member for whatever type an operator names first.
    public static String inCel(ValuePath path) {
        var cel = new StringBuilder("dyn(data");
        for (var name : path.names()) {
            cel.append('[').append(ConditionTranslator.literal(name)).append(']');
        }
        return cel.append(')').toString();
    }

    /// Reports references to what neither is declared nor an output of a step.
    static void check(ParsedCard card, String path, CardProblems problems) {
        var known = new LinkedHashSet<String>(card.variables().sequencedKeySet());
        known.addAll(BUILT_IN);
        outputs(card.steps(), known::add);
        check(card.steps(), path, known, problems);
    }

    private static void outputs(List<CardStep> steps, Consumer<String> output) {
        for (var step : steps) {
            switch (step) {
                case CardStep.CallAction action -> action.output().ifPresent(output);
                case CardStep.AwaitEvent wait -> wait.output().ifPresent(output);
                case CardStep.AskHuman ask -> ask.output().ifPresent(output);
                case CardStep.RunCard run -> run.output().ifPresent(output);
                case CardStep.Together together -> {
                    together.output().ifPresent(output);
                    together.branches().forEach(branch -> outputs(branch, output));
                }
                case CardStep.Decide _,
                        CardStep.Complete _,
                        CardStep.Pause _,
                        CardStep.Replan _ -> {}
            }
        }
    }

    private static void check(
            List<CardStep> steps, String path, SequencedSet<String> known, CardProblems problems) {
        for (var step : steps) {
            Consumer<ValuePath> check =
                    used -> {
                        if (!known.contains(used.root())) {
                            var near = problems.nearest(used.root(), known);
                            problems.error(
                                    step.head().at(),
                                    path + "." + step.id(),
                                    missing(used, near),
                                    near);
                        }
                    };
            switch (step) {
                case CardStep.CallAction action -> {
                    action.params().forEachPath(check);
                    action.compensation().ifPresent(by -> by.params().forEachPath(check));
                    action.quality()
                            .ifPresent(quality ->
                                    quality.criteria()
                                            .forEach(
                                                    each -> each.description().forEachPath(check)));
                }
                case CardStep.Decide decide -> decide.paths().forEach(check);
                case CardStep.Complete complete ->
                        complete.result().ifPresent(result -> result.forEachPath(check));
                case CardStep.Pause pause -> pause.duration().forEachPath(check);
                case CardStep.AwaitEvent _ -> {}
                case CardStep.Replan replan -> replan.card().forEachPath(check);
                case CardStep.AskHuman ask -> ask.message().forEachPath(check);
                case CardStep.Together together ->
                        together.branches().forEach(branch -> check(branch, path, known, problems));
                case CardStep.RunCard run -> {
                    run.loop().ifPresent(loop -> loop.times().forEachPath(check));
                    run.inputs()
                            .values()
                            .forEach(input ->
                                    input.forEachPath(used -> {
                                        if (run.loop().isEmpty() || !used.root().equals(LOOP)) {
                                            check.accept(used);
                                        }
                                    }));
                }
            }
        }
    }

    private static String missing(ValuePath used, Optional<String> near) {
        return "${"
                + used
                + "} refers to '"
                + used.root()
                + "', which is neither a variable of the card nor the output of a step"
                + near.map(each -> "; did you mean '" + each + "'?")
                        .orElse(
                                "; declare it under spec.variables, or read ${input."
                                        + used.root()
                                        + "}");
    }
}
