package dev.artel.card.read;

import dev.artel.card.step.CardStep;
import dev.artel.json.JsonValue;
import dev.artel.kernel.budget.Budget;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/// A card that was read, with those that are written inside it.
///
/// @param name of its blueprint
/// @param version the author's word
/// @param variables the values with which they begin
/// @param maxDepth how many generations of processes may descend from it; empty: the default
/// @param budget what it may spend with its descendants; empty: as much as it takes
/// @param inner the cards inside it, each with the version of this one
public record ParsedCard(
        String name,
        String version,
        SequencedMap<String, JsonValue> variables,
        List<CardStep> steps,
        OptionalInt maxDepth,
        Optional<Budget> budget,
        List<ParsedCard> inner) {
    /// Copies its lists and maps.
    public ParsedCard {
        variables = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(variables));
        steps = List.copyOf(steps);
        inner = List.copyOf(inner);
    }
}
