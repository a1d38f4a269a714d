package dev.artel.card.condition;

import dev.artel.card.template.Template;
import dev.artel.card.template.ValuePath;
import dev.artel.json.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Writes a condition of a card in CEL.
///
/// `!` binds closest, then comparisons, `&&` and `||`. What stands alone holds if it is true. Numbers are compared as numbers, anything else is equal if its
/// text is; null is equal to nothing but null. An order of values of different types is an error.
public final class ConditionTranslator {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", ">", "<", ">=", "<=");
    private static final int DEEPEST = 50;

    /// How many references a text in quotes may have: each joins another value to all before it, as long as they may be.
    private static final int MOST_JOINED = 10;

    private final List<ConditionToken> tokens;
    private final Function<ValuePath, String> names;
    private final List<ValuePath> paths = new ArrayList<>();
    private int next;
    private int depth;

    private ConditionTranslator(List<ConditionToken> tokens, Function<ValuePath, String> names) {
        this.tokens = tokens;
        this.names = names;
    }

    /// A condition.
    ///
    /// @param cel in CEL
    /// @param paths all that it refers to
    public record Translated(String cel, List<ValuePath> paths) {
        /// Copies `paths`.
        public Translated {
            paths = List.copyOf(paths);
        }
    }

    /// The condition `text`.
    ///
    /// @param names how CEL calls a value
    /// @throws IllegalArgumentException if it is none
    public static Translated translate(String text, Function<ValuePath, String> names) {
        var translator = new ConditionTranslator(ConditionTokens.of(text), names);
        var cel = translator.disjunction().condition();
        translator.end();
        return new Translated(cel, translator.paths);
    }

    /// A part in CEL.
    ///
    /// @param isCondition whether it gives true or false by itself
    /// @param alternatives what it may be equal to: a number in quotes may be meant as a text or as a number
    private record Part(String cel, boolean isCondition, List<String> alternatives) {
        static Part condition(String cel) {
            return new Part(cel, true, List.of(cel));
        }

        static Part value(String cel) {
            return new Part(cel, false, List.of(cel));
        }

        String condition() {
            return isCondition ? cel : "(" + cel + " == true)";
        }
    }

    private Part disjunction() {
        return joined("||", this::conjunction);
    }

    private Part conjunction() {
        return joined("&&", this::comparison);
    }

    private Part joined(String sign, java.util.function.Supplier<Part> part) {
        var first = part.get();
        if (!isSign(sign)) {
            return first;
        }
        var all = new ArrayList<String>();
        all.add(first.condition());
        while (takes(sign)) {
            all.add(part.get().condition());
        }
        return Part.condition("(" + String.join(" " + sign + " ", all) + ")");
    }

    private Part comparison() {
        var left = unary();
        if (!(peek() instanceof ConditionToken.Sign(var sign, int _))
                || !COMPARISONS.contains(sign)) {
            return left;
        }
        next++;
        var right = unary();
        if (peek() instanceof ConditionToken.Sign(var again, int at)
                && COMPARISONS.contains(again)) {
            throw wrong("comparisons are joined by && or ||", at);
        }
        var join = sign.equals("!=") ? " && " : " || ";
        var tests =
                left.alternatives().stream()
                        .flatMap(one ->
                                right.alternatives().stream()
                                        .map(other -> one + " " + sign + " " + other))
                        .toList();
        return Part.condition(
                "("
                        + (sign.equals("==") || sign.equals("!=")
                                ? String.join(join, tests)
                                : left.cel() + " " + sign + " " + right.cel())
                        + ")");
    }

    private Part unary() {
        if (takes("!")) {
            deeper();
            var negated = Part.condition("!" + unary().condition());
            depth--;
            return negated;
        }
        var token = tokens.get(next);
        next++;
        return switch (token) {
            case ConditionToken.Sign(var sign, int at) -> {
                if (!sign.equals("(")) {
                    throw wrong("a value is expected, found '" + sign + "'", at);
                }
                deeper();
                var inner = disjunction();
                depth--;
                if (!takes(")")) {
                    throw wrong("'(' has no ')'", at);
                }
                yield inner;
            }
            case ConditionToken.Value(var path, int _) -> Part.value(name(path));
            case ConditionToken.Numeral(var text, int _) -> Part.value(text);
            case ConditionToken.Quoted(var text, int _) -> quoted(text);
            case ConditionToken.Word(var word, int at) -> word(word, at);
            case ConditionToken.End(int at) -> throw wrong("a value is missing at the end", at);
        };
    }

