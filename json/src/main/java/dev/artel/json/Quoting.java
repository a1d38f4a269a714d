package dev.artel.json;

/// Writes JSON strings (RFC 8259 section 7), so that `toString` gives JSON.
final class Quoting {
    private Quoting() {}

    static String quote(String text) {
        var out = new StringBuilder(text.length() + 2).append('"');
        text.chars().forEach(c -> append(out, (char) c));
        return out.append('"').toString();
    }

    private static void append(StringBuilder out, char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (c < ' ') {
                    out.append(String.format("\\u%04x", (int) c));
                } else {
                    out.append(c);
                }
            }
        }
    }
}
