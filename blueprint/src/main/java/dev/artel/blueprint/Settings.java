package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// The variables that a state sets.
final class Settings<I> {
    private final List<Setting<I, ?>> all = new ArrayList<>();

    private record Setting<I, T>(Variable<T> variable, StepFunction<I, T> value) {
        void write(JsonObject.Builder to, Step<I> step) throws Exception {
            to.put(variable.name(), variable.value().write(value.of(step)));
        }
    }

    <T> void add(Variable<T> variable, StepFunction<I, T> value) {
        all.add(new Setting<>(variable, value));
    }

    JsonObject of(Step<I> step) throws Exception {
        var values = JsonObject.builder();
        for (var setting : all) {
            setting.write(values, step);
        }
        return values.build();
    }

    /// Adds to `problems` the variables whose names have other values.
    void keep(States<I, ?> states, List<String> problems) {
        for (var setting : all) {
            var variable = setting.variable();
            states.keep(variable.name(), "a variable", variable.value(), problems);
        }
    }
}
