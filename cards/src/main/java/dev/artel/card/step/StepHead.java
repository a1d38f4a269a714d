package dev.artel.card.step;

import dev.artel.card.yaml.TextPosition;
import java.util.List;
import java.util.Optional;

/// What all steps have.
///
/// @param at where it is written
/// @param next the step that follows; empty: the next one in the card
/// @param dependsOn the steps that must be over before
public record StepHead(
        String id, TextPosition at, Optional<StepTarget> next, List<StepTarget> dependsOn) {
    /// Copies `dependsOn`.
    public StepHead {
        dependsOn = List.copyOf(dependsOn);
    }
}
