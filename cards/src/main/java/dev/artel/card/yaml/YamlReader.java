package dev.artel.card.yaml;

import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/// Reads one document of YAML 1.2, in which JSON is contained: plain values alone, never Java objects. Anchors are allowed as long as they do not make the
/// text much larger than it is.
public final class YamlReader {
    /// The longest text, in characters.
    public static final int LONGEST_TEXT = 2 << 20;

    /// The most values of a text, those of repeated anchors included.
    public static final int MOST_VALUES = 100_000;

    /// The most nodes of a text before anchors are repeated: a value may have a key.
    public static final int MOST_NODES = 2 * MOST_VALUES;

    /// The most characters of the values and keys of a text, those of repeated anchors included.
    public static final int MOST_CHARACTERS = 2 * LONGEST_TEXT;

    /// How deep values may be nested.
    public static final int DEEPEST = 100;

    /// How many characters a number may have, as in JSON; reading one of a million takes minutes.
    public static final int LONGEST_NUMBER = 1000;

    /// No more problems are reported.
    private static final int MOST_PROBLEMS = 200;

    private final List<YamlProblem> problems = new ArrayList<>();
    private int values;
    private int characters;

    private YamlReader() {}

    /// Reads `text`.
    public static YamlTree read(String text) {
        var reader = new YamlReader();
        var root = reader.root(text);
        return new YamlTree(root, reader.problems);
    }

    private Optional<YamlNode> root(String text) {
        if (text.length() > LONGEST_TEXT) {
            problem(
                    TextPosition.START,
                    "the text has " + text.length() + " characters; the most is " + LONGEST_TEXT);
            return Optional.empty();
        }
        try {
            var settings =
                    LoadSettings.builder()
                            .setSchema(new CoreSchema())
                            .setCodePointLimit(LONGEST_TEXT)
                            .setMaxAliasesForCollections(1_000)
                            .build();
            var events = new ParserImpl(settings, new StreamReader(settings, text));
            var composed = new Composer(settings, new Counted(events)).getSingleNode();
            return composed.flatMap(node -> node(node, 0));
        } catch (MarkedYamlEngineException broken) {
            problem(
                    broken.getProblemMark().map(YamlReader::position).orElse(TextPosition.START),
                    "this is no YAML: "
                            + (broken.getContext() == null || broken.getContext().isEmpty()
                                    ? ""
                                    : broken.getContext() + ", ")
                            + broken.getProblem());
        } catch (YamlEngineException refused) {
            problem(TextPosition.START, "this YAML is refused: " + refused.getMessage());
        } catch (StackOverflowError deep) {
            problem(TextPosition.START, "values are nested too deep; the most is " + DEEPEST);
        } catch (TooMuch much) {
            problems.add(new YamlProblem(much.at, much.what));
        }
        return Optional.empty();
    }

    /// Reading further would take too much.
    private static final class TooMuch extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient TextPosition at;
        private final String what;

