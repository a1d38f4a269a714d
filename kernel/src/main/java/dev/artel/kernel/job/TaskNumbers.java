package dev.artel.kernel.job;

import java.util.Collections;

/// A set of numbers of tasks. Immutable; changes share structure, and the next number is found without a look at those between, of
/// which 4,096 are passed over at once.
///
/// @param size how many numbers
/// @param words a bit for each number, 64 to a word
/// @param groups a bit for each word that is not 0
public record TaskNumbers(int size, PersistentVector<Long> words, PersistentVector<Long> groups) {
    /// None.
    public static final TaskNumbers NONE =
            new TaskNumbers(0, PersistentVector.empty(), PersistentVector.empty());

    private static final int BITS = 6;

    /// Whether `number` is one of them.
    public boolean has(int number) {
        return (word(words, number >>> BITS) >>> number & 1) != 0;
    }

    /// With `number`, from 0.
    public TaskNumbers with(int number) {
        if (has(number)) {
            return this;
        }
        var at = number >>> BITS;
        return new TaskNumbers(
                size + 1,
                put(words, at, word(words, at) | 1L << number),
                put(groups, at >>> BITS, word(groups, at >>> BITS) | 1L << at));
    }

    /// Without `number`.
    public TaskNumbers without(int number) {
        if (!has(number)) {
            return this;
        }
        if (size == 1) {
            return NONE;
        }
        var at = number >>> BITS;
        var left = word(words, at) & ~(1L << number);
        return new TaskNumbers(
                size - 1,
                words.set(at, left),
                left == 0
                        ? groups.set(at >>> BITS, groups.get(at >>> BITS) & ~(1L << at))
                        : groups);
    }

    /// The lowest number from `from` on; -1 if there is none.
    public int next(int from) {
        var at = from >>> BITS;
        var rest = word(words, at) & -1L << from;
        if (rest != 0) {
            return (at << BITS) + Long.numberOfTrailingZeros(rest);
        }
        var mask = -1L << (at + 1);
        for (var group = (at + 1) >>> BITS; group < groups.size(); group++) {
            var some = groups.get(group) & mask;
            if (some != 0) {
                var found = (group << BITS) + Long.numberOfTrailingZeros(some);
                return (found << BITS) + Long.numberOfTrailingZeros(words.get(found));
            }
            mask = -1L;
        }
        return -1;
    }

    private static long word(PersistentVector<Long> all, int at) {
        return at < all.size() ? all.get(at) : 0;
    }

    private static PersistentVector<Long> put(PersistentVector<Long> all, int at, long word) {
        return at < all.size()
                ? all.set(at, word)
                : all.appendAll(Collections.nCopies(at - all.size(), 0L)).append(word);
    }
}
