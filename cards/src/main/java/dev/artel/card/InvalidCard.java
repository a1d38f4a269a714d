package dev.artel.card;

import java.util.List;
import java.util.stream.Collectors;

/// A card cannot be run.
public final class InvalidCard extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient List<CardProblem> problems;

    InvalidCard(List<CardProblem> problems) {
        super(
                "the card cannot be run:\n"
                        + problems.stream()
                                .map(CardProblem::toString)
                                .collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /// Errors and warnings, in the order of the text.
    public List<CardProblem> problems() {
        return problems;
    }
}