    private Part word(String word, int at) {
        return switch (word) {
            case "true", "false" -> Part.condition(word);
            case "null" -> Part.value("null");
            case "and", "or", "not" ->
                    throw wrong(
                            "write "
                                    + (word.equals("and") ? "&&" : word.equals("or") ? "||" : "!")
                                    + " for '"
                                    + word
                                    + "'",
                            at);
            case "True", "False", "None" ->
                    throw wrong(
                            "write "
                                    + (word.equals("None")
                                            ? "null"
                                            : word.toLowerCase(java.util.Locale.ROOT))
                                    + " for '"
                                    + word
                                    + "'",
                            at);
            default ->
                    throw wrong(
                            "'"
                                    + word
                                    + "' is neither a reference nor a text; write ${"
                                    + word
                                    + "} or '"
                                    + word
                                    + "'",
                            at);
        };
    }

    private Part quoted(String text) {
        var template = Template.ofText(text, false);
        template.forEachSecret(name -> {
            throw new IllegalArgumentException(
                    "${secret." + name + "} is a secret, which no condition can read");
        });
        var before = paths.size();
        template.forEachPath(paths::add);
        if (paths.size() - before > MOST_JOINED) {
            throw new IllegalArgumentException(
                    "a text of a condition has at most "
                            + MOST_JOINED
                            + " references, and one has "
                            + (paths.size() - before));
        }
        return switch (template) {
            case Template.Reference(var path, boolean _) ->
                    Part.value("string(" + names.apply(path) + ")");
            case Template.Text(var parts) ->
                    Part.value(
                            "("
                                    + parts.stream()
                                            .map(this::text)
                                            .collect(Collectors.joining(" + "))
                                    + ")");
            case Template.Constant _, Template.Items _, Template.Members _, Template.SecretName _ ->
                    text.matches("-?\\d+(\\.\\d+)?")
                            ? new Part(literal(text), false, List.of(literal(text), text))
                            : Part.value(literal(text));
        };
    }

    private String text(Template part) {
        return switch (part) {
            case Template.Reference(var path, boolean _) -> "string(" + names.apply(path) + ")";
            case Template.Constant(JsonString(var text)) -> literal(text);
            default -> throw new IllegalStateException("a text has references and texts");
        };
    }

    private String name(ValuePath path) {
        paths.add(path);
        return names.apply(path);
    }

    /// `text` as a literal of CEL.
    public static String literal(String text) {
        var literal = new StringBuilder("\"");
        text.chars()
                .forEach(letter -> {
                    switch (letter) {
                        case '"' -> literal.append("\\\"");
                        case '\\' -> literal.append("\\\\");
                        case '\n' -> literal.append("\\n");
                        case '\r' -> literal.append("\\r");
                        default -> literal.append((char) letter);
                    }
                });
        return literal.append('"').toString();
    }

    private void deeper() {
        depth++;
        if (depth > DEEPEST) {
            throw wrong("it is nested too deep", tokens.get(next).at());
        }
    }

    private ConditionToken peek() {
        return tokens.get(next);
    }

    private boolean isSign(String sign) {
        return peek() instanceof ConditionToken.Sign(var found, int _) && found.equals(sign);
    }

    private boolean takes(String sign) {
        var takes = isSign(sign);
        if (takes) {
            next++;
        }
        return takes;
    }

    private void end() {
        switch (peek()) {
            case ConditionToken.End _ -> {}
            case ConditionToken.Word(var word, int at) -> {
                var _ = word(word, at);
                throw wrong("an operator is expected before '" + word + "'", at);
            }
            case ConditionToken.Sign(var sign, int at) ->
                    throw wrong("'" + sign + "' is too much", at);
            case ConditionToken.Value _, ConditionToken.Quoted _, ConditionToken.Numeral _ ->
                    throw wrong("an operator is missing between two values", peek().at());
        }
    }

    private static IllegalArgumentException wrong(String what, int at) {
        return new IllegalArgumentException(what + " (at character " + (at + 1) + ")");
    }
}
