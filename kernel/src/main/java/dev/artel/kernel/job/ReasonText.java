package dev.artel.kernel.job;

/// Bounds texts for people that come from workers, clients and handlers. They stay with their job, in its history, in memory and in lists, so that
/// a text of megabytes would be there many times.
public final class ReasonText {
    /// The most characters that are kept of a reason or a message.
    public static final int LONGEST = 8_000;

    private static final String NOTE = "... (%d characters)";

    private ReasonText() {}

    /// `text`, or its first [#LONGEST] characters and how many there were.
    public static String bounded(String text) {
        return bounded(text, LONGEST);
    }

    /// `text`, or its first `most` characters and how many there were. A text that was cut is not cut again.
    public static String bounded(String text, int most) {
        if (text.length() <= most + NOTE.length() + 10) {
            return text;
        }
        var end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + NOTE.formatted(text.length());
    }
}
