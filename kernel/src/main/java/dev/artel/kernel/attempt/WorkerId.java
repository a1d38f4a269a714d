package dev.artel.kernel.attempt;

/// The name of a worker, chosen by itself and stable over its restarts.
///
/// @param value 1 to 200 characters, none of them a control character
public record WorkerId(String value) implements Comparable<WorkerId> {
    /// Refuses a name that cannot be shown.
    public WorkerId {
        if (value.isBlank()
                || value.length() > 200
                || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "worker id must have 1 to 200 printable characters, was '" + value + "'");
        }
    }

    @Override
    public int compareTo(WorkerId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
