package dev.artel.backup;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A copy of the whole database, in pieces, as it was at some moment after the segment `since`.
///
/// @param bytes of the database
/// @param pieces digests, in order; each is compressed
/// @param since the last segment that it needs not; empty: it needs all of its chain
/// @param files digests of the other files by their names in the data folder
record DatabaseCopy(
        long bytes, List<String> pieces, String since, SequencedMap<String, String> files) {
    byte[] write() {
        return JsonText.write(
                JsonObject.builder()
                        .put("artel_base", 1)
                        .put("bytes", bytes)
                        .put("pieces", JsonArray.ofStrings(pieces))
                        .put("since", since)
                        .put("files", Segment.files(files))
                        .build());
    }

    static DatabaseCopy read(byte[] bytes) {
        try {
            if (JsonText.read(bytes) instanceof JsonObject json) {
                return new DatabaseCopy(
                        json.number("bytes").orElseThrow().value().longValue(),
                        json.array("pieces").orElseThrow().values().stream()
                                .map(each -> ((JsonString) each).value())
                                .toList(),
                        json.string("since").orElseThrow(),
                        json.object("files").map(Segment::files).orElseGet(TreeMap::new));
            }
        } catch (MalformedJson | java.util.NoSuchElementException unreadable) {
            throw new StoreCorrupt(
                    "reading the base of a copy: found "
                            + unreadable.getMessage()
                            + "; restore another backup",
                    unreadable);
        }
        throw new StoreCorrupt(
                "reading the base of a copy: it is no object; restore another backup", null);
    }
}
