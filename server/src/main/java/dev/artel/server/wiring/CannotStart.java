package dev.artel.server.wiring;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// The orchestrator cannot start as it is configured; the message says in one line what a person has to change.
public final class CannotStart extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// `message` says what was attempted, what was found and what to do.
    public CannotStart(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
