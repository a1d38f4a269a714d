package dev.artel.kernel.task;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.Objects;

/// A value that belongs to the user: carried and kept, never interpreted by the rules.
public sealed interface Payload {
    /// Values whose JSON text has this many bytes or more are kept outside the events, as a [Ref].
    int INLINE_LIMIT = 64 * 1024;

    /// The payload `{}`.
    Payload EMPTY = new Inline(JsonObject.EMPTY);

    /// A value that travels inside the event.
    record Inline(JsonValue value) implements Payload {
        /// Refuses null.
        public Inline {
            Objects.requireNonNull(value, "value");
        }
    }

    /// A value that is kept in the payload store.
    ///
    /// @param digest SHA-256 of the value's JSON text, lower-case hexadecimal
    /// @param bytes the length of that text
    record Ref(String digest, long bytes) implements Payload {
        /// Refuses a digest that is none.
        public Ref {
            if (digest.length() != 64) {
                throw new IllegalArgumentException(
                        "payload digest must have 64 hex digits, was " + digest);
            }
        }
    }

    /// The value `value`, inline.
    static Payload of(JsonValue value) {
        return new Inline(value);
    }
}
