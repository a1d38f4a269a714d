package dev.artel.maintenance;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// It could not be done; the message states in one line what was attempted, what was found and what to do.
public final class MaintenanceFailed extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// `message` states what was attempted, what was found and what to do.
    public MaintenanceFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
