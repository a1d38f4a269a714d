package dev.artel.engine.shell;

import java.lang.ref.WeakReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What was made of the last value that was kept: a request for many jobs brings one value to all of them, and to
/// write out a megabyte a thousand times takes a minute. Safe for use by many threads.
///
/// @param <T> values that do not change
/// @param <R> what is made of them
final class KeptLast<T, R> {
    private volatile @Nullable Kept<T, R> last;

    private record Kept<T, R>(WeakReference<T> given, R made) {}

    /// What `keep` makes of `value`, or what it made of that very value the last time.
    @SuppressWarnings("ReferenceEquality") // the very one, not an equal one
    R of(T value, Function<T, R> keep) {
        var known = last;
        if (known != null && known.given().get() == value) {
            return known.made();
        }
        var made = keep.apply(value);
        last = new Kept<>(new WeakReference<>(value), made);
        return made;
    }
}
