package dev.artel.kernel.store;

import java.time.Duration;
import java.util.Optional;

/// What a store has committed and not yet moved to its final place.
///
/// @param bytes how large it is on the disk
/// @param heldFor since when a reader of an old state of the store keeps it from being moved; empty: none does
/// @param free how many bytes the disk has left
public record Backlog(long bytes, Optional<Duration> heldFor, long free) {
    /// Of a store that has none.
    public static final Backlog NONE = new Backlog(0, Optional.empty(), Long.MAX_VALUE);

    private static final long SCARCE = 256L << 20;

    /// Why the disk will be full soon, for people; empty if it will not.
    public Optional<String> obstacle() {
        return free >= SCARCE
                ? Optional.empty()
                : heldFor.map(duration ->
                        "the log of the store has "
                                + (bytes >> 20)
                                + " MiB and cannot be emptied, since another program has"
                                + " been reading for "
                                + duration.toSeconds()
                                + " s, and the disk has "
                                + (free >> 20)
                                + " MiB left; end that program, ./artel doctor names it");
    }
}
