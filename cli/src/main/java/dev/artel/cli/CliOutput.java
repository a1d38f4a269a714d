package dev.artel.cli;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.Printable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a command prints: documents of the API as JSON, or lines for people.
final class CliOutput {
    private static final int LONGEST_CELL = 60;
    private static final int LINE = 100;
    private static final String GREEN = "32";
    private static final String RED = "31";
    private static final String YELLOW = "33";

    private final PrintStream out;
    private final PrintStream err;
    private final boolean isColoured;

    /// @param err for what is no part of the answer
    /// @param isColoured whether statuses have colours; they are words all the same
    CliOutput(PrintStream out, PrintStream err, boolean isColoured) {
        this.out = out;
        this.err = err;
        this.isColoured = isColoured;
    }

    void line(String text) {
        out.println(Printable.text(text));
    }

    /// A line that is no part of the answer.
    void aside(String text) {
        if (isColoured) {
            progress("");
        }
        err.println(Printable.line(text));
    }

    /// Whether a person looks at it, who can be shown what changes.
    boolean isTerminal() {
        return isColoured;
    }

    /// Replaces the last line of a terminal; empty: removes it.
    void progress(String text) {
        var line = Printable.line(text);
        out.print("\r\u001b[K" + (line.length() <= LINE ? line : line.substring(0, LINE)));
        out.flush();
    }

    /// Removes all that a terminal shows.
    void clear() {
        out.print("\u001b[2J");
    }

    /// Replaces all that a terminal shows; `lines` are safe to print.
    void screen(List<String> lines) {
        var all = new StringBuilder("\u001b[H");
        for (var text : lines) {
            all.append(text).append("\u001b[K\n");
        }
        out.print(all.append("\u001b[J"));
        out.flush();
    }

    void json(JsonValue value) {
        out.println(Printable.json(JsonText.pretty(value)));
    }

    /// The documents of a list as an array, or a line each with these members.
    void list(List<JsonObject> items, boolean isJson, String... members) {
        if (isJson) {
            json(new JsonArray(List.copyOf(items)));
            return;
        }
        rows(items, members).forEach(out::println);
    }

    /// A line with these members for each item, below their names.
    List<String> rows(List<JsonObject> items, String... members) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of(members));
        for (var item : items) {
            rows.add(Stream.of(members).map(each -> text(item, each)).toList());
        }
        return columns(rows);
    }

    /// The rows as lines, each cell as wide as the widest of its column.
    List<String> columns(List<List<String>> given) {
        var rows = given.stream().map(row -> row.stream().map(CliOutput::cell).toList()).toList();
        var lines = new ArrayList<String>();
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
            lines.add(line.toString());
        }
        return lines;
    }

    private static String text(JsonObject item, String member) {
        return switch (item.get(member).orElse(JsonNull.NULL)) {
            case JsonNull _ -> "-";
            case JsonString(var plain) -> plain;
            case JsonArray(var values) ->
                    values.stream().map(CliOutput::text).collect(Collectors.joining(", "));
            case JsonObject slots when slots.has("used") && slots.has("capacity") ->
                    text(slots, "used") + " of " + text(slots, "capacity");
            case JsonValue value -> text(value);
        };
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString(var plain) ? plain : value.toString();
    }

    /// One line of `text`, safe to print and not long.
    static String cell(String text) {
        var line = Printable.line(text);
        return line.length() <= LONGEST_CELL ? line : line.substring(0, LONGEST_CELL - 1) + "…";
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
