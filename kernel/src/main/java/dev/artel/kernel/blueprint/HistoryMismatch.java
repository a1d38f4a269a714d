package dev.artel.kernel.blueprint;

import java.io.Serial;

/// The code of a job asks for something else than its history has. Trying again gives the same, so the job waits for a person: with
/// code that fits, it is released.
public final class HistoryMismatch extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// `message` states what the history has, what the code asked for, at which position, and what to do.
    public HistoryMismatch(String message) {
        super(message);
    }
}
