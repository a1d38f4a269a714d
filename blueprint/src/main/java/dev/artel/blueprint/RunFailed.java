package dev.artel.blueprint;

import java.io.Serial;

/// The job cannot reach its end. A function, a handler of an annotated class or the code of a typed state that throws it, or lets it pass, fails
/// its job: what it did is compensated.
public sealed class RunFailed extends RuntimeException permits CallFailed {
    @Serial private static final long serialVersionUID = 1;

    /// `message` is the reason, for people.
    public RunFailed(String message) {
        super(message);
    }
}
