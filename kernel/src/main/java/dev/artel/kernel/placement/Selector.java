package dev.artel.kernel.placement;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a task asks of one label of a worker.
///
/// @param label its name
/// @param values for [Test#IN] and [Test#NOT_IN] at least one, else none
public record Selector(String label, Test test, List<String> values) {
    /// What must be true of the label.
    public enum Test {
        /// It is there with one of the values.
        IN,
        /// It is not there, or has none of the values.
        NOT_IN,
        /// It is there.
        EXISTS,
        /// It is not there.
        ABSENT
    }

    /// Refuses a selector that is empty or too large.
    public Selector {
        values = List.copyOf(values);
        var takesValues = test == Test.IN || test == Test.NOT_IN;
        if (takesValues == values.isEmpty()) {
            throw new IllegalArgumentException(
                    "selector " + label + " " + test + " has " + values.size() + " values");
        }
        if (label.isBlank() || label.length() > Requirements.LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "a label has 1 to "
                            + Requirements.LONGEST_NAME
                            + " characters, had '"
                            + label
                            + "'");
        }
    }

    /// The label has one of `values`.
    public static Selector in(String label, List<String> values) {
        return new Selector(label, Test.IN, values);
    }

    /// The label has none of `values`.
    public static Selector notIn(String label, List<String> values) {
        return new Selector(label, Test.NOT_IN, values);
    }

    /// The label is there.
    public static Selector exists(String label) {
        return new Selector(label, Test.EXISTS, List.of());
    }

    /// The label is not there.
    public static Selector absent(String label) {
        return new Selector(label, Test.ABSENT, List.of());
    }

    boolean admits(@Nullable String value) {
        return switch (test) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case ABSENT -> value == null;
        };
    }

    JsonValue wanted() {
        return switch (test) {
            case IN ->
                    values.size() == 1
                            ? JsonValue.of(values.getFirst())
                            : JsonArray.ofStrings(values);
            case NOT_IN -> JsonValue.of("not " + String.join(", ", values));
            case EXISTS -> JsonValue.of("any value");
            case ABSENT -> JsonValue.of("no such label");
        };
    }
}
