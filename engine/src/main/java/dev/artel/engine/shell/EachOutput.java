package dev.artel.engine.shell;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Passes on what a core has put out, each by itself: others wait for the rest, whatever became of one.
final class EachOutput {
    private EachOutput() {}

    /// Has `act` done with each of `outputs`, in order. The first exception is thrown behind the last, with the others in it; an error ends this
    /// at once.
    static <T> void of(List<T> outputs, Consumer<T> act) {
        @Nullable RuntimeException first = null;
        for (var output : outputs) {
            try {
                act.accept(output);
            } catch (RuntimeException bug) {
                if (first == null) {
                    first = bug;
                } else if (!first.equals(bug)) {
                    first.addSuppressed(bug);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
