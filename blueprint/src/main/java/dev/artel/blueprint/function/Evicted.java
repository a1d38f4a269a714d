package dev.artel.blueprint.function;

import java.io.Serial;

/// Ends the thread of a function that is no longer in memory. An error, so that authors do not catch it by the way.
final class Evicted extends Error {
    @Serial private static final long serialVersionUID = 1;

    Evicted(String message) {
        super(message, null, false, false);
    }
}
