package dev.artel.simulation.function;

import dev.artel.simulation.world.Trait;
import java.util.List;
import java.util.Set;

/// What the functions of a scenario may use.
///
/// @param traits of the scenario
/// @param types of their tasks
/// @param children the blueprints of their children
record JobFeatures(Set<Trait> traits, List<String> types, List<String> children) {
    /// Copies the lists.
    JobFeatures {
        types = List.copyOf(types);
        children = List.copyOf(children);
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }
}
