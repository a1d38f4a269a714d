package dev.artel.card.template;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Where a value is: the name of a variable and the names of members, from the outside in.
///
/// @param names at least one
public record ValuePath(List<String> names) {
    /// How many names a path may have.
    public static final int MOST_NAMES = 50;

    private static final int SHOWN = 100;

    private static final Pattern ROOT = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_-]*");
    private static final Pattern MEMBER = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_-]*");

    /// Copies `names`.
    public ValuePath {
        names = List.copyOf(names);
    }

    /// The path that `text` is, such as `facts.items`; empty if it is none, or has more than [#MOST_NAMES] names.
    public static Optional<ValuePath> of(String text) {
        // Each name is matched alone: a pattern with a group under a star takes a part of the stack
        // for each name.
        var names = text.split("\\.", MOST_NAMES + 1);
        if (names.length > MOST_NAMES || !ROOT.matcher(names[0]).matches()) {
            return Optional.empty();
        }
        var isPath = Stream.of(names).skip(1).allMatch(name -> MEMBER.matcher(name).matches());
        return isPath ? Optional.of(new ValuePath(List.of(names))) : Optional.empty();
    }

    /// Why `text` is no path, if it has too many names for one.
    public static Optional<String> tooManyNames(String text) {
        var names = text.chars().filter(letter -> letter == '.').count() + 1;
        return names > MOST_NAMES
                ? Optional.of(
                        "'"
                                + text.substring(0, Math.min(text.length(), SHOWN))
                                + "...' has "
                                + names
                                + " names with dots between them; the most is "
                                + MOST_NAMES)
                : Optional.empty();
    }

    /// The name of the variable.
    public String root() {
        return names.getFirst();
    }

    /// The value at this path.
    ///
    /// @throws UnresolvedTemplate if there is none
    public JsonValue in(TemplateScope scope) {
        var value =
                scope.variable(root())
                        .orElseThrow(() ->
                                new UnresolvedTemplate(
                                        this, "there is no value '" + root() + "' yet"));
        for (var depth = 1; depth < names.size(); depth++) {
            var name = names.get(depth);
            var outer = String.join(".", names.subList(0, depth));
            if (!(value instanceof JsonObject object)) {
                throw new UnresolvedTemplate(this, outer + " is " + kind(value));
            }
            value =
                    object.get(name)
                            .orElseThrow(() ->
                                    new UnresolvedTemplate(
                                            this,
                                            outer
                                                    + " has no '"
                                                    + name
                                                    + "'; it has "
                                                    + some(object)));
        }
        return value;
    }

    private static String kind(JsonValue value) {
        return switch (value) {
            case dev.artel.json.JsonNull _ -> "null";
            case dev.artel.json.JsonArray _ -> "a list";
            case dev.artel.json.JsonString _ -> "a text";
            case dev.artel.json.JsonNumber _ -> "a number";
            case dev.artel.json.JsonBoolean _ -> "a truth value";
            case JsonObject _ -> "an object";
        };
    }

    private static String some(JsonObject object) {
        var names = object.names().stream().limit(10).toList();
        return names + (object.size() > names.size() ? " and more" : "");
    }

    /// As it is written, without `${` and `}`.
    @Override
    public String toString() {
        return String.join(".", names);
    }
}
