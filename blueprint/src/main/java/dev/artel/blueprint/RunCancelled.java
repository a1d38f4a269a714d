package dev.artel.blueprint;

import java.io.Serial;

/// The job was cancelled. A function meets it once: at the call in which it waits, or at its next one; what it had asked for and not been
/// answered is given up. It may catch it to tidy up by further calls. If it lets it pass, the job is cancelled and what it did is
/// compensated; if it returns instead, the job finishes. A further cancel ends the job without the function.
public final class RunCancelled extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// `message` is the reason of the cancel, for people.
    public RunCancelled(String message) {
        super(message);
    }
}
