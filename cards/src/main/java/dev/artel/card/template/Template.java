package dev.artel.card.template;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.placement.SecretUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Consumer;

/// A value with references in it. One that is nothing but a reference has the value, of whatever type; one inside a text becomes text: a text
/// as it is, anything else as JSON.
public sealed interface Template {
    /// The root of references to secrets.
    String SECRET = "secret";

    /// The value.
    ///
    /// @throws UnresolvedTemplate if something that it refers to is not there
    /// @throws TooLargeExpansion if its references come to more than there is room for
    default JsonValue in(TemplateScope scope) {
        return in(scope, new Expansion());
    }

    /// The value, as one of those that `expansion` counts together.
    ///
    /// @throws UnresolvedTemplate if something that it refers to is not there
    /// @throws TooLargeExpansion if the references come to more than there is room for
    JsonValue in(TemplateScope scope, Expansion expansion);

    /// Gives all that it refers to.
    void forEachPath(Consumer<ValuePath> path);

    /// Gives the names of all secrets that it names.
    default void forEachSecret(Consumer<String> name) {
        // most have none
    }

    /// Where the value that this is in `scope` has references to secrets, in order.
    ///
    /// @throws UnresolvedTemplate if something that it refers to is not there
    default List<SecretUse> secretsIn(TemplateScope scope) {
        return SecretPlaces.of(this, scope);
    }

    /// The first `most` characters of the text of it. What stands behind them is not looked at.
    ///
    /// @throws UnresolvedTemplate if something that it refers to is not there
    /// @throws TooLargeExpansion if it is a list or an object whose references come to more than there is room for
    default String textIn(TemplateScope scope, int most) {
        var text = new BoundedText(most);
        if (this instanceof Text(var parts)) {
            var expansion = new Expansion();
            for (var part : parts) {
                if (text.length() < most) {
                    text.append(Text.part(part, scope, expansion));
                }
            }
        } else {
            text.append(in(scope));
        }
        return text.toString();
    }

    /// The first `most` characters of `value` as JSON.
    static String json(JsonValue value, int most) {
        var text = new BoundedText(most);
        text.json(value);
        return text.toString();
    }

    /// A value without references.
    record Constant(JsonValue value) implements Template {
        @Override
        public JsonValue in(TemplateScope scope, Expansion expansion) {
            return value;
        }

        @Override
        public void forEachPath(Consumer<ValuePath> path) {
            // there are none
        }
    }

    /// A reference alone.
    ///
    /// @param isLenient whether it stays as it is where there is no value
    record Reference(ValuePath path, boolean isLenient) implements Template {
        @Override
        public JsonValue in(TemplateScope scope, Expansion expansion) {
            return expansion.counted(value(scope));
        }

        private JsonValue value(TemplateScope scope) {
            try {
                return path.in(scope);
            } catch (UnresolvedTemplate missing) {
                if (isLenient) {
                    return new JsonString("${" + path + "}");
                }
                throw missing;
            }
        }

        @Override
        public void forEachPath(Consumer<ValuePath> consumer) {
            consumer.accept(path);
        }
    }

    /// A secret, by its name. Its value never is in a process: what stands in its place is a reference, `secret://NAME`.
    record SecretName(String name) implements Template {
        @Override
        public JsonValue in(TemplateScope scope, Expansion expansion) {
            return new JsonString(SecretUse.reference(name));
        }

        @Override
        public void forEachPath(Consumer<ValuePath> path) {
            // it is no value of the process
        }

        @Override
        public void forEachSecret(Consumer<String> consumer) {
            consumer.accept(name);
        }
    }

    /// A text with references.
    record Text(List<Template> parts) implements Template {
        /// Copies `parts`.
        public Text {
            parts = List.copyOf(parts);
        }

        @Override
        public JsonValue in(TemplateScope scope, Expansion expansion) {
            return expansion.text(parts, scope);
        }

        /// The value of a part, of which as much is written as there is room for.
        static JsonValue part(Template part, TemplateScope scope, Expansion expansion) {
            return part instanceof Reference reference
                    ? reference.value(scope)
                    : part.in(scope, expansion);
        }

        @Override
        public void forEachPath(Consumer<ValuePath> path) {
            parts.forEach(part -> part.forEachPath(path));
        }

        @Override
        public void forEachSecret(Consumer<String> name) {
            parts.forEach(part -> part.forEachSecret(name));
        }
    }

    /// A list.
    record Items(List<Template> items) implements Template {
        /// Copies `items`.
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public JsonValue in(TemplateScope scope, Expansion expansion) {
            return new JsonArray(items.stream().map(item -> item.in(scope, expansion)).toList());
        }

        @Override
        public void forEachPath(Consumer<ValuePath> path) {
            items.forEach(item -> item.forEachPath(path));
        }

        @Override
        public void forEachSecret(Consumer<String> name) {
            items.forEach(item -> item.forEachSecret(name));
        }
    }

    /// An object.
    record Members(SequencedMap<String, Template> members) implements Template {
        /// No members.
        public static final Members NONE = new Members(new LinkedHashMap<>());

        /// Copies `members`.
        public Members {
            members = java.util.Collections.unmodifiableSequencedMap(new LinkedHashMap<>(members));
        }

        @Override
        public JsonObject in(TemplateScope scope, Expansion expansion) {
            var object = JsonObject.builder();
            members.forEach((name, member) -> object.put(name, member.in(scope, expansion)));
            return object.build();
        }

        @Override
        public void forEachPath(Consumer<ValuePath> path) {
            members.values().forEach(member -> member.forEachPath(path));
        }

        @Override
        public void forEachSecret(Consumer<String> name) {
            members.values().forEach(member -> member.forEachSecret(name));
        }
    }

    /// The template that `text` is.
    ///
    /// @param isLenient whether references stay as they are where there is no value
    /// @throws IllegalArgumentException if a reference is not well formed, with all that is wrong
    static Template ofText(String text, boolean isLenient) {
        var parts = new ArrayList<Template>();
        var from = 0;
        for (var begin = text.indexOf("${"); begin >= 0; begin = text.indexOf("${", from)) {
            var end = text.indexOf('}', begin);
            if (end < 0) {
                throw new IllegalArgumentException(
                        "'" + text.substring(begin) + "' has no closing '}'");
            }
            var inner = text.substring(begin + 2, end);
            var path = ValuePath.of(inner);
            if (path.isEmpty()) {
                throw new IllegalArgumentException(TemplateSyntax.refusal(text, begin, inner));
            }
            if (begin > from) {
                parts.add(new Constant(new JsonString(text.substring(from, begin))));
            }
            parts.add(
                    path.get().root().equals(SECRET)
                            ? secret(path.get())
                            : new Reference(path.get(), isLenient));
            from = end + 1;
        }
        TemplateSyntax.refuseOthers(text);
        if (parts.isEmpty()) {
            return new Constant(new JsonString(text));
        }
        if (parts.size() == 1 && from == text.length()) {
            return parts.getFirst();
        }
        if (from < text.length()) {
            parts.add(new Constant(new JsonString(text.substring(from))));
        }
        return new Text(parts);
    }

    private static Template secret(ValuePath path) {
        if (path.names().size() != 2 || !SecretUse.isName(path.names().getLast())) {
            throw new IllegalArgumentException(
                    "'${"
                            + path
                            + "}' names no secret; write ${secret.NAME}, with letters, digits, '-' and '_'");
        }
        return new SecretName(path.names().getLast());
    }

    /// The value null.
    static Template ofNull() {
        return new Constant(JsonNull.NULL);
    }
}
