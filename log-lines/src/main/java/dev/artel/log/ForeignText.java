package dev.artel.log;

import java.util.HexFormat;

/// Texts of others, as lines of the log and messages show them.
public final class ForeignText {
    /// So many characters of a text are shown.
    public static final int MOST = 200;

    /// So many of a message that has such texts.
    public static final int MOST_OF_MESSAGE = 1_000;

    private ForeignText() {}

    /// The beginning of `text`, with an escape in place of each character that begins another line, moves the cursor of a terminal or is half of
    /// one.
    public static String shown(String text) {
        return shown(text, MOST);
    }

    /// As [#shown(String)], with at most `most` characters of `text`: a message that has advice behind texts of others.
    public static String shown(String text, int most) {
        var end = Math.min(text.length(), most);
        if (end < text.length() && end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        var shown = new StringBuilder(end + 3);
        for (var at = 0; at < end; at++) {
            var next = text.charAt(at);
            if (isPlain(text, at)) {
                shown.append(next);
            } else {
                shown.append("\\u").append(HexFormat.of().toHexDigits(next));
            }
        }
        return text.length() <= most ? shown.toString() : shown.append("...").toString();
    }

    private static boolean isPlain(String text, int at) {
        var next = text.charAt(at);
        if (Character.isHighSurrogate(next)) {
            return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
        }
        if (Character.isLowSurrogate(next)) {
            return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
        }
        return switch (Character.getType(next)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> true;
        };
    }
}
