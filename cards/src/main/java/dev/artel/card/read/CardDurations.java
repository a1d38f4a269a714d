package dev.artel.card.read;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// Times as cards have them: a number of seconds, or numbers with units such as `500ms`, `5s`, `1h30m` or `7d`.
public final class CardDurations {
    private static final Pattern SECONDS = Pattern.compile("\\d{1,10}(\\.\\d{1,9})?");
    private static final Pattern UNITS =
            Pattern.compile("(?:\\d{1,10}(?:\\.\\d{1,9})?(?:ms|s|m|h|d)){1,5}");
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|h|d)");

    private CardDurations() {}

    /// The time that `text` is.
    public static Optional<Duration> read(String text) {
        var plain = text.strip();
        if (SECONDS.matcher(plain).matches()) {
            return Optional.of(ofSeconds(Double.parseDouble(plain)));
        }
        if (!UNITS.matcher(plain).matches()) {
            return Optional.empty();
        }
        var parts = PART.matcher(plain);
        var sum = 0.0;
        while (parts.find()) {
            var unit =
                    switch (parts.group(2)) {
                        case "ms" -> 0.001;
                        case "s" -> 1;
                        case "m" -> 60;
                        case "h" -> 3_600;
                        default -> 86_400;
                    };
            sum += Double.parseDouble(parts.group(1)) * unit;
        }
        return Optional.of(ofSeconds(sum));
    }

    /// A number of seconds, to the millisecond.
    static Duration ofSeconds(double seconds) {
        return Duration.ofMillis(Math.round(Math.clamp(seconds, -1, 1e13) * 1_000));
    }
}
