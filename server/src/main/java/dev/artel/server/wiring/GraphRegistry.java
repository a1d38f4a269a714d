package dev.artel.server.wiring;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Remembers which graph each version of a blueprint had: a version is its author's word, and one that changes its
/// graph breaks it for the jobs that began with the other.
final class GraphRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(GraphRegistry.class);

    /// No blueprint's store: those have a slash.
    private static final String SPACE = "graphs";

    private final KeyValueStore entries;

    GraphRegistry(KeyValueStore entries) {
        this.entries = entries;
    }

    /// Compares the graphs of `blueprints` with those of earlier starts, and remembers them.
    ///
    /// @param strict whether a changed graph is refused, and not only reported
    /// @throws StartupException if one is; nothing is remembered then
    void check(Blueprints blueprints, boolean strict) {
        if (entries instanceof UnavailableKeyValueStore) {
            return;
        }
        var changed = new ArrayList<BlueprintRef>();
        var updates = new LinkedHashMap<String, JsonObject>();
        for (var name : blueprints.names()) {
            var before = known(name);
            var now = before;
            for (var version : blueprints.versionsOf(name)) {
                var ref = blueprints.find(name, version).map(Blueprint::ref).orElseThrow();
                if (before.has(version)
                        && !before.string(version).equals(Optional.of(ref.graph()))) {
                    changed.add(ref);
                }
                now = now.with(version, JsonValue.of(ref.graph()));
            }
            if (!now.equals(before)) {
                updates.put(name, now);
            }
        }
        if (strict && !changed.isEmpty()) {
            throw new StartupException(refusal(changed), null);
        }
        changed.forEach(GraphRegistry::warn);
        updates.forEach((name, graphs) -> {
            var _ = entries.put(SPACE, name, KeyValueStore.ANY_VERSION, graphs);
        });
    }

    private JsonObject known(String name) {
        return entries.get(SPACE, name)
                .map(entry ->
                        entry.value() instanceof JsonObject graphs ? graphs : JsonObject.EMPTY)
                .orElse(JsonObject.EMPTY);
    }

    private static String refusal(List<BlueprintRef> changed) {
        return "blueprints have another graph than before under the same version: "
                + String.join(
                        ", ",
                        changed.stream().map(ref -> ref.name() + " " + ref.version()).toList())
                + "; give each a new version, or start without --strict";
    }

    private static void warn(BlueprintRef ref) {
        LOG.atWarn()
                .addKeyValue("blueprint", ref.name())
                .addKeyValue("version", ref.version())
                .log(
                        "a version of a blueprint has another graph than before; give it a new version,"
                                + " or jobs that have begun may not find their states");
    }
}