        TooMuch(TextPosition at, String what) {
            super(what, null, false, false);
            this.at = at;
            this.what = what;
        }
    }

    /// Events of a text before anything is made of them, up to a bound: each may be two characters long, and becomes a node of hundreds of bytes.
    private static final class Counted implements Parser {
        private final Parser events;
        private int nodes;
        private int open;

        Counted(Parser events) {
            this.events = events;
        }

        @Override
        public boolean checkEvent(Event.ID choice) {
            return events.checkEvent(choice);
        }

        @Override
        public Event peekEvent() {
            return events.peekEvent();
        }

        @Override
        public boolean hasNext() {
            return events.hasNext();
        }

        @Override
        public Event next() {
            var event = events.next();
            switch (event.getEventId()) {
                case Scalar, Alias -> node(event);
                case SequenceStart, MappingStart -> {
                    node(event);
                    open++;
                }
                case SequenceEnd, MappingEnd -> open--;
                default -> {
                    // no node begins or ends
                }
            }
            return event;
        }

        private void node(Event event) {
            nodes++;
            if (open > DEEPEST) {
                throw tooDeep(position(event));
            }
            if (nodes > MOST_NODES) {
                throw tooMany(position(event));
            }
        }

        private static TextPosition position(Event event) {
            return event.getStartMark().map(YamlReader::position).orElse(TextPosition.START);
        }
    }

    private static TooMuch tooDeep(TextPosition at) {
        return new TooMuch(at, "values are nested too deep; the most is " + DEEPEST);
    }

    private static TooMuch tooMany(TextPosition at) {
        return new TooMuch(
                at,
                "the text has more than "
                        + MOST_VALUES
                        + " values, those of repeated anchors included");
    }

    /// Further ones are not kept: each key that is there twice is one.
    private void problem(TextPosition at, String message) {
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(new YamlProblem(at, message));
        }
    }

    private static TextPosition position(Mark mark) {
        return new TextPosition(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private static TextPosition position(Node node) {
        return node.getStartMark().map(YamlReader::position).orElse(TextPosition.START);
    }

    private Optional<YamlNode> node(Node node, int depth) {
        var at = position(node);
        if (node.isRecursive()) {
            problem(at, "an anchor contains itself; write the value out");
            return Optional.empty();
        }
        if (depth > DEEPEST) {
            throw tooDeep(at);
        }
        values++;
        if (values > MOST_VALUES) {
            throw tooMany(at);
        }
        return switch (node) {
            case MappingNode mapping -> Optional.of(mapping(mapping, at, depth));
            case SequenceNode sequence ->
                    Optional.of(
                            new YamlNode.Sequence(
                                    at,
                                    sequence.getValue().stream()
                                            .flatMap(item -> node(item, depth + 1).stream())
                                            .toList()));
            case ScalarNode scalar -> scalar(scalar, at);
            default -> {
                problem(at, "this YAML is not understood: " + node.getNodeType());
                yield Optional.empty();
            }
        };
    }

    private YamlNode.Mapping mapping(MappingNode mapping, TextPosition at, int depth) {
        var members = new LinkedHashMap<String, YamlNode.Member>();
        for (var tuple : mapping.getValue()) {
            var keyAt = position(tuple.getKeyNode());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                problem(keyAt, "a key is a text, and here it is a mapping or a list");
                continue;
            }
            var name = key.getValue();
            count(name, keyAt);
            if (name.equals("<<")) {
                problem(
                        keyAt,
                        "merge keys ('<<') are not a part of YAML 1.2; write the members out");
                continue;
            }
            var before = members.get(name);
            if (before != null) {
                problem(
                        keyAt,
                        "the key '"
                                + name
                                + "' is there twice, first in line "
                                + before.at().line()
                                + "; remove one of the two");
                continue;
            }
            node(tuple.getValueNode(), depth + 1)
                    .ifPresent(value -> members.put(name, new YamlNode.Member(keyAt, value)));
        }
        return new YamlNode.Mapping(at, members);
    }

    private void count(String text, TextPosition at) {
        characters += text.length();
        if (characters > MOST_CHARACTERS) {
            throw new TooMuch(
                    at,
                    "its values have more than "
                            + MOST_CHARACTERS
                            + " characters, those of repeated anchors included");
        }
    }

    private Optional<YamlNode> scalar(ScalarNode scalar, TextPosition at) {
        var text = scalar.getValue();
        count(text, at);
        var tag = scalar.getTag();
        JsonValue value;
        if (tag.equals(Tag.STR)) {
            value = new JsonString(text);
        } else if (tag.equals(Tag.NULL)) {
            value = JsonNull.NULL;
        } else if (tag.equals(Tag.BOOL)) {
            value = JsonBoolean.valueOf(text.toUpperCase(Locale.ROOT));
        } else if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
            if (text.length() > LONGEST_NUMBER) {
                problem(
                        at,
                        "a number has at most "
                                + LONGEST_NUMBER
                                + " characters, and this one has "
                                + text.length()
                                + "; put it in quotes");
                return Optional.empty();
            }
            var number = number(text);
            if (number.isEmpty()) {
                problem(at, "'" + text + "' is no number that JSON has; put it in quotes");
                return Optional.empty();
            }
            value = number.get();
        } else {
            problem(
                    at,
                    "the tag '"
                            + tag.getValue()
                            + "' is not allowed: a card has plain values alone; remove it");
            value = new JsonString(text);
        }
        return Optional.of(new YamlNode.Scalar(at, value, text));
    }

    private static Optional<JsonNumber> number(String text) {
        try {
            if (text.startsWith("0x")) {
                return Optional.of(new JsonNumber(new BigInteger(text.substring(2), 16)));
            }
            if (text.startsWith("0o")) {
                return Optional.of(new JsonNumber(new BigInteger(text.substring(2), 8)));
            }
            return Optional.of(new JsonNumber(new BigDecimal(text)));
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }
}
