package dev.artel.json.text;

/// Texts from anywhere on their way to a terminal, which would take some characters for commands, or show others in another order than
/// they are in: control characters (C0 without the end of a line, DEL, C1) and what turns the direction of writing (Unicode TR 36, 2.3).
public final class Printable {
    private static final char REPLACEMENT = '\ufffd';

    private Printable() {}

    /// `text` with another character in place of each of these.
    public static String text(String text) {
        var safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(point -> safe.appendCodePoint(isHarmless(point) ? point : REPLACEMENT));
        return safe.toString();
    }

    /// The same on one line: what begins a line of its own could be taken for one of the program.
    public static String line(String text) {
        return text(text).replace('\n', ' ');
    }

    /// `text` behind `beginning`, which only the first of its lines has; the others are below it.
    public static String behind(String beginning, String text) {
        return beginning + text(text).replace("\n", "\n" + " ".repeat(beginning.length()));
    }

    /// `json`, which is JSON, with these as escapes: the same value.
    public static String json(String json) {
        var safe = new StringBuilder(json.length());
        json.codePoints()
                .forEach(point -> {
                    if (isHarmless(point)) {
                        safe.appendCodePoint(point);
                    } else {
                        safe.append(String.format("\\u%04x", point));
                    }
                });
        return safe.toString();
    }

    private static boolean isHarmless(int point) {
        return point == '\n'
                || !(Character.isISOControl(point)
                        || (point >= 0x202a && point <= 0x202e)
                        || (point >= 0x2066 && point <= 0x2069)
                        || point == 0x200e
                        || point == 0x200f
                        || point == 0x061c);
    }
}
