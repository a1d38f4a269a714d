package dev.artel.mcp;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.Printable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;

/// The arguments of a tool as the person reads them who is to agree: each of them, what names the job first, and how much of a
/// long one is left out.
final class ShownArguments {
    /// What is shown of one argument, in characters.
    private static final int LONGEST = 400;

    private static final int LONGEST_OF_ALL = 4_000;

    private ShownArguments() {}

    /// @throws IllegalArgumentException if a text that a person has to see as a whole is too long, such as the id of a job
    static String of(AgentTool tool, JsonObject arguments) {
        var names = new LinkedHashSet<String>();
        if (JsonText.read(tool.required().getBytes(StandardCharsets.UTF_8))
                instanceof JsonArray required) {
            required.values()
                    .forEach(name -> {
                        if (name instanceof JsonString(var text) && arguments.has(text)) {
                            names.add(text);
                        }
                    });
        }
        names.addAll(arguments.names());
        var cut = new ArrayList<String>();
        var shown = new StringBuilder();
        for (var name : names) {
            var value = arguments.get(name).orElseThrow();
            var text = Printable.json(value.toString());
            if (text.length() > LONGEST) {
                if (isWhole(name, value)) {
                    throw new IllegalArgumentException(
                            name
                                    + " has "
                                    + text.length()
                                    + " characters, more than a person who has to agree is shown ("
                                    + LONGEST
                                    + ")");
                }
                cut.add(name + " (" + (text.length() - LONGEST) + " characters)");
                text = text.substring(0, LONGEST) + "...";
            }
            shown.append(shown.isEmpty() ? "" : ", ").append(name).append(": ").append(text);
        }
        if (shown.length() > LONGEST_OF_ALL) {
            throw new IllegalArgumentException(
                    "its arguments have more characters than a person who has to agree is shown");
        }
        return cut.isEmpty() ? shown.toString() : shown + " - LEFT OUT: " + String.join(", ", cut);
    }

    /// Names and choices are texts and numbers; only data and reasons may be long.
    private static boolean isWhole(String name, JsonValue value) {
        return !(value instanceof JsonObject || value instanceof JsonArray)
                && !name.equals("reason")
                && !name.equals("answer")
                && !name.equals("payload")
                && !name.equals("result");
    }
}
