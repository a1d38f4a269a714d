package dev.artel.card.plan;

import dev.artel.card.read.ParsedCard;
import dev.artel.json.JsonObject;
import dev.artel.kernel.budget.Budget;
import java.util.List;
import java.util.Optional;

/// What running a card comes to, as far as the card and its input show it.
///
/// @param steps in the order of the card
/// @param tasks that its steps, and those of the cards inside it, give to workers; each type with the same requirements once
/// @param subprocesses cards of their own that it runs
/// @param missingInput references to members that the input does not have, such as `input.topic`
/// @param budget of the process; empty: none
public record CardPlan(
        List<PlannedStep> steps,
        List<NeededTask> tasks,
        List<NeededCard> subprocesses,
        List<String> missingInput,
        Optional<Budget> budget) {
    /// Copies the lists.
    public CardPlan {
        steps = List.copyOf(steps);
        tasks = List.copyOf(tasks);
        subprocesses = List.copyOf(subprocesses);
        missingInput = List.copyOf(missingInput);
    }

    /// A card that a step runs as a process of its own.
    ///
    /// @param version empty: the newest
    public record NeededCard(String name, Optional<String> version) {}

    /// The plan of `card` for `input`.
    public static CardPlan of(ParsedCard card, JsonObject input) {
        return new CardPlanner(input).plan(card);
    }
}
