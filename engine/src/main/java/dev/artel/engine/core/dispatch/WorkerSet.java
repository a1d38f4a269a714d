package dev.artel.engine.core.dispatch;

import java.util.Arrays;

/// A set of workers by their places on the [Floor]: one bit each. Single-threaded.
final class WorkerSet {
    private long[] words = new long[4];

    boolean has(int place) {
        var at = place >>> 6;
        return at < words.length && (words[at] & 1L << place) != 0;
    }

    void put(int place, boolean isIn) {
        var at = place >>> 6;
        if (at >= words.length) {
            if (!isIn) {
                return;
            }
            words = Arrays.copyOf(words, Math.max(at + 1, words.length * 2));
        }
        if (isIn) {
            words[at] |= 1L << place;
        } else {
            words[at] &= ~(1L << place);
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
        words[at] = word;
    }
}
