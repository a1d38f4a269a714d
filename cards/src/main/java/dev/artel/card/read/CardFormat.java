package dev.artel.card.read;

import dev.artel.kernel.task.RetryPolicy;
import java.time.Duration;

/// A version of the format of cards.
enum CardFormat {
    /// What fails is not tried again unless the step sets it.
    V1_0("1.0"),
    /// What fails is tried again by default.
    V2_0("2.0");

    private static final RetryPolicy THREE_TIMES =
            new RetryPolicy(3, Duration.ofSeconds(5), 2, Duration.ofMinutes(5), 0);

    private final String version;

    CardFormat(String version) {
        this.version = version;
    }

    /// As it is written.
    String version() {
        return version;
    }

    /// How often actions are tried by default.
    RetryPolicy retry() {
        return switch (this) {
            case V1_0 -> RetryPolicy.NEVER;
            case V2_0 -> THREE_TIMES;
        };
    }
}
