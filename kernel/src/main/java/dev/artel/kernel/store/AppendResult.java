package dev.artel.kernel.store;

/// What became of one [Append].
public sealed interface AppendResult {
    /// It is durable.
    ///
    /// @param position the place of its first event among all committed events; later appends have higher ones
    record Appended(long position) implements AppendResult {}

    /// The stream is at another version; nothing of this append was written. Read, and decide again.
    record VersionConflict(long actual) implements AppendResult {}

    /// This entry cannot be written, alone or with others; nothing of it was written.
    ///
    /// @param reason for people
    record Refused(String reason) implements AppendResult {}
}
