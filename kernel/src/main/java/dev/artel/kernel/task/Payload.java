package dev.artel.kernel.task;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.SequencedMap;

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

    /// An object of which some members are kept in the payload store: the shape of a value never depends on its size.
    ///
    /// @param members each [Inline] or a [Ref], in the order of the value; copied
    record Members(SequencedMap<String, Payload> members) implements Payload {
        /// Refuses members that are themselves kept in parts, and an object that is all inline.
        public Members {
            if (members.values().stream().noneMatch(Ref.class::isInstance)) {
                throw new IllegalArgumentException(
                        "no member is kept apart; an object that is all inline is an Inline");
            }
            members.forEach((name, member) -> {
                if (member instanceof Members) {
                    throw new IllegalArgumentException(
                            "member '" + name + "' is kept in parts; only a whole value is");
                }
            });
            members = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(members));
        }
    }

    /// The value `value`, inline.
    static Payload of(JsonValue value) {
        return new Inline(value);
    }
}
