package dev.artel.blueprint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Which states join which fan-outs.
final class Joins {
    private final SequencedMap<String, List<Object>> typesByState = new LinkedHashMap<>();

    void add(StateRef state, Object type) {
        typesByState.computeIfAbsent(state.name(), _ -> new ArrayList<>()).add(type);
    }

    /// Refuses a question for results that `state` never has.
    ///
    /// @param type a task type or a blueprint type
    void check(String state, Object type) {
        var joined = typesByState.getOrDefault(state, List.of());
        if (!joined.contains(type)) {
            throw new IllegalStateException(
                    "state '"
                            + state
                            + "' asks for the results of a fan-out of '"
                            + type
                            + "', and joins "
                            + (joined.isEmpty() ? "none" : joined)
                            + "; ask in the state to which callAll or childForEach leads");
        }
    }
}
