package dev.artel.blueprint;

import dev.artel.json.JsonObject;

/// A new run of the same job, as a handler of an annotated class begins it: `NewRun.empty().with(MONTHS, months + 1)`.
/// [StateHandler#leadsTo] names the state in which it begins. Immutable.
///
/// @param data all that the new run has of the old one
public record NewRun(JsonObject data) {
    /// A run that begins with nothing but what the job was submitted with.
    public static NewRun empty() {
        return new NewRun(JsonObject.EMPTY);
    }

    /// This run, in which `variable` has `value` from the beginning.
    ///
    /// @throws IllegalArgumentException if `value` cannot be written as JSON
    public <T> NewRun with(Variable<T> variable, T value) {
        return new NewRun(data.with(variable.name(), variable.value().write(value)));
    }
}
