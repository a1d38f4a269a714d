package dev.artel.engine.shell;

import dev.artel.kernel.blueprint.Blueprint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/// The definitions that an engine knows. Safe for use by many threads.
public final class Blueprints {
    private final Map<String, Blueprint> byName = new ConcurrentSkipListMap<>();

    /// The definitions `blueprints`.
    ///
    /// @throws IllegalArgumentException if two have the same name
    public static Blueprints of(Blueprint... blueprints) {
        var all = new Blueprints();
        for (var blueprint : blueprints) {
            all.register(blueprint);
        }
        return all;
    }

    /// Adds a definition.
    ///
    /// @throws IllegalArgumentException if there is one of the same name
    public void register(Blueprint blueprint) {
        if (byName.putIfAbsent(blueprint.name(), blueprint) != null) {
            throw new IllegalArgumentException(
                    "blueprint '"
                            + blueprint.name()
                            + "' is registered already; give it another name");
        }
    }

    /// The definition `name`.
    public Optional<Blueprint> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /// All names, sorted.
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }
}
