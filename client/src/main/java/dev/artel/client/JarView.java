package dev.artel.client;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import java.time.Instant;
import java.util.List;

/// A jar in the folder of blueprints.
///
/// @param blueprints those that were read from it
/// @param document the whole object as the orchestrator returned it
public record JarView(
        String name,
        long bytes,
        Instant changedAt,
        List<Definition> blueprints,
        JsonObject document) {
    /// A version of a blueprint.
    public record Definition(String name, String version) {}

    /// Copies `blueprints`.
    public JarView {
        blueprints = List.copyOf(blueprints);
    }

    static JarView of(JsonObject document) {
        return new JarView(
                document.string("name").orElse(""),
                document.number("bytes").map(number -> number.asLong()).orElse(0L),
                document.string("changed_at").map(Instant::parse).orElse(Instant.EPOCH),
                document.array("blueprints").orElse(JsonArray.EMPTY).stream()
                        .filter(JsonObject.class::isInstance)
                        .map(JsonObject.class::cast)
                        .map(each ->
                                new Definition(
                                        each.string("name").orElse(""),
                                        each.string("version").orElse("")))
                        .toList(),
                document);
    }
}
