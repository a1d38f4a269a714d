package dev.artel.kernel.store;

import dev.artel.kernel.task.Payload;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// Chooses which members of an object are kept apart. The largest go first, until what stays is small enough for an
/// event; members that are hardly longer than a reference always stay.
public final class Parts {
    /// Members with a shorter text stay.
    public static final int SMALLEST = 1024;

    /// What may stay, together.
    public static final int MOST_INLINE = 8 << 20;

    private static final int PUNCTUATION = 4;
    private static final int LONGEST_ESCAPE = 6;

    private Parts() {}

    /// How many bytes a name takes as JSON, or a few more.
    private static long atMost(String name) {
        return name.chars()
                .map(c -> c < ' ' || c == '"' || c == '\\' ? LONGEST_ESCAPE : c < 128 ? 1 : 3)
                .sum();
    }

    /// The names of those that are kept apart.
    ///
    /// @param bytes the length of each member's text
    /// @param maxBytes how many the whole may have
    /// @throws ValueTooLarge if the whole has more, or if what has to stay is more than [#MOST_INLINE]
    public static Set<String> apart(SequencedMap<String, Long> bytes, long maxBytes) {
        return apart(bytes, maxBytes, Payload.INLINE_LIMIT);
    }

    /// The same, where less than [Payload#INLINE_LIMIT] may stay.
    ///
    /// @param inline how many bytes are enough to be kept apart
    public static Set<String> apart(SequencedMap<String, Long> bytes, long maxBytes, long inline) {
        var choice = choice(bytes, maxBytes, inline);
        if (choice.left > MOST_INLINE) {
            throw ValueTooLarge.inSmallMembers(choice.left, MOST_INLINE);
        }
        return choice.apart;
    }

    /// The same, for an object that may also be kept apart as a whole: empty if `inline` bytes or more would stay of it.
    public static Optional<Set<String>> below(
            SequencedMap<String, Long> bytes, long maxBytes, long inline) {
        var choice = choice(bytes, maxBytes, inline);
        return choice.left < inline ? Optional.of(choice.apart) : Optional.empty();
    }

    private record Choice(Set<String> apart, long left) {}

    private static Choice choice(SequencedMap<String, Long> bytes, long maxBytes, long inline) {
        var left = 2L;
        for (var member : bytes.entrySet()) {
            left += atMost(member.getKey()) + PUNCTUATION + member.getValue();
        }
        if (left > maxBytes) {
            throw new ValueTooLarge(left, maxBytes);
        }
        var apart = new LinkedHashSet<String>();
        if (left < inline) {
            return new Choice(apart, left);
        }
        var largestFirst =
                bytes.entrySet().stream()
                        .filter(member -> member.getValue() >= SMALLEST)
                        .sorted(
                                Map.Entry.<String, Long>comparingByValue()
                                        .reversed()
                                        .thenComparing(
                                                Map.Entry.comparingByKey(
                                                        Comparator.naturalOrder())))
                        .toList();
        for (var member : largestFirst) {
            if (left < inline) {
                break;
            }
            apart.add(member.getKey());
            left -= member.getValue();
        }
        return new Choice(apart, left);
    }
}
