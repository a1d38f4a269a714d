package dev.artel.kernel.store;

/// A value is larger than the orchestrator keeps. Another attempt fails as well: make the value smaller, or keep it
/// elsewhere and pass a reference.
public final class ValueTooLarge extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// A value of `bytes`, where at most `most` are kept.
    public ValueTooLarge(long bytes, long most) {
        this(
                "a value of "
                        + bytes
                        + " bytes is larger than the "
                        + most
                        + " that are kept (payloads.max-bytes); make it smaller, or keep it elsewhere"
                        + " and pass where it is");
    }

    private ValueTooLarge(String message) {
        super(message);
    }

    /// An object whose members below [Parts#SMALLEST] have `bytes` together, where at most `most` stay in an event.
    static ValueTooLarge inSmallMembers(long bytes, long most) {
        return new ValueTooLarge(
                "an object has "
                        + bytes
                        + " bytes in members of less than "
                        + Parts.SMALLEST
                        + " bytes, and may have "
                        + most
                        + "; put them into one member, which may be as large as any value");
    }
}
