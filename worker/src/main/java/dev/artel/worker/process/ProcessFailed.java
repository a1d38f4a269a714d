package dev.artel.worker.process;

import java.io.Serial;

/// A process of a pool did not do its task. Another attempt may succeed.
public final class ProcessFailed extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// @param message what happened to which process, for people
    public ProcessFailed(String message) {
        super(message);
    }

    /// @param message what happened to which process, for people
    public ProcessFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
