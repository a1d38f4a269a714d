package dev.artel.client;

import dev.artel.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/// A blueprint or a client whose new jobs begin paused.
///
/// @param name of the blueprint or the client
/// @param by who paused it
/// @param document the whole object as the orchestrator returned it
public record PauseView(
        Scope scope,
        String name,
        String by,
        Instant at,
        Optional<String> reason,
        JsonObject document) {
    /// Whose jobs begin paused.
    public enum Scope {
        /// Those of a blueprint.
        BLUEPRINT,
        /// Those of a client.
        CLIENT,
        /// A word that this client does not know; the document has it.
        UNKNOWN
    }

    static PauseView of(JsonObject document) {
        return new PauseView(
                Words.constant(Scope.class, document.string("scope").orElse(""), Scope.UNKNOWN),
                document.string("name").orElse(""),
                document.string("by").orElse(""),
                document.string("at").map(Instant::parse).orElse(Instant.EPOCH),
                document.string("reason"),
                document);
    }
}
