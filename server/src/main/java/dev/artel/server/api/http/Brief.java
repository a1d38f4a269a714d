package dev.artel.server.api.http;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A value that is good for a brief time, and worked out anew for who asks later: however many ask, one at a time works it
/// out. Safe for use by many threads.
public final class Brief<T> implements Supplier<T> {
    private final Supplier<T> source;
    private final long nanos;
    private final LongSupplier time;
    private @Nullable T value;
    private long made;

    /// A value of `source` that is good for the duration `good`.
    ///
    /// @param time in nanoseconds, from any beginning
    public Brief(Supplier<T> source, Duration good, LongSupplier time) {
        this.source = source;
        this.nanos = good.toNanos();
        this.time = time;
    }

    @Override
    public synchronized T get() {
        var now = time.getAsLong();
        var kept = value;
        if (kept == null || now - made >= nanos) {
            kept = source.get();
            value = kept;
            made = now;
        }
        return kept;
    }
}
