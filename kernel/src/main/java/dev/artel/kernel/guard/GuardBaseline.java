package dev.artel.kernel.guard;

/// From where on is counted what a job may do: from the beginning of its run, or from when a person last let it go on.
///
/// @param entered how many states it had entered then
/// @param events how many events it had then
/// @param run how often it has continued as new
public record GuardBaseline(int entered, long events, int run) {
    /// A job that begins.
    public static final GuardBaseline FRESH = new GuardBaseline(0, 0, 0);
}
