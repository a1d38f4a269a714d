package dev.artel.card.read;

import dev.artel.card.template.Template;
import dev.artel.card.yaml.TextPosition;
import dev.artel.card.yaml.YamlNode;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A mapping of a card whose members are read one by one; what is not of the right type is reported and counts as absent. [#end] reports the members that were not read.
final class CardFields {
    private static final int LONGEST_PLACE = 500;
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final YamlNode.Mapping node;
    private final String path;
    private final CardProblems problems;
    private final boolean isLenient;
    private final SequencedSet<String> known = new LinkedHashSet<>();

    /// @param isLenient whether references to values that are not there stay as they are
    CardFields(YamlNode.Mapping node, String path, CardProblems problems, boolean isLenient) {
        this.node = node;
        this.path = path;
        this.problems = problems;
        this.isLenient = isLenient;
    }

    TextPosition at() {
        return node.at();
    }

    String path() {
        return path;
    }

    String path(String name) {
        return path.isEmpty() || name.isEmpty() ? path + name : inside(path, "." + name);
    }

    /// A place within `path`, for people: one that is long already gets no longer, since names may be long and there may be many inside
    /// each other.
    private static String inside(String path, String name) {
        return path.length() > LONGEST_PLACE ? path : path + name;
    }

    boolean isLenient() {
        return isLenient;
    }

    CardFields lenient(boolean other) {
        var fields = new CardFields(node, path, problems, other);
        fields.known.addAll(known);
        return fields;
    }

    CardFields at(String otherPath) {
        return new CardFields(node, otherPath, problems, isLenient);
    }

    void error(String name, String message) {
        problems.error(at(name, node.at()), path(name), message);
    }

    void warning(String name, String message) {
        problems.warning(at(name, node.at()), path(name), message);
    }

    private TextPosition at(String name, TextPosition otherwise) {
        var member = node.members().get(name);
        return member == null ? otherwise : member.value().at();
    }

    boolean has(String name) {
        return node.members().containsKey(name);
    }

    /// The value `name`, which is known from now on; null counts as absent.
    Optional<YamlNode> node(String name) {
        known.add(name);
        return node.get(name)
                .filter(value -> !(value instanceof YamlNode.Scalar(var _, JsonNull _, var _)));
    }

    /// The first of `names` that is there: several are names of the same thing.
    String alias(String... names) {
        known.addAll(List.of(names));
        return Stream.of(names).filter(this::has).findFirst().orElse(names[0]);
    }

    private void wrongType(String name, YamlNode found, String expected) {
        problems.error(found.at(), path(name), "it must be " + expected + ", was " + found.kind());
    }

    /// A text; a number or a truth value without quotes is one as it is written.
    Optional<String> text(String name) {
        return node(name)
                .flatMap(value -> {
                    if (value instanceof YamlNode.Scalar scalar) {
                        return Optional.of(scalar.text());
                    }
                    wrongType(name, value, "a text");
                    return Optional.empty();
                });
    }

    /// A text that has to be there and have something in it.
    Optional<String> required(String name, String what) {
        var found = node(name);
        if (found.isEmpty()) {
            problems.error(node.at(), path, "'" + name + "' is missing: " + what);
            return Optional.empty();
        }
        var text = text(name);
        if (text.filter(String::isBlank).isPresent()) {
            error(name, "it is blank; it is " + what);
            return Optional.empty();
        }
        return text;
    }

    Optional<Boolean> flag(String name) {
        return node(name)
                .flatMap(value -> {
                    if (value instanceof YamlNode.Scalar(var _, JsonBoolean literal, var _)) {
                        return Optional.of(literal.value());
                    }
                    wrongType(name, value, "true or false");
                    return Optional.empty();
                });
    }

    OptionalInt integer(String name, int least, int most) {
        var value = node(name);
        if (value.isEmpty()) {
            return OptionalInt.empty();
        }
        if (value.get() instanceof YamlNode.Scalar(var _, JsonNumber number, var _)
                && number.isLong()
                && number.asLong() >= least
                && number.asLong() <= most) {
            return OptionalInt.of((int) number.asLong());
        }
        wrongType(name, value.get(), "a whole number from " + least + " to " + most);
        return OptionalInt.empty();
    }

    OptionalDouble number(String name, double least, double most) {
        var value = node(name);
        if (value.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (value.get() instanceof YamlNode.Scalar(var _, JsonNumber number, var _)
                && number.asDouble() >= least
                && number.asDouble() <= most) {
            return OptionalDouble.of(number.asDouble());
        }
        wrongType(name, value.get(), "a number from " + least + " to " + most);
        return OptionalDouble.empty();
    }

    /// A time: a number of seconds, or a text such as `1h30m`.
    Optional<Duration> duration(String name) {
        return node(name)
                .flatMap(value -> {
                    var time =
                            switch (value) {
                                case YamlNode.Scalar(var _, JsonNumber number, var _) ->
                                        Optional.of(CardDurations.ofSeconds(number.asDouble()));
                                case YamlNode.Scalar(var _, JsonString(var text), var _) ->
                                        CardDurations.read(text);
                                default -> Optional.<Duration>empty();
                            };
                    if (time.isEmpty()
                            || !time.get().isPositive()
                            || time.get().compareTo(LONGEST) > 0) {
                        wrongType(
                                name,
                                value,
                                "a time: seconds, or a text such as 500ms, 5s, 10m, 1h30m or 7d, up to 36500 days");
                        return Optional.empty();
                    }
                    return time;
                });
    }

    <E extends Enum<E>> Optional<E> word(String name, Class<E> type) {
        return text(name)
                .flatMap(text -> {
                    var words =
                            Stream.of(type.getEnumConstants())
                                    .map(each -> each.name().toLowerCase(Locale.ROOT))
                                    .toList();
                    if (words.contains(text)) {
                        return Optional.of(Enum.valueOf(type, text.toUpperCase(Locale.ROOT)));
                    }
                    error(
                            name,
                            "it must be one of "
                                    + String.join(", ", words)
                                    + ", was '"
                                    + text
                                    + "'");
                    return Optional.empty();
                });
    }

    Optional<CardFields> object(String name) {
        return node(name)
                .flatMap(value -> {
                    if (value instanceof YamlNode.Mapping mapping) {
                        return Optional.of(
                                new CardFields(mapping, path(name), problems, isLenient));
                    }
                    wrongType(name, value, "a mapping");
                    return Optional.empty();
                });
    }

    Optional<List<YamlNode>> list(String name) {
        return node(name)
                .flatMap(value -> {
                    if (value instanceof YamlNode.Sequence(var _, var items)) {
                        return Optional.of(items);
                    }
                    wrongType(name, value, "a list");
                    return Optional.empty();
                });
    }

    /// The value `name`, which is there.
    JsonValue json(String name) {
        return node.get(name).map(YamlNode::json).orElse(JsonNull.NULL);
    }

    /// The names of its members.
    List<String> names() {
        return List.copyOf(node.members().sequencedKeySet());
    }

    /// The mappings of a list.
    List<CardFields> objects(String name) {
        return items(list(name).orElse(List.of()), path(name));
    }

    /// The mappings of `sequence`.
    List<CardFields> items(YamlNode sequence, String place) {
        return items(
                sequence instanceof YamlNode.Sequence(var _, var items) ? items : List.of(), place);
    }

    private List<CardFields> items(List<YamlNode> found, String list) {
        return IntStream.range(0, found.size())
                .boxed()
                .flatMap(i -> {
                    var place = inside(list, "[" + i + "]");
                    if (found.get(i) instanceof YamlNode.Mapping mapping) {
                        return Stream.of(new CardFields(mapping, place, problems, isLenient));
                    }
                    problems.error(
                            found.get(i).at(),
                            place,
                            "it must be a mapping, was " + found.get(i).kind());
                    return Stream.empty();
                })
                .toList();
    }

    /// The texts of a list.
    List<YamlNode.Scalar> texts(String name) {
        return list(name).orElse(List.of()).stream()
                .flatMap(item -> {
                    if (item instanceof YamlNode.Scalar scalar
                            && scalar.json() instanceof JsonString) {
                        return Stream.of(scalar);
                    }
                    wrongType(name, item, "a list of texts");
                    return Stream.empty();
                })
                .toList();
    }

    /// A value with references.
    Optional<Template> template(String name) {
        known.add(name);
        return node.get(name).map(value -> template(value, path(name)));
    }

    /// A mapping of which each value may have references.
    Template.Members templates(String name) {
        return object(name).map(CardFields::members).orElse(Template.Members.NONE);
    }

    private Template.Members members() {
        var members = new LinkedHashMap<String, Template>();
        node.members()
                .forEach((name, member) -> members.put(name, template(member.value(), path(name))));
        return new Template.Members(members);
    }

    private Template template(YamlNode value, String place) {
        return switch (value) {
            case YamlNode.Mapping mapping ->
                    new CardFields(mapping, place, problems, isLenient).members();
            case YamlNode.Sequence(var _, var items) ->
                    new Template.Items(
                            IntStream.range(0, items.size())
                                    .mapToObj(i ->
                                            template(items.get(i), inside(place, "[" + i + "]")))
                                    .toList());
            case YamlNode.Scalar(var at, JsonString(var text), var _) -> {
                if (text.contains("secret://")) {
                    problems.warning(
                            at,
                            place,
                            "'secret://' is sent as it is written; a secret is named by ${secret.NAME}",
                            Optional.empty());
                }
                try {
                    yield Template.ofText(text, isLenient);
                } catch (IllegalArgumentException wrong) {
                    problems.error(at, place, String.valueOf(wrong.getMessage()));
                    yield Template.ofNull();
                }
            }
            case YamlNode.Scalar scalar -> new Template.Constant(scalar.json());
        };
    }

    /// Members that are of no interest here.
    void ignore(String... names) {
        known.addAll(List.of(names));
    }

    /// Members that mean something which is not done.
    void hasNoEffect(String... names) {
        ignore(names);
        for (var name : names) {
            if (has(name)) {
                warning(name, "the key '" + name + "' has no effect here");
            }
        }
    }

    /// Reports the members that were not read.
    void end() {
        node.members()
                .forEach((name, member) -> {
                    if (!known.contains(name)) {
                        var near = problems.nearest(name, known);
                        problems.warning(
                                member.at(),
                                path(name),
                                "the key '"
                                        + name
                                        + "' is not known and has no effect; "
                                        + near.map(each -> "did you mean '" + each + "'?")
                                                .orElseGet(() ->
                                                        "there are "
                                                                + known.stream()
                                                                        .sorted()
                                                                        .collect(
                                                                                Collectors.joining(
                                                                                        ", "))),
                                near);
                    }
                });
    }
}
