package dev.artel.engine.shell;

import java.util.function.LongSupplier;

/// Frees what is in memory for speed alone, once after each collection that has found most of the heap in use: each kind of thing there has a bound of its own, and all of
/// them together may take more than there is. For one thread.
final class ShortMemory {
    private final LongSupplier used;
    private final LongSupplier most;
    private final Runnable free;
    private long found;

    /// @param used how many bytes were in use after the last collection
    /// @param most how many there are
    /// @param free frees some
    ShortMemory(LongSupplier used, LongSupplier most, Runnable free) {
        this.used = used;
        this.most = most;
        this.free = free;
    }

    /// Looks whether there was another collection, and what it has found: two that find the same are one.
    void look() {
        var now = used.getAsLong();
        if (now != found && LongLivedHeap.isShort(now, most.getAsLong())) {
            free.run();
        }
        found = now;
    }
}
