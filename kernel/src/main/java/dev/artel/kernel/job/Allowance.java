package dev.artel.kernel.job;

/// From where on is counted what a job may do: from its beginning, or from when a person last let it go on.
///
/// @param entered how many states it had entered then
/// @param events how many events it had then
public record Allowance(int entered, long events) {
    /// A job that begins.
    public static final Allowance FRESH = new Allowance(0, 0);
}
