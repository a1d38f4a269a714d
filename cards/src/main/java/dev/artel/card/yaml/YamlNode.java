package dev.artel.card.yaml;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// A value of a YAML text, with its place.
public sealed interface YamlNode {
    /// Where it begins.
    TextPosition at();

    /// The value, without its place.
    JsonValue json();

    /// What it is, for people, with its article.
    String kind();

    /// Names and values, in the order of the text.
    record Mapping(TextPosition at, SequencedMap<String, Member> members) implements YamlNode {
        /// Copies `members`.
        public Mapping {
            members = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(members));
        }

        /// The value `name`.
        public Optional<YamlNode> get(String name) {
            return Optional.ofNullable(members.get(name)).map(Member::value);
        }

        @Override
        public JsonObject json() {
            var object = JsonObject.builder();
            members.forEach((name, member) -> object.put(name, member.value().json()));
            return object.build();
        }

        @Override
        public String kind() {
            return "a mapping";
        }
    }

    /// A value with its name.
    ///
    /// @param at where the name begins
    record Member(TextPosition at, YamlNode value) {}

    /// Values in their order.
    record Sequence(TextPosition at, List<YamlNode> items) implements YamlNode {
        /// Copies `items`.
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public JsonArray json() {
            return new JsonArray(items.stream().map(YamlNode::json).toList());
        }

        @Override
        public String kind() {
            return "a list";
        }
    }

    /// A value that has no parts.
    ///
    /// @param text as it was written, without quotes
    record Scalar(TextPosition at, JsonValue json, String text) implements YamlNode {
        @Override
        public String kind() {
            return switch (json) {
                case JsonString _ -> "the text '" + shortened(text) + "'";
                case JsonNumber _ -> "the number " + shortened(text);
                case JsonBoolean literal -> literal.toString();
                case JsonNull _ -> "null";
                case JsonObject _, JsonArray _ ->
                        throw new IllegalStateException("a scalar has no parts");
            };
        }

        private static String shortened(String text) {
            return text.length() <= 60 ? text : text.substring(0, 57) + "...";
        }
    }
}
