package dev.artel.worker;

import java.io.Serial;

/// The parameters of a task are wrong; the job fails.
public final class InvalidInput extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// @param message which parameter, what was found, what is expected
    public InvalidInput(String message) {
        super(message);
    }

    /// @param message which parameter, what was found, what is expected
    public InvalidInput(String message, Throwable cause) {
        super(message, cause);
    }
}
