package dev.artel.card.compile;

import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.StepHandler;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;

/// The states of a blueprint while they are written. Those to which nothing leads are left out.
final class StateDrafts {
    private final SequencedMap<String, Draft> drafts = new LinkedHashMap<>();

    /// @param next where it leads
    private record Draft(StepHandler handler, boolean isPure, List<String> next) {}

    /// Adds a state whose handler only computes.
    void pure(String name, StepHandler handler, String... next) {
        drafts.put(name, new Draft(handler, true, distinct(next)));
    }

    /// Adds a state.
    void state(String name, StepHandler handler, String... next) {
        drafts.put(name, new Draft(handler, false, distinct(next)));
    }

    private static List<String> distinct(String... next) {
        return List.copyOf(new LinkedHashSet<>(List.of(next)));
    }

    /// The states that can be reached from `start`.
    Set<String> reachedFrom(String start) {
        var reached = new LinkedHashSet<String>();
        reached.add(start);
        var open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            var draft = drafts.get(open.removeFirst());
            if (draft != null) {
                draft.next().stream().filter(reached::add).forEach(open::add);
            }
        }
        return reached;
    }

    /// Writes the states into `blueprint`.
    ///
    /// @param end the name of the state in which jobs have finished without a result
    void into(Blueprint.Builder blueprint, String start, String end) {
        var reached = reachedFrom(start);
        drafts.forEach((name, draft) -> {
            if (reached.contains(name)) {
                if (name.equals(start)) {
                    blueprint.start(name, draft.handler());
                } else {
                    blueprint.state(name, draft.handler());
                }
                blueprint.leadingTo(draft.next().toArray(String[]::new));
                if (draft.isPure()) {
                    blueprint.pure();
                }
            }
        });
        if (reached.contains(end)) {
            blueprint.end(end);
        }
    }
}
