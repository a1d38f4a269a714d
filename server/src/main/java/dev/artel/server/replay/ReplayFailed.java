package dev.artel.server.replay;

import java.io.Serial;

/// A history could not be replayed: it could not be read, or there is no code for it.
public final class ReplayFailed extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    ReplayFailed(String message) {
        super(message);
    }

    ReplayFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
