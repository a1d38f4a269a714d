package dev.artel.kernel.attempt;

/// The name of a worker, chosen by itself and stable over its restarts.
///
/// @param value 1 to 200 characters, none of them a control or a format character, which nobody sees, and no blank at either end: two names that look
///     alike are one name; neither `.` nor `..`, which browsers take out of addresses
public record WorkerId(String value) implements Comparable<WorkerId> {
    /// What a name has, for messages.
    public static final String RULE =
            "1 to 200 printable characters, no blank at either end, and more than one or two dots";

    /// Refuses a name that cannot be shown, or looks like another one.
    public WorkerId {
        if (value.isEmpty()
                || value.length() > 200
                || value.equals(".")
                || value.equals("..")
                || isBlank(value.charAt(0))
                || isBlank(value.charAt(value.length() - 1))
                || hasUnseen(value)) {
            throw new IllegalArgumentException(
                    "worker id must have " + RULE + ", was '" + value + "'");
        }
    }

    private static boolean isBlank(char each) {
        return Character.isWhitespace(each) || Character.isSpaceChar(each);
    }

    /// Each lease of each event that is read has a name: no stream here.
    private static boolean hasUnseen(String value) {
        for (var i = 0; i < value.length(); ) {
            var each = value.codePointAt(i);
            if (isUnseen(each)) {
                return true;
            }
            i += Character.charCount(each);
        }
        return false;
    }

    private static boolean isUnseen(int each) {
        return Character.isISOControl(each) || Character.getType(each) == Character.FORMAT;
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
