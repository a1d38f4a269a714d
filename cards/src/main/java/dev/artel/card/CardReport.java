package dev.artel.card;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// What came of reading a card.
///
/// @param card empty if there is an error
/// @param problems errors and warnings, in the order of the text
public record CardReport(Optional<Card> card, List<CardProblem> problems) {
    /// Copies `problems`.
    public CardReport {
        problems = List.copyOf(problems);
    }

    /// The card.
    ///
    /// @throws InvalidCard with all problems, if there is an error
    public Card orElseThrow() {
        return card.orElseThrow(() -> new InvalidCard(problems));
    }

    /// The problems, a line each.
    public String text() {
        return problems.stream().map(CardProblem::toString).collect(Collectors.joining("\n"));
    }
}
