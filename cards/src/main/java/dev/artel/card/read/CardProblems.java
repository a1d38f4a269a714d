package dev.artel.card.read;

import dev.artel.card.CardProblem;
import dev.artel.card.yaml.TextPosition;
import dev.artel.kernel.blueprint.MissingValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/// Gathers what is wrong with a card. For one thread.
public final class CardProblems {
    /// A card with more problems than this is not read by people to the end.
    private static final int MOST = 200;

    /// Looking for what the author may have meant takes longer than finding the problem.
    private static final int MOST_SUGGESTIONS = 20;

    private static final int LONGEST_PLACE = 500;
    private static final int LONGEST_MESSAGE = 4_000;

    private final List<CardProblem> all = new ArrayList<>();

    /// Something that keeps the card from being run.
    public void error(TextPosition at, String where, String message) {
        error(at, where, message, Optional.empty());
    }

    /// As [#error(TextPosition, String, String)], with what its author may have meant.
    public void error(TextPosition at, String where, String message, Optional<String> suggestion) {
        add(true, at, where, message, suggestion);
    }

    /// Something that may be a mistake.
    public void warning(TextPosition at, String where, String message) {
        warning(at, where, message, Optional.empty());
    }

    /// As [#warning(TextPosition, String, String)], with what its author may have meant.
    public void warning(
            TextPosition at, String where, String message, Optional<String> suggestion) {
        add(false, at, where, message, suggestion);
    }

    private void add(
            boolean isError,
            TextPosition at,
            String where,
            String message,
            Optional<String> suggestion) {
        if (all.size() == MOST && !(isError && removesWarning())) {
            return;
        }
        var problem =
                new CardProblem(
                        isError,
                        at,
                        shortened(where, LONGEST_PLACE),
                        shortened(message, LONGEST_MESSAGE),
                        suggestion);
        if (!all.contains(problem)) {
            all.add(problem);
        }
    }

    /// Makes room for an error: a card with one cannot be run, however many warnings there are.
    private boolean removesWarning() {
        for (var i = all.size() - 1; i >= 0; i--) {
            if (!all.get(i).isError()) {
                all.remove(i);
                return true;
            }
        }
        return false;
    }

    private static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 3) + "...";
    }

    /// The one of `names` that is most like `name`, for the first problems.
    Optional<String> nearest(String name, SequencedSet<String> names) {
        return all.size() < MOST_SUGGESTIONS ? MissingValue.nearest(name, names) : Optional.empty();
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
