package dev.artel.worker;

import java.io.Serial;

/// No attempt at this task can succeed; the job is set aside for a person.
public final class PermanentFailure extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// @param message for the person, who sees the job and not the worker's log
    public PermanentFailure(String message) {
        super(message);
    }

    /// @param message for the person, who sees the job and not the worker's log
    public PermanentFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
