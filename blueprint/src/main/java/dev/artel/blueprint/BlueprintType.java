package dev.artel.blueprint;

import java.util.Objects;

/// The name of a blueprint, what its jobs are submitted with and what they finish with. One constant is shared by the
/// blueprint, those that run it as a child, and clients that submit it.
///
/// ```java
/// static final BlueprintType<Trip, Itinerary> TRIP = BlueprintType.of("trip", Trip.class, Itinerary.class);
/// ```
///
/// @param name 1 to 100 letters, digits, '-', '_' or '.'
/// @param input what a job is submitted with; a record or [JsonObject]
/// @param output what a finished job has as its result; a record or [JsonObject]
public record BlueprintType<I, O>(String name, ValueType<I> input, ValueType<O> output) {
    /// Refuses a name that no blueprint can have.
    public BlueprintType {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
        Names.check("a blueprint's name", name);
    }

    /// The blueprint `name`.
    ///
    /// @throws IllegalArgumentException if `input` or `output` is neither a record nor [JsonObject], or JSON cannot be bound
    /// to it
    public static <I, O> BlueprintType<I, O> of(String name, Class<I> input, Class<O> output) {
        return new BlueprintType<>(
                name,
                ValueType.ofObject(input, "the input of blueprint '" + name + "'"),
                ValueType.ofObject(output, "the output of blueprint '" + name + "'"));
    }

    /// The blueprint `name`, whose jobs finish without a result.
    ///
    /// @throws IllegalArgumentException if `input` is neither a record nor [JsonObject], or JSON cannot be bound to it
    public static <I> BlueprintType<I, Nothing> of(String name, Class<I> input) {
        return of(name, input, Nothing.class);
    }

    @Override
    public String toString() {
        return name;
    }
}
