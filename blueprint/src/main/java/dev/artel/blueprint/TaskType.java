package dev.artel.blueprint;

import java.util.Objects;

/// A type of task: the name under which workers offer it, what they are given and what they give back. One constant is shared
/// by the blueprint that calls it and the worker that handles it.
///
/// ```java
/// static final TaskType<Trip, Flight> BOOK_FLIGHT = TaskType.of("book_flight", Trip.class, Flight.class);
/// ```
///
/// @param name not blank, at most 200 characters
/// @param params what a worker is given; a record or [JsonObject]
/// @param result what it gives back
public record TaskType<P, R>(String name, ValueType<P> params, ValueType<R> result) {
    /// Refuses a name that no worker can offer.
    public TaskType {
        Objects.requireNonNull(params, "params");
        Objects.requireNonNull(result, "result");
        if (name.isBlank() || name.length() > 200) {
            throw new IllegalArgumentException(
                    "a task type must have 1 to 200 characters and not be blank, was '"
                            + name
                            + "'");
        }
    }

    /// The task type `name`.
    ///
    /// @throws IllegalArgumentException if `params` is neither a record nor [JsonObject], or JSON cannot be bound to one of
    /// the two
    public static <P, R> TaskType<P, R> of(String name, Class<P> params, Class<R> result) {
        return new TaskType<>(
                name,
                ValueType.ofObject(params, "the parameters of task type '" + name + "'"),
                ValueType.of(result));
    }

    /// The task type `name`, whose workers give nothing back.
    ///
    /// @throws IllegalArgumentException if `params` is neither a record nor [JsonObject], or JSON cannot be bound to it
    public static <P> TaskType<P, Nothing> of(String name, Class<P> params) {
        return of(name, params, Nothing.class);
    }

    @Override
    public String toString() {
        return name;
    }
}
