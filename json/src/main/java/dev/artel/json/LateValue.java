package dev.artel.json;

import java.util.stream.Stream;

/// A value that is read from elsewhere when somebody asks for it. Safe for use by many threads.
public interface LateValue {
    /// The value as a whole, in memory.
    JsonValue read();

    /// Its elements in order, of which only the one at hand is in memory; to be closed.
    ///
    /// @throws IllegalStateException if it is not an array
    Stream<JsonValue> elements();

    /// The length of its text.
    long bytes();
}
