package dev.artel.store.sqlite;

import dev.artel.json.text.ForeignJson;

/// What appends count for where some of them are read together, up to a number of bytes.
final class PageBytes {
    /// Most events take some eight bytes of memory for each of theirs; lists of empty objects take thirty-five.
    private static final int OF_MEMORY = 8;

    private PageBytes() {}

    /// The length of `encoded`, or an eighth of what its events are going to take in memory, if that is more.
    static long of(byte[] encoded) {
        return Math.max(encoded.length, ForeignJson.weight(encoded) / OF_MEMORY);
    }
}
