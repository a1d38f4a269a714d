package dev.artel.json;

/// Writes values as JSON (RFC 8259), for `toString`.
final class Quoting {
    private Quoting() {}

    static String text(JsonValue value) {
        var out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, JsonValue value) {
        switch (value) {
            case JsonString(var text) -> quote(out, text);
            case JsonArray(var values) -> {
                var between = '[';
                for (var each : values) {
                    append(out.append(between), each);
                    between = ',';
                }
                out.append(values.isEmpty() ? "[]" : "]");
            }
            case JsonObject(var members) -> {
                var between = '{';
                for (var member : members.entrySet()) {
                    quote(out.append(between), member.getKey());
                    append(out.append(':'), member.getValue());
                    between = ',';
                }
                out.append(members.isEmpty() ? "{}" : "}");
            }
            case JsonNumber _, JsonBoolean _, JsonNull _ -> out.append(value);
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (var i = 0; i < text.length(); i++) {
            append(out, text.charAt(i));
        }
        out.append('"');
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
