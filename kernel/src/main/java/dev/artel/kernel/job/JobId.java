package dev.artel.kernel.job;

/// The public name of a job.
///
/// @param value 1 to 64 letters, digits, `-` or `_`
public record JobId(String value) implements Comparable<JobId> {
    /// Refuses what could not stand in a URL or a file name.
    public JobId {
        if (!isValid(value)) {
            throw new IllegalArgumentException(
                    "job id must have 1 to 64 letters, digits, '-' or '_', was '" + value + "'");
        }
    }

    /// Whether `value` has the form of a job id.
    public static boolean isValid(String value) {
        return !value.isEmpty() && value.length() <= 64 && value.chars().allMatch(JobId::isAllowed);
    }

    private static boolean isAllowed(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '_';
    }

    @Override
    public int compareTo(JobId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
