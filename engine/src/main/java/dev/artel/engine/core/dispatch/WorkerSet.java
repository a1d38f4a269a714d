package dev.artel.engine.core.dispatch;

import java.util.Arrays;

/// A set of workers by their places on the [WorkerIndex]: one bit each. Single-threaded.
final class WorkerSet {
    private static final long[] NONE = new long[0];

    private long[] words = NONE;

    /// For each word, one bit: whether there is a worker in it.
    private long[] taken = NONE;

    private int size;

    boolean has(int place) {
        var at = place >>> 6;
        return at < words.length && (words[at] & 1L << place) != 0;
    }

    void put(int place, boolean isIn) {
        if (has(place) != isIn) {
            var at = place >>> 6;
            word(at, word(at) ^ 1L << place);
        }
    }

    /// The places from `64 * at` on, the lowest in the lowest bit.
    long word(int at) {
        return at < words.length ? words[at] : 0;
    }

    /// Sets the places from `64 * at` on.
    void word(int at, long word) {
        if (at >= words.length) {
            if (word == 0) {
                return;
            }
            words = Arrays.copyOf(words, Math.max(at + 1, words.length * 2));
        }
        size += Long.bitCount(word) - Long.bitCount(words[at]);
        words[at] = word;
        note(at, word != 0);
    }

    private void note(int at, boolean isTaken) {
        var of = at >>> 6;
        if (of >= taken.length) {
            taken = Arrays.copyOf(taken, Math.max(of + 1, taken.length * 2));
        }
        taken[of] = isTaken ? taken[of] | 1L << at : taken[of] & ~(1L << at);
    }

    /// The first of the words from `at` on in which there is a worker; -1 if there is none.
    int nextWord(int at) {
        var of = at >>> 6;
        if (of >= taken.length) {
            return -1;
        }
        var rest = taken[of] & -1L << at;
        while (rest == 0) {
            of++;
            if (of == taken.length) {
                return -1;
            }
            rest = taken[of];
        }
        return (of << 6) + Long.numberOfTrailingZeros(rest);
    }

    void clear() {
        words = NONE;
        taken = NONE;
        size = 0;
    }

    int size() {
        return size;
    }

    /// How many are in `other` too.
    int common(WorkerSet other) {
        if (size == 0 || other.size == 0) {
            return 0;
        }
        var mine = words;
        var theirs = other.words;
        var count = 0;
        for (var at = 0; at < Math.min(mine.length, theirs.length); at++) {
            count += Long.bitCount(mine[at] & theirs[at]);
        }
        return count;
    }

    /// How many are in `one` and in `other` too.
    int common(WorkerSet one, WorkerSet other) {
        if (size == 0 || one.size == 0 || other.size == 0) {
            return 0;
        }
        var count = 0;
        for (var at = 0; at < words.length; at++) {
            count += Long.bitCount(words[at] & one.word(at) & other.word(at));
        }
        return count;
    }
}
