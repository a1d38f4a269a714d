package dev.artel.card.step;

import dev.artel.card.yaml.TextPosition;

/// The name of a step, or [#COMPLETE], where another step refers to it.
public record StepTarget(String id, TextPosition at) {
    /// Ends the process successfully, unless a step has that name.
    public static final String COMPLETE = "complete";
}
