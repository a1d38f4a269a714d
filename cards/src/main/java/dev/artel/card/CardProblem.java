package dev.artel.card;

import dev.artel.card.yaml.TextPosition;
import java.util.Optional;

/// Something that is wrong with a card, or that may be.
///
/// @param isError whether the card cannot be run for it; otherwise it is a warning
/// @param where the part of the card, such as `spec.steps.gather.timeout`; empty: the whole
/// @param message for people
/// @param suggestion what its author may have meant, in place of what is there
public record CardProblem(
        boolean isError,
        TextPosition at,
        String where,
        String message,
        Optional<String> suggestion) {
    /// The line, from 1.
    public int line() {
        return at.line();
    }

    /// The column, from 1.
    public int column() {
        return at.column();
    }

    /// As editors show problems: place, kind, part and message.
    @Override
    public String toString() {
        return at
                + ": "
                + (isError ? "error: " : "warning: ")
                + (where.isEmpty() ? "" : where + ": ")
                + message;
    }
}
