package dev.artel.webhook;

import org.jspecify.annotations.Nullable;

/// Webhooks cannot be used as they are configured; the message states what a person has to change.
public final class Unusable extends RuntimeException {
    @java.io.Serial private static final long serialVersionUID = 1;

    Unusable(String message) {
        this(message, null);
    }

    Unusable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
