package dev.artel.server.access;

import java.util.OptionalInt;
import java.util.OptionalLong;

/// A client as its file describes it.
///
/// @param monthlyAttempts how many jobs it may submit in a month
/// @param requestsPerMinute how often it may ask; empty: as often as clients usually may
record ClientEntry(
        Caller caller,
        TokenDigest token,
        OptionalLong monthlyAttempts,
        OptionalInt requestsPerMinute) {
    String name() {
        return caller.name();
    }
}
