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

    /// A value of `bytes` that would take about `weight` bytes of memory when it is read as a whole, where `most` are taken.
    public static ValueTooLarge inMemory(long bytes, long weight, long most) {
        return new ValueTooLarge(
                "a value of %,d bytes has so many small parts that it takes about %,d MiB of memory, more than the %,d MiB that one may take; let a handler take its elements one by one, make it smaller, or give the orchestrator more memory (-Xmx)"
                        .formatted(bytes, weight >> 20, most >> 20));
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
