package dev.artel.kernel.task;

import dev.artel.json.JsonValue;

/// Counts the parameters of tasks, and the inputs of children, while a handler makes them: a list that has grown larger than memory can
/// no longer be refused. Safe for use by many threads.
@FunctionalInterface
public interface ParameterMeter {
    /// Bound in the thread that calls a handler while it does; unbound where nothing is counted, as in a simulation and in the thread of
    /// a durable function, which makes all its calls anew when it runs again.
    ScopedValue<ParameterMeter> CURRENT = ScopedValue.newInstance();

    /// Adds `params`, if the calling thread runs a handler whose parameters are counted. May wait until other handlers have handed on
    /// theirs.
    ///
    /// @throws RuntimeException if the handler has made more than there is room for; let it reach the caller of the handler
    static void count(JsonValue params) {
        if (CURRENT.isBound()) {
            CURRENT.get().add(params);
        }
    }

    /// Adds `params`, as [#count] does.
    void add(JsonValue params);
}
