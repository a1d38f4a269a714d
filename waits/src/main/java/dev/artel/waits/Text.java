package dev.artel.waits;

/// Pieces of long texts.
final class Text {
    private Text() {}

    /// The beginning of `text`.
    static String bounded(String text, int most) {
        return text.length() <= most
                ? text
                : text.substring(0, most) + "... (" + text.length() + " characters)";
    }

    /// The end of `text`.
    static String end(String text, int most) {
        return text.length() <= most ? text : "..." + text.substring(text.length() - most);
    }
}
