package dev.artel.backup;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import java.time.Instant;

/// With what to begin when the copy is put back. It is replaced as a whole, after all that it names is there.
///
/// @param owner who writes it
/// @param since when the owner began; of two that write here, the one that began later has taken the place over
/// @param base the digest of the base
/// @param segment the digest of the last segment; empty if there is none
/// @param until all that was committed before is in the copy
record Head(String owner, Instant since, String base, String segment, Instant until) {
    static final String NAME = "head.json";

    /// Whether its owner has taken the place over from that of `other`.
    boolean supersedes(Head other) {
        var order = since.compareTo(other.since);
        return order > 0 || (order == 0 && owner.compareTo(other.owner) > 0);
    }

    byte[] write() {
        return JsonText.write(
                JsonObject.builder()
                        .put("artel_copy", 1)
                        .put("owner", owner)
                        .put("since", since.toString())
                        .put("base", base)
                        .put("segment", segment)
                        .put("until", until.toString())
                        .build());
    }

    static Head read(byte[] bytes) {
        try {
            if (JsonText.read(bytes) instanceof JsonObject json) {
                return new Head(
                        json.string("owner").orElseThrow(),
                        Instant.parse(json.string("since").orElseThrow()),
                        json.string("base").orElseThrow(),
                        json.string("segment").orElseThrow(),
                        Instant.parse(json.string("until").orElseThrow()));
            }
        } catch (MalformedJson
                | java.util.NoSuchElementException
                | java.time.DateTimeException unreadable) {
            throw new StoreCorrupt(
                    "reading "
                            + NAME
                            + " of a copy: found "
                            + unreadable.getMessage()
                            + "; restore another backup",
                    unreadable);
        }
        throw new StoreCorrupt(
                "reading " + NAME + " of a copy: it is no object; restore another backup", null);
    }
}
