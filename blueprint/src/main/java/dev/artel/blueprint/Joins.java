package dev.artel.blueprint;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Which states join which fan-outs.
final class Joins {
    /// Fan-outs of whatever type.
    private static final Object ANY = new Object();

    private final SequencedMap<String, List<Object>> typesByState = new LinkedHashMap<>();

    /// Those of a definition that does not name the types that are joined in `states`.
    static Joins in(Collection<String> states) {
        var joins = new Joins();
        states.forEach(state -> joins.typesByState.put(state, List.of(ANY)));
        return joins;
    }

    void add(StateRef state, Object type) {
        typesByState.computeIfAbsent(state.name(), _ -> new ArrayList<>()).add(type);
    }

    /// Refuses a question for results that `state` never has.
    ///
    /// @param type a task type or a blueprint type
    void check(String state, Object type) {
        var joined = typesByState.getOrDefault(state, List.of());
        if (!joined.contains(type) && !joined.contains(ANY)) {
            throw new IllegalStateException(
                    "state '"
                            + state
                            + "' asks for the results of a fan-out of '"
                            + type
                            + "', and joins "
                            + (joined.isEmpty() ? "none" : joined)
                            + "; ask in the state that follows all of them");
        }
    }
}
