package dev.artel.benchmarks;

import java.time.Duration;
import java.util.Locale;

/// How much a benchmark does. Only figures of the same size compare.
enum Size {
    /// What the figures in `docs/benchmarks.md` are of.
    FULL,

    /// A fifth of it after the same warm-up, for a comparison within minutes.
    QUICK,

    /// As little as shows that a benchmark still works; its figures mean nothing.
    SMALL;

    private static final int PART = 5;
    private static final int QUICK_RUNS = 3;

    /// @param full how many of something a full benchmark has
    /// @param small how many the smallest has
    int of(int full, int small) {
        return switch (this) {
            case FULL -> full;
            case QUICK -> Math.max(small, full / PART);
            case SMALL -> small;
        };
    }

    /// A number that a figure is of, or that makes warm, so that only the smallest benchmark has another.
    int fixed(int full, int small) {
        return this == SMALL ? small : full;
    }

    /// @param full how many of something must have come at least in a full benchmark; nothing must in the smallest, which runs
    ///     on busy machines
    double expected(double full) {
        return this == SMALL ? 0 : full;
    }

    /// @param full how long a part of a full benchmark takes
    /// @param small how long it takes in the smallest
    Duration of(Duration full, Duration small) {
        return switch (this) {
            case FULL -> full;
            case QUICK -> full.dividedBy(QUICK_RUNS);
            case SMALL -> small;
        };
    }

    /// @param full how often a full benchmark runs
    int runs(int full) {
        return switch (this) {
            case FULL -> full;
            case QUICK -> Math.min(full, QUICK_RUNS);
            case SMALL -> 1;
        };
    }

    /// As on the command line and in the results.
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
