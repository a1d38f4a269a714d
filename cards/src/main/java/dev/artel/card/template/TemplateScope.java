package dev.artel.card.template;

import dev.artel.json.JsonValue;
import java.util.Optional;

/// The values that templates can refer to.
@FunctionalInterface
public interface TemplateScope {
    /// The value `name`; null is a value.
    Optional<JsonValue> variable(String name);

    /// These values, and `value` under `name`, in place of any other of that name.
    default TemplateScope with(String name, JsonValue value) {
        return other -> other.equals(name) ? Optional.of(value) : variable(other);
    }
}
