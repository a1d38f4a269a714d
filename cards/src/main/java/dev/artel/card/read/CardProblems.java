package dev.artel.card.read;

import dev.artel.card.CardProblem;
import dev.artel.card.yaml.TextPosition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Gathers what is wrong with a card. For one thread.
public final class CardProblems {
    /// A card with more problems than this is not read by people to the end.
    private static final int MOST = 200;

    private final List<CardProblem> all = new ArrayList<>();

    /// Something that keeps the card from being run.
    public void error(TextPosition at, String where, String message) {
        error(at, where, message, Optional.empty());
    }

    /// As [#error(TextPosition, String, String)], with what its author may have meant.
    public void error(TextPosition at, String where, String message, Optional<String> suggestion) {
        add(new CardProblem(true, at, where, message, suggestion));
    }

    /// Something that may be a mistake.
    public void warning(TextPosition at, String where, String message) {
        warning(at, where, message, Optional.empty());
    }

    /// As [#warning(TextPosition, String, String)], with what its author may have meant.
    public void warning(
            TextPosition at, String where, String message, Optional<String> suggestion) {
        add(new CardProblem(false, at, where, message, suggestion));
    }

    private void add(CardProblem problem) {
        if (all.size() < MOST && !all.contains(problem)) {
            all.add(problem);
        }
    }

    /// Whether there is an error.
    public boolean hasErrors() {
        return all.stream().anyMatch(CardProblem::isError);
    }

    /// All, in the order of the text.
    public List<CardProblem> inOrder() {
        return all.stream().sorted(Comparator.comparing(CardProblem::at)).toList();
    }
}
