package dev.artel.client;

import dev.artel.json.JsonObject;

/// A process card that the orchestrator has taken up.
///
/// @param name the blueprint of its jobs
/// @param version the one that the author wrote, or a revision of it, such as `1.0.0.2`
/// @param document the whole object as the orchestrator returned it
public record CardView(String name, String version, JsonObject document) {
    static CardView of(JsonObject document) {
        return new CardView(
                document.string("name").orElse(""),
                document.string("version").orElse(""),
                document);
    }
}
