package dev.artel.kernel.task;

import java.util.Optional;
import java.util.OptionalInt;

/// A limit that all tasks share that name its key, whatever their jobs.
///
/// @param key what is limited, such as `tenant:42`; with neither of the others, by the orchestrator's settings
/// @param concurrent how many may be with workers at once, for this task to be given to one
/// @param rate how many may be given to workers in a time
public record SharedLimit(String key, OptionalInt concurrent, Optional<Rate> rate)
        implements Comparable<SharedLimit> {
    /// How many limits a task may name.
    public static final int MOST = 8;

    /// Keys that begin so are those of task types and blueprints, which every task has by itself.
    public static final String OF_TYPE = "type:";

    /// See [#OF_TYPE].
    public static final String OF_BLUEPRINT = "blueprint:";

    private static final int LONGEST = 200;
    private static final int LARGEST = 1_000_000;

    /// Refuses what limits nothing, or can never let a task through.
    public SharedLimit {
        if (key.isBlank() || key.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "the key of a limit must have 1 to "
                            + LONGEST
                            + " characters and not be blank, was '"
                            + key
                            + "'");
        }
        concurrent.ifPresent(most -> {
            if (most < 1 || most > LARGEST) {
                throw new IllegalArgumentException(
                        "limit "
                                + key
                                + ": concurrent must be from 1 to "
                                + LARGEST
                                + ", was "
                                + most);
            }
        });
    }

    /// By the orchestrator's settings for `key`.
    public static SharedLimit of(String key) {
        return new SharedLimit(key, OptionalInt.empty(), Optional.empty());
    }

    /// At most `most` at once.
    public static SharedLimit concurrent(String key, int most) {
        return new SharedLimit(key, OptionalInt.of(most), Optional.empty());
    }

    /// At most so many in a time.
    public static SharedLimit rate(String key, Rate rate) {
        return new SharedLimit(key, OptionalInt.empty(), Optional.of(rate));
    }

    /// This limit, and at most `most` at once.
    public SharedLimit withConcurrent(int most) {
        return new SharedLimit(key, OptionalInt.of(most), rate);
    }

    /// This limit, and at most so many in a time.
    public SharedLimit withRate(Rate other) {
        return new SharedLimit(key, concurrent, Optional.of(other));
    }

    /// By key, then those with less first; without a limit of its kind goes before all.
    @Override
    public int compareTo(SharedLimit other) {
        if (this == other) {
            return 0;
        }
        var byKey = key.compareTo(other.key);
        if (byKey != 0) {
            return byKey;
        }
        var byNumber = Integer.compare(concurrent.orElse(0), other.concurrent.orElse(0));
        if (byNumber != 0 || rate.isEmpty() || other.rate.isEmpty()) {
            return byNumber != 0
                    ? byNumber
                    : Boolean.compare(rate.isPresent(), other.rate.isPresent());
        }
        return rate.get().compareTo(other.rate.get());
    }

    /// Whether a task may name it.
    ///
    /// @throws IllegalArgumentException if its key is one that tasks have by themselves
    void checkGivenWithATask() {
        if (key.startsWith(OF_TYPE) || key.startsWith(OF_BLUEPRINT)) {
            throw new IllegalArgumentException(
                    "the key '"
                            + key
                            + "' belongs to every task of that type or blueprint; limit it in limits.toml,"
                            + " or choose another key");
        }
    }
}
