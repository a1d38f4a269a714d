package dev.artel.config;

/// A secret that requests of actions may carry.
///
/// @param value at least [#SHORTEST] characters, so that it can be found in other text and hidden; no control characters, no blanks at the ends
/// @param hosts to which it may go
public record NamedSecret(String name, String value, ActionHosts hosts) {
    /// The fewest characters of a value.
    public static final int SHORTEST = 8;

    private static final int LONGEST = 65_536;

    /// Refuses a value that cannot be hidden or sent.
    public NamedSecret {
        if (!isValue(value)) {
            throw new IllegalArgumentException(
                    "a secret has "
                            + SHORTEST
                            + " to "
                            + LONGEST
                            + " characters, no control characters, and no blanks at its ends");
        }
    }

    /// Whether `value` can be that of a secret.
    public static boolean isValue(String value) {
        return value.length() >= SHORTEST
                && value.length() <= LONGEST
                && value.equals(value.strip())
                && value.chars().noneMatch(Character::isISOControl);
    }

    @Override
    public String toString() {
        return name + ": ***";
    }
}
