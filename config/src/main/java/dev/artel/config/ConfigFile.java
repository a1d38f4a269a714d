package dev.artel.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Settings in a YAML file: nested or with dots, `${VARIABLE:-default}` in values, `$${` for `${` itself.
final class ConfigFile {
    private static final Pattern VARIABLE =
            Pattern.compile("\\$(\\$\\{)|\\$\\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\\}");

    private final Path file;
    private final Map<String, String> environment;
    private final List<String> problems;
    private final SequencedMap<String, String> values = new LinkedHashMap<>();
    private final Set<String> variables = new LinkedHashSet<>();
    private final Set<String> withVariables = new HashSet<>();
    private final Map<String, Integer> lines = new HashMap<>();

    private ConfigFile(Path file, Map<String, String> environment, List<String> problems) {
        this.file = file;
        this.environment = environment;
        this.problems = problems;
    }

    /// Reads `file`.
    ///
    /// @param problems gets all that is wrong
    static ConfigFile read(Path file, Map<String, String> environment, List<String> problems) {
        var config = new ConfigFile(file, environment, problems);
        config.collect("", config.content());
        return config;
    }

    /// Values by the names of their settings.
    SequencedMap<String, String> values() {
        return values;
    }

    /// The variables that it names.
    Set<String> variables() {
        return variables;
    }

    /// Whether the value of the setting `name` is in the file, and no variable in it.
    boolean isLiteral(String name) {
        return !withVariables.contains(name);
    }

    private JsonValue content() {
        try {
            var text = Files.readString(file);
            if (text.lines()
                    .allMatch(line -> line.isBlank() || line.stripLeading().startsWith("#"))) {
                return JsonObject.EMPTY;
            }
            JsonValue content;
            try (var parser = new YAMLFactory().createParser(text)) {
                content = JsonText.read(parser);
            }
            try (var parser = new YAMLFactory().createParser(text)) {
                noteLines(parser);
            }
            return content;
        } catch (JacksonException malformed) {
            var at = malformed.getLocation();
            problems.add(
                    file
                            + " is no YAML"
                            + (at == null
                                    ? ""
                                    : " at line "
                                            + at.getLineNr()
                                            + ", column "
                                            + at.getColumnNr()));
        } catch (MalformedJson malformed) {
            // Not its message, which quotes the text, and there may be a secret in it.
            problems.add(
                    file
                            + " is no YAML at line "
                            + malformed.line()
                            + ", column "
                            + malformed.column()
                            + ", or gives a setting twice there");
        } catch (IOException broken) {
            problems.add("cannot read " + file + " (" + broken + ")");
        }
        return JsonObject.EMPTY;
    }

    private void noteLines(JsonParser parser) throws IOException {
        while (parser.nextToken() != null) {
            if (parser.currentToken() == JsonToken.FIELD_NAME) {
                var name = name(parser.getParsingContext());
                var line = parser.currentTokenLocation().getLineNr();
                // Also of what it belongs to, which need not have a line of its own.
                for (var dot = 0; dot >= 0; ) {
                    dot = name.indexOf('.', dot + 1);
                    lines.putIfAbsent(dot < 0 ? name : name.substring(0, dot), line);
                }
            }
        }
    }

    private static String name(@Nullable JsonStreamContext context) {
        if (context == null || context.inRoot()) {
            return "";
        }
        var before = name(context.getParent());
        var own = context.getCurrentName();
        return before.isEmpty() || own == null
                ? before + (own == null ? "" : own)
                : before + "." + own;
    }

    private void collect(String name, JsonValue value) {
        switch (value) {
            case JsonObject object ->
                    object.members()
                            .forEach((member, its) ->
                                    collect(name.isEmpty() ? member : name + "." + member, its));
            case JsonArray array ->
                    put(
                            name,
                            array.values().stream()
                                    .map(ConfigFile::text)
                                    .collect(Collectors.joining(",")));
            case JsonNull _ ->
                    problems.add(named(name) + " has no value; remove it or give it one");
            case JsonString _, JsonNumber _, JsonBoolean _ -> put(name, text(value));
        }
    }

    private void put(String name, String value) {
        if (name.isEmpty()) {
            problems.add(file + " must have settings such as http.port: 8080");
        } else if (values.put(name, expanded(name, value)) != null) {
            problems.add(named(name) + " is given twice");
        }
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString(var text) ? text : value.toString();
    }

    /// How messages call the setting `name` of this file: with its line, or the one of the setting to which it belongs.
    String named(String name) {
        for (var part = name; ; part = part.substring(0, part.lastIndexOf('.'))) {
            var line = lines.get(part);
            if (line != null) {
                return name + " in " + file + ":" + line;
            }
            if (part.indexOf('.') < 0) {
                return name + " in " + file;
            }
        }
    }

    private String expanded(String name, String value) {
        return VARIABLE.matcher(value)
                .replaceAll(match -> {
                    if (match.group(1) != null) {
                        return Matcher.quoteReplacement("${");
                    }
                    variables.add(match.group(2));
                    withVariables.add(name);
                    var given = environment.get(match.group(2));
                    var defaultValue = match.group(4);
                    if (given == null || given.isEmpty()) {
                        given = defaultValue;
                    }
                    if (given == null) {
                        problems.add(
                                named(name)
                                        + " names the variable "
                                        + match.group(2)
                                        + ", which is not set; set it, or write ${"
                                        + match.group(2)
                                        + ":-value}");
                        return "";
                    }
                    return Matcher.quoteReplacement(given);
                });
    }
}
