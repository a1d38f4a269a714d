package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import java.util.List;
import java.util.Locale;

/// How a worker stands when it registers.
///
/// @param load how many tasks it has in work
/// @param hotCache models and files that it has loaded, by name
/// @param hotSkills task types that it could begin at once
public record Readiness(Status status, int load, List<String> hotCache, List<String> hotSkills) {
    /// Nothing to do and nothing loaded.
    public static final Readiness IDLE = new Readiness(Status.IDLE, 0, List.of(), List.of());

    /// Copies the lists.
    public Readiness {
        hotCache = List.copyOf(hotCache);
        hotSkills = List.copyOf(hotSkills);
    }

    /// What a worker reports about taking more work.
    public enum Status {
        /// Takes tasks.
        IDLE,
        /// Takes none now.
        BUSY,
        /// Takes none now: every slot is taken.
        FULL,
        /// Takes none any more and finishes what it has.
        DRAINING,
        /// Has left.
        OFFLINE;

        /// The word on the wire.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// The status of `word`; a word that is not defined yet counts as one that takes tasks.
        static Status of(String word) {
            return switch (word) {
                case "busy" -> BUSY;
                case "full" -> FULL;
                case "draining" -> DRAINING;
                case "offline" -> OFFLINE;
                default -> IDLE;
            };
        }
    }

    static Readiness read(Fields fields) {
        return new Readiness(
                Status.of(fields.string("status", "idle")),
                fields.count("load", 0),
                fields.strings("hot_cache"),
                fields.strings("hot_skills"));
    }

    void writeTo(JsonObject.Builder json) {
        json.put("status", status.word());
        json.put("load", load);
        json.put("hot_cache", JsonArray.ofStrings(hotCache));
        if (!hotSkills.isEmpty()) {
            json.put("hot_skills", JsonArray.ofStrings(hotSkills));
        }
    }
}
