package dev.artel.worker.link;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/// The `Retry-After` header (RFC 9110 section 10.2.3).
final class RetryAfter {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private RetryAfter() {}

    /// The time to wait, at most ten minutes; null if the header makes no sense.
    static @Nullable Duration parse(String header) {
        var text = header.strip();
        try {
            var wait =
                    text.chars().allMatch(Character::isDigit)
                            ? Duration.ofSeconds(Long.parseLong(text))
                            : Duration.between(Instant.now(), date(text));
            return wait.isNegative() ? Duration.ZERO : shorter(wait);
        } catch (DateTimeException | NumberFormatException nonsense) {
            return null;
        }
    }

    private static Instant date(String text) {
        return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    }

    private static Duration shorter(Duration wait) {
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
