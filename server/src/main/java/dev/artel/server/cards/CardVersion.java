package dev.artel.server.cards;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.Instant;
import java.util.Optional;

/// A version of a process card, as an orchestrator keeps it.
///
/// @param version of its blueprints
/// @param written the version that its author wrote, which other revisions have as well
/// @param revision 1 for the first card of the written version
/// @param sha256 of the text, in lower-case hexadecimal
/// @param source [#UPLOAD], or the file from which it was read
/// @param text as it was written
public record CardVersion(
        String name,
        String version,
        String written,
        int revision,
        String sha256,
        String source,
        Instant takenAt,
        String text) {
    /// The source of a card that came over the API.
    public static final String UPLOAD = "upload";

    boolean isOfFile() {
        return !source.equals(UPLOAD);
    }

    JsonObject toJson() {
        return JsonObject.builder()
                .put("name", name)
                .put("version", version)
                .put("written", written)
                .put("revision", revision)
                .put("sha256", sha256)
                .put("source", source)
                .put("taken_at", takenAt.toString())
                .put("text", text)
                .build();
    }

    /// What [#toJson] has written; empty if it is something else.
    static Optional<CardVersion> read(JsonValue value) {
        if (!(value instanceof JsonObject json)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new CardVersion(
                            json.string("name").orElseThrow(),
                            json.string("version").orElseThrow(),
                            json.string("written").orElseThrow(),
                            (int) json.number("revision").orElseThrow().asLong(),
                            json.string("sha256").orElseThrow(),
                            json.string("source").orElseThrow(),
                            Instant.parse(json.string("taken_at").orElseThrow()),
                            json.string("text").orElseThrow()));
        } catch (RuntimeException other) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "card " + name + " " + version;
    }
}
