package dev.artel.card.compile;

import dev.artel.card.plan.CardPlan;
import dev.artel.card.read.ParsedCard;
import dev.artel.card.step.CardStep;
import dev.artel.card.step.ReplanRights;
import dev.artel.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// Whether a card that a step goes on with does nothing that the step does not allow.
final class ReplanCheck {
    private final CardStep.Replan step;
    private final List<String> problems = new ArrayList<>();

    private ReplanCheck(CardStep.Replan step) {
        this.step = step;
    }

    /// What `card` would do that `step` does not allow, each in a sentence that says how to allow it.
    static List<String> problems(CardStep.Replan step, ParsedCard card) {
        var check = new ReplanCheck(step);
        var plan = CardPlan.of(card, JsonObject.EMPTY);
        for (var task : plan.tasks()) {
            if (!step.rights().allow(task.type())) {
                check.task(task.type(), task.steps());
            }
        }
        if (!step.rights().subprocesses()) {
            plan.subprocesses()
                    .forEach(other ->
                            check.problems.add(
                                    "it runs the subprocess '"
                                            + other.name()
                                            + "', which the step '"
                                            + step.id()
                                            + "' does not allow; its author allows all with allow: {subprocesses: true}"));
        }
        check.replans(card);
        return List.copyOf(check.problems);
    }

    private void task(String type, List<String> steps) {
        var isOutward = ReplanRights.OUTWARD.contains(type);
        problems.add(
                "spec.steps."
                        + steps.getFirst()
                        + (isOutward ? ": the action '" : ": the task type '")
                        + type
                        + "' is not allowed in a card of the step '"
                        + step.id()
                        + "'; its author allows it with allow: {"
                        + (isOutward ? "actions" : "task_types")
                        + ": ["
                        + type
                        + "]}");
    }

    private void replans(ParsedCard card) {
        replans(card.steps());
        card.inner().forEach(this::replans);
    }

    private void replans(List<CardStep> steps) {
        for (var each : steps) {
            switch (each) {
                case CardStep.Replan next when !next.rights().areWithin(step.rights()) ->
                        problems.add(
                                "spec.steps."
                                        + next.id()
                                        + ".allow: it allows more than the step '"
                                        + step.id()
                                        + "' does; give it an allow with nothing else than that one has");
                case CardStep.Together together -> together.branches().forEach(this::replans);
                case CardStep.CallAction _,
                        CardStep.Decide _,
                        CardStep.Complete _,
                        CardStep.Replan _,
                        CardStep.Pause _,
                        CardStep.AwaitEvent _,
                        CardStep.AskHuman _,
                        CardStep.RunCard _ -> {}
            }
        }
    }
}
