package dev.artel.expression;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The one comparison of the simple syntax. What is missing, and what cannot be compared, makes it false.
///
/// @param area `initial_data`, `state_history` or another one
/// @param values what the field is compared with, as CEL; a quoted number may be meant as a text or as a number
record Comparison(String area, String field, String operator, List<String> values) {
    private static final Pattern SYNTAX =
            Pattern.compile("context\\.(\\w+)\\.(\\w+)\\s*(>=|<=|==|!=|>|<)\\s*(.+)");
    private static final Pattern NUMBER = Pattern.compile("[-+]?(\\d+)(\\.\\d+)?([eE][-+]?\\d+)?");
    private static final Pattern QUOTED = Pattern.compile("'([^'\\\\]*)'|\"([^\"\\\\]*)\"");
    private static final Pattern WORDS =
            Pattern.compile("[\\p{L}\\p{N}_.:/@+-]([\\p{L}\\p{N}_.:/@+ -]*[\\p{L}\\p{N}_.:/@+-])?");
    private static final Pattern JOINED = Pattern.compile("(?i).*\\b(and|or|not|in)\\b.*");

    /// The comparison that `text` is; empty if it is none, and may be CEL.
    ///
    /// @throws IllegalArgumentException if it joins comparisons by words
    static Optional<Comparison> of(String text) {
        var found = SYNTAX.matcher(text.strip());
        if (!found.matches()) {
            return Optional.empty();
        }
        var value = found.group(4).strip();
        if (JOINED.matcher(value).matches() && areWords(value.replaceAll("[<>=!]+", "x"))) {
            throw new IllegalArgumentException(
                    "it joins comparisons by words; write && and || (CEL), and texts in quotes");
        }
        return values(value)
                .map(values ->
                        new Comparison(found.group(1), found.group(2), found.group(3), values));
    }

    private static Optional<List<String>> values(String text) {
        var quoted = QUOTED.matcher(text);
        if (quoted.matches()) {
            var inner = quoted.group(1) == null ? quoted.group(2) : quoted.group(1);
            return Optional.of(
                    NUMBER.matcher(inner).matches()
                            ? List.of(literal(inner), number(inner))
                            : List.of(literal(inner)));
        }
        if (NUMBER.matcher(text).matches()) {
            return Optional.of(List.of(number(text)));
        }
        return switch (text) {
            case "true", "True" -> Optional.of(List.of("true"));
            case "false", "False" -> Optional.of(List.of("false"));
            case "null", "None" -> Optional.of(List.of("null"));
            default ->
                    areWords(text) && !text.startsWith("context.")
                            ? Optional.of(List.of(literal(text)))
                            : Optional.empty();
        };
    }

    /// Whether single blanks separate all that `text` has.
    private static boolean areWords(String text) {
        return WORDS.matcher(text).matches() && !text.contains("  ");
    }

    private static String number(String text) {
        var unsigned = text.startsWith("+") ? text.substring(1) : text;
        var isWhole = unsigned.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
        try {
            return isWhole
                    ? Long.toString(Long.parseLong(unsigned))
                    : Double.toString(Double.parseDouble(unsigned));
        } catch (NumberFormatException tooLarge) {
            return Double.toString(Double.parseDouble(unsigned));
        }
    }

    private static String literal(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /// The same in CEL: false where something is missing or cannot be compared.
    String inCel() {
        var there = "has(context." + area + ") && has(context." + area + "." + field + ")";
        var join = operator.equals("!=") ? " && " : " || ";
        var tests = values.stream().map(this::test).toList();
        return there + " && (" + String.join(join, tests) + ")";
    }

    private String test(String value) {
        var path = "context." + area + "." + field;
        var test = path + " " + operator + " " + value;
        return switch (operator) {
            case "==", "!=" -> test;
            default -> sameKind(path, value) + " && " + test;
        };
    }

    private static String sameKind(String path, String value) {
        if (value.startsWith("\"")) {
            return "type(" + path + ") == string";
        }
        return switch (value) {
            case "true", "false" -> "type(" + path + ") == bool";
            case "null" -> "false";
            default -> "(type(" + path + ") == int || type(" + path + ") == double)";
        };
    }
}
