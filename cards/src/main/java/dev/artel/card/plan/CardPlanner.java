package dev.artel.card.plan;

import dev.artel.card.read.CardVariables;
import dev.artel.card.read.ParsedCard;
import dev.artel.card.step.CardStep;
import dev.artel.card.step.StepTarget;
import dev.artel.card.template.ValuePath;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.placement.Requirements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.stream.Stream;

/// Makes one plan.
final class CardPlanner {
    private final JsonObject input;
    private final SequencedMap<TaskKey, List<String>> tasks = new LinkedHashMap<>();
    private final SequencedSet<CardPlan.NeededCard> cards = new LinkedHashSet<>();
    private final SequencedSet<String> missing = new LinkedHashSet<>();

    private record TaskKey(String type, Requirements requirements) {}

    CardPlanner(JsonObject input) {
        this.input = input;
    }

    CardPlan plan(ParsedCard card) {
        var steps = steps(card.steps(), card, true, "");
        return new CardPlan(
                steps,
                tasks.entrySet().stream()
                        .map(each ->
                                new NeededTask(
                                        each.getKey().type(),
                                        each.getKey().requirements(),
                                        each.getValue()))
                        .toList(),
                List.copyOf(cards),
                List.copyOf(missing),
                card.budget());
    }

    /// @param isWhole whether the process ends behind the last of the steps
    /// @param prefix of their names where the card has others of the same name
    private List<PlannedStep> steps(
            List<CardStep> steps, ParsedCard card, boolean isWhole, String prefix) {
        var planned = new ArrayList<PlannedStep>();
        for (var i = 0; i < steps.size(); i++) {
            var step = steps.get(i);
            var following =
                    i + 1 < steps.size()
                            ? Optional.of(steps.get(i + 1).id())
                            : Optional.of(StepTarget.COMPLETE).filter(_ -> isWhole);
            if (prefix.isEmpty()) {
                references(step);
            }
            planned.add(
                    new PlannedStep(
                            step.id(),
                            kind(step),
                            what(step, prefix),
                            step.head().dependsOn().stream().map(StepTarget::id).toList(),
                            ways(step, following),
                            branches(step, card, prefix)));
        }
        return planned;
    }

    private static String kind(CardStep step) {
        return switch (step) {
            case CardStep.CallAction _ -> "action";
            case CardStep.Decide _ -> "condition";
            case CardStep.Complete _ -> "complete";
            case CardStep.Pause _, CardStep.AwaitEvent _ -> "wait";
            case CardStep.AskHuman _ -> "human_checkpoint";
            case CardStep.Together _ -> "parallel";
            case CardStep.Replan _ -> "replan";
            case CardStep.RunCard run -> run.loop().isEmpty() ? "subprocess" : "subprocess_loop";
        };
    }

    /// What it does, and what it needs for that.
    private Optional<String> what(CardStep step, String prefix) {
        return switch (step) {
            case CardStep.CallAction action -> {
                var name = prefix + step.id();
                need(action.action(), action.requirements(), name);
                action.quality()
                        .ifPresent(check -> need(check.action(), Requirements.NOTHING, name));
                action.compensation()
                        .ifPresent(undo -> need(undo.action(), Requirements.NOTHING, name));
                yield Optional.of(action.action());
            }
            case CardStep.Decide decide -> Optional.of(decide.text());
            case CardStep.AwaitEvent wait -> Optional.of(wait.event());
            case CardStep.RunCard run -> {
                if (!run.isInner()) {
                    cards.add(new CardPlan.NeededCard(run.blueprint(), run.version()));
                }
                yield Optional.of(
                        run.blueprint() + run.version().map(each -> "@" + each).orElse(""));
            }
            case CardStep.Complete _,
                    CardStep.Pause _,
                    CardStep.AskHuman _,
                    CardStep.Together _,
                    CardStep.Replan _ ->
                    Optional.empty();
        };
    }

    private void need(String type, Requirements requirements, String step) {
        var steps = tasks.computeIfAbsent(new TaskKey(type, requirements), _ -> new ArrayList<>());
        if (!steps.contains(step)) {
            steps.add(step);
        }
    }

    private static List<PlannedStep.Way> ways(CardStep step, Optional<String> following) {
        return switch (step) {
            case CardStep.Complete _, CardStep.Replan _ -> List.of();
            case CardStep.Decide decide ->
                    Stream.concat(
                                    Stream.of(new PlannedStep.Way("then", decide.then().id())),
                                    decide
                                            .otherwise()
                                            .or(() -> step.head().next())
                                            .map(StepTarget::id)
                                            .or(() -> following)
                                            .map(to -> new PlannedStep.Way("else", to))
                                            .stream())
                            .toList();
            default ->
                    step.head().next().map(StepTarget::id).or(() -> following).stream()
                            .map(to -> new PlannedStep.Way("done", to))
                            .toList();
        };
    }

    private List<List<PlannedStep>> branches(CardStep step, ParsedCard card, String prefix) {
        return switch (step) {
            case CardStep.Together together ->
                    together.branches().stream()
                            .map(branch -> steps(branch, card, false, prefix))
                            .toList();
            case CardStep.RunCard run when run.isInner() ->
                    card.inner().stream()
                            .filter(inner -> inner.name().equals(run.blueprint()))
                            .map(inner ->
                                    steps(inner.steps(), inner, true, prefix + step.id() + "."))
                            .toList();
            default -> List.of();
        };
    }

    /// The card inside a step has an input of its own, which the step makes.
    private void references(CardStep step) {
        switch (step) {
            case CardStep.CallAction action -> {
                action.params().forEachPath(this::reference);
                action.compensation().ifPresent(by -> by.params().forEachPath(this::reference));
            }
            case CardStep.Decide decide -> decide.paths().forEach(this::reference);
            case CardStep.Complete complete ->
                    complete.result().ifPresent(result -> result.forEachPath(this::reference));
            case CardStep.Pause pause -> pause.duration().forEachPath(this::reference);
            case CardStep.AwaitEvent _, CardStep.Together _ -> {}
            case CardStep.Replan replan -> replan.card().forEachPath(this::reference);
            case CardStep.AskHuman ask -> ask.message().forEachPath(this::reference);
            case CardStep.RunCard run -> {
                run.loop().ifPresent(loop -> loop.times().forEachPath(this::reference));
                run.inputs().values().forEach(each -> each.forEachPath(this::reference));
            }
        }
    }

    private void reference(ValuePath path) {
        if (!path.root().equals(CardVariables.INPUT)) {
            return;
        }
        JsonValue value = input;
        for (var name : path.names().subList(1, path.names().size())) {
            if (!(value instanceof JsonObject object) || !object.has(name)) {
                missing.add(path.toString());
                return;
            }
            value = object.get(name).orElseThrow();
        }
    }
}
