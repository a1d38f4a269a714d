package dev.artel.kernel.blueprint;

import java.io.Serial;

/// A handler that runs ahead ([JobPast#isAhead]) cannot decide the outcome of its step yet. It runs again when what led to the step is durable.
public final class NotAhead extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// `message` names what the handler would have to read.
    public NotAhead(String message) {
        super(message);
    }
}
