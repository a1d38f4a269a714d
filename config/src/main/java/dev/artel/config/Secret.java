package dev.artel.config;

/// A text that nobody may read by accident.
///
/// @param value at least 16 characters, none of them blank or beyond ASCII: it travels in a header
public record Secret(String value) {
    /// The fewest characters of a secret.
    public static final int MIN_LENGTH = 16;

    /// Refuses what is easily guessed or cannot be sent.
    public Secret {
        if (!isValid(value)) {
            throw new IllegalArgumentException(
                    "a token must have "
                            + MIN_LENGTH
                            + " to 256 visible ASCII characters, had "
                            + value.length());
        }
    }

    /// Whether `value` can be a secret.
    public static boolean isValid(String value) {
        return value.length() >= MIN_LENGTH
                && value.length() <= 256
                && value.chars().allMatch(c -> c > ' ' && c < 127);
    }

    @Override
    public String toString() {
        return "***";
    }
}
