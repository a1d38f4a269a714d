package dev.artel.cli;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// What a command prints: documents of the API as JSON, or lines for people.
final class CliOutput {
    private static final int LONGEST_CELL = 60;
    private static final String GREEN = "32";
    private static final String RED = "31";
    private static final String YELLOW = "33";

    private final PrintStream out;
    private final boolean isColoured;

    /// @param isColoured whether statuses have colours; they are words all the same
    CliOutput(PrintStream out, boolean isColoured) {
        this.out = out;
        this.isColoured = isColoured;
    }

    void line(String text) {
        out.println(printable(text));
    }

    void json(JsonValue value) {
        out.println(JsonText.pretty(value));
    }

    /// The documents of a list as an array, or a line each with these members.
    void list(List<JsonObject> items, boolean isJson, String... members) {
        if (isJson) {
            json(new JsonArray(List.copyOf(items)));
            return;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of(members));
        for (var item : items) {
            var row = new ArrayList<String>();
            for (var member : members) {
                row.add(cell(item.get(member).orElse(JsonNull.NULL)));
            }
            rows.add(row);
        }
        table(rows);
    }

    private void table(List<List<String>> rows) {
        var widths = new int[rows.getFirst().size()];
        for (var row : rows) {
            for (var i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (var row : rows) {
            var line = new StringBuilder();
            for (var i = 0; i < widths.length; i++) {
                var padding = i == widths.length - 1 ? 0 : widths[i] - row.get(i).length() + 2;
                line.append(coloured(row.get(i))).append(" ".repeat(padding));
            }
            out.println(line);
        }
    }

    private static String cell(JsonValue value) {
        var text =
                switch (value) {
                    case JsonNull _ -> "-";
                    case JsonString(var plain) -> plain;
                    default -> value.toString();
                };
        var line = printable(text).replace('\n', ' ');
        return line.length() <= LONGEST_CELL ? line : line.substring(0, LONGEST_CELL - 1) + "…";
    }

    /// Names and payloads come from anywhere: a terminal must not take part of them for commands.
    static String printable(String text) {
        var safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(point ->
                        safe.appendCodePoint(
                                point == '\n' || !Character.isISOControl(point)
                                        ? point
                                        : '\ufffd'));
        return safe.toString();
    }

    private String coloured(String text) {
        if (!isColoured) {
            return text;
        }
        return switch (text) {
            case "finished", "idle", "busy" -> "\u001b[" + GREEN + "m" + text + "\u001b[0m";
            case "failed", "quarantined", "gone" -> "\u001b[" + RED + "m" + text + "\u001b[0m";
            case "cancelled", "draining", "full" -> "\u001b[" + YELLOW + "m" + text + "\u001b[0m";
            default -> text;
        };
    }
}
