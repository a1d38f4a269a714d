package dev.artel.card.plan;

import java.util.List;
import java.util.Optional;

/// A step of a plan.
///
/// @param kind the type of the step, as a card has it
/// @param what it does, in a few words: the action, the condition, the event, the card
/// @param after the steps that must be over before
/// @param ways where it leads; none: it ends the process, or its branch
/// @param branches what it runs at the same time, or the steps of the card that is written inside it
public record PlannedStep(
        String id,
        String kind,
        Optional<String> what,
        List<String> after,
        List<Way> ways,
        List<List<PlannedStep>> branches) {
    /// Copies the lists.
    public PlannedStep {
        after = List.copyOf(after);
        ways = List.copyOf(ways);
        branches = branches.stream().map(List::copyOf).toList();
    }

    /// A step that follows.
    ///
    /// @param when `then`, `else` or `done`
    /// @param to a step, or `complete`
    public record Way(String when, String to) {}
}
