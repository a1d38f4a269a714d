package dev.artel.kernel.store;

/// A value that came in has something that no value may have, such as half of a surrogate pair. Sent again it is the
/// same: its sender has to correct it.
public final class UnreadableValue extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// `message` names the value, and what was found.
    public UnreadableValue(String message, Throwable cause) {
        super(message, cause);
    }
}
