package dev.artel.access;

import dev.artel.tokens.TokenGrant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// A client as its file describes it.
///
/// @param tokens those of the file
/// @param monthlyAttempts how many jobs it may submit in a month
/// @param requestsPerMinute how often it may ask; empty: as often as clients usually may
/// @param maxOpenJobs how many of its jobs may be open at once; empty: any number
/// @param weight how many turns its tasks have for one of a client without a weight
/// @param certificate the name in its certificate; empty: it has none
record ClientEntry(
        Caller caller,
        List<TokenGrant> tokens,
        OptionalLong monthlyAttempts,
        OptionalInt requestsPerMinute,
        OptionalInt maxOpenJobs,
        double weight,
        Optional<String> certificate) {
    /// The weight of a client whose table sets none.
    static final double NORMAL_WEIGHT = 1;

    ClientEntry {
        tokens = List.copyOf(tokens);
    }

    String name() {
        return caller.name();
    }
}
