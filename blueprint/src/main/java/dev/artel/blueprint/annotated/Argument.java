package dev.artel.blueprint.annotated;

import dev.artel.kernel.blueprint.Step;
import org.jspecify.annotations.Nullable;

/// Where the value of a handler's parameter comes from.
@FunctionalInterface
interface Argument {
    /// Its value; null only where the parameter may be null.
    ///
    /// @throws IllegalArgumentException if there is none
    @Nullable Object of(Step step);
}
