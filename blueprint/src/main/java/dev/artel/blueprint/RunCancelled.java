package dev.artel.blueprint;

import java.io.Serial;

/// Somebody has cancelled the job. The function may do what has to be done before it ends, and should then let the exception pass: the
/// job ends as cancelled, and what it did is compensated.
public final class RunCancelled extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// `reason` is what was said when the job was cancelled.
    public RunCancelled(String reason) {
        super(reason);
    }
}
