package dev.artel.kernel.task;

import dev.artel.json.JsonMemory;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;

/// A value that belongs to the user: carried and kept, never interpreted by the rules.
public sealed interface Payload {
    /// Values whose JSON text has this many bytes or more are kept outside the events, as a [Ref].
    int INLINE_LIMIT = 64 * 1024;

    /// About how many bytes of the heap a [Ref] or a [Slice] takes.
    int REFERENCE = 200;

    /// About how many bytes of the heap a value takes that has a name, without both.
    int MEMBER = 100;

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

    /// A value that is kept in the payload store together with others, of which it can be read alone: one of the many
    /// parameters of a fan-out, for example.
    ///
    /// @param whole SHA-256 of what they are kept in, lower-case hexadecimal
    /// @param from where the value's JSON text begins in it, in bytes
    /// @param bytes the length of that text
    /// @param digest SHA-256 of that text
    record Slice(String whole, long from, int bytes, String digest) implements Payload {
        /// Refuses digests that are none, and a place that is none.
        public Slice {
            if (whole.length() != 64 || digest.length() != 64) {
                throw new IllegalArgumentException(
                        "payload digests must have 64 hex digits, were "
                                + whole
                                + " and "
                                + digest);
            }
            if (from < 0 || bytes < 0) {
                throw new IllegalArgumentException(
                        "a slice of " + bytes + " bytes at " + from + " is none");
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
                if (member instanceof Members || member instanceof Slice) {
                    throw new IllegalArgumentException(
                            "member '" + name + "' is kept in parts; only a whole value is");
                }
            });
            members = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(members));
        }
    }

    /// How many bytes the texts of `payload` have that are kept outside of the events, and are read when the value is needed.
    static long bytesApart(Payload payload) {
        return switch (payload) {
            case Inline _ -> 0;
            case Ref ref -> ref.bytes();
            case Slice slice -> slice.bytes();
            case Members(var members) ->
                    members.values().stream().mapToLong(Payload::bytesApart).sum();
        };
    }

    /// About how many bytes of the heap `payload` takes, without what is kept outside of the events.
    static long memory(Payload payload) {
        return switch (payload) {
            case Inline(var value) -> JsonMemory.bytes(value);
            case Ref _, Slice _ -> REFERENCE;
            case Members(var members) -> {
                var sum = 0L;
                for (var member : members.entrySet()) {
                    sum += JsonMemory.name(member.getKey()) + MEMBER + memory(member.getValue());
                }
                yield sum;
            }
        };
    }

    /// The value `value`, inline.
    static Payload of(JsonValue value) {
        return new Inline(value);
    }

    /// Whether both are the same value, wherever they are kept. A value that is inline differs from one that is not, also
    /// if their texts are the same.
    static boolean areSame(Payload one, Payload other) {
        return one.equals(other) || (digest(one).isPresent() && digest(one).equals(digest(other)));
    }

    /// SHA-256 of the text of a value that is kept as a whole; empty for any other.
    private static Optional<String> digest(Payload payload) {
        return switch (payload) {
            case Ref(var digest, long _) -> Optional.of(digest);
            case Slice(var _, long _, int _, var digest) -> Optional.of(digest);
            case Inline _, Members _ -> Optional.empty();
        };
    }
}
