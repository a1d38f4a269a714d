package dev.artel.engine.core.dispatch;

/// A set of numbers from 0 to 255. Single-threaded.
class Bits {
    /// How many numbers there are.
    static final int SIZE = 4 * Long.SIZE;

    static final Bits NONE = new Bits();

    private long first;
    private long second;
    private long third;
    private long fourth;

    /// Empties the set.
    final void clear() {
        set(0, 0, 0, 0);
    }

    /// Adds one number.
    final void add(int number) {
        var bit = 1L << number;
        switch (number / Long.SIZE) {
            case 0 -> first |= bit;
            case 1 -> second |= bit;
            case 2 -> third |= bit;
            default -> fourth |= bit;
        }
    }

    /// Adds all of `other`.
    final void add(Bits other) {
        set(first | other.first, second | other.second, third | other.third, fourth | other.fourth);
    }

    /// Makes it the union of three sets.
    ///
    /// @return whether it is another set than before
    final boolean unite(Bits one, Bits two, Bits three) {
        return set(
                one.first | two.first | three.first,
                one.second | two.second | three.second,
                one.third | two.third | three.third,
                one.fourth | two.fourth | three.fourth);
    }

    private boolean set(long one, long two, long three, long four) {
        var changed = (first ^ one) | (second ^ two) | (third ^ three) | (fourth ^ four);
        first = one;
        second = two;
        third = three;
        fourth = four;
        return changed != 0;
    }

    /// Whether the sets have a number in common.
    final boolean meets(Bits other) {
        return ((first & other.first)
                        | (second & other.second)
                        | (third & other.third)
                        | (fourth & other.fourth))
                != 0;
    }
}
