package dev.artel.kernel.blueprint;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// The conditions of a state do not determine what happens in it. Trying again gives the same, so the job waits for a person.
public final class ConditionFailed extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// `message` names the condition, what was found and what to do.
    public ConditionFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
