package dev.artel.kernel.fleet;

import java.util.Locale;

/// How a worker stands, in one word. Where several are true, the last of them in this order.
public enum WorkerState {
    /// Takes tasks and has none.
    IDLE,
    /// Takes tasks and has some.
    BUSY,
    /// Takes none now: every slot is taken, or it reports that.
    FULL,
    /// Gets none any more and finishes what it has, because it or an operator asked for it.
    DRAINING,
    /// Gets none for a while, because its attempts failed one after another.
    SUSPENDED,
    /// Should have been heard of by now; gets none until it is.
    UNHEALTHY,
    /// Is not there.
    OFFLINE;

    /// The word on wires.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
