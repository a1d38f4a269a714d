package dev.artel.engine.shell;

/// A definition with which a job cannot go on. The step that brought it is not tried again.
public final class RejectedDefinition extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param message what is wrong with it, for its author
    public RejectedDefinition(String message) {
        super(message, null, false, false);
    }
}
