package dev.artel.server.wiring;

import dev.artel.kernel.store.StoreException.StoreFull;
import dev.artel.kernel.store.StoreException.StoreLocked;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// The orchestrator cannot start as it is configured; the message states in one line what a person has to change.
public final class StartupException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// `message` states what was attempted, what was found and what to do.
    public StartupException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /// Whether nothing has to be changed: another program holds the lock of the database, or its disk is full.
    public boolean passes() {
        return getCause() instanceof StoreLocked || getCause() instanceof StoreFull;
    }
}
