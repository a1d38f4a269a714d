package dev.artel.card.template;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where a value is: the name of a variable and the names of members, from the outside in.
///
/// @param names at least one
public record ValuePath(List<String> names) {
    private static final Pattern SYNTAX =
            Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_-]*(\\.[\\p{L}\\p{N}_][\\p{L}\\p{N}_-]*)*");

    /// Copies `names`.
    public ValuePath {
        names = List.copyOf(names);
    }

    /// The path that `text` is, such as `facts.items`; empty if it is none.
    public static Optional<ValuePath> of(String text) {
        return SYNTAX.matcher(text).matches()
                ? Optional.of(new ValuePath(List.of(text.split("\\.", -1))))
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
