package dev.artel.card.condition;

import dev.artel.card.template.ValuePath;
import java.util.ArrayList;
import java.util.List;

/// Cuts a condition into its parts.
final class ConditionTokens {
    private static final List<String> SIGNS =
            List.of("==", "!=", ">=", "<=", "&&", "||", ">", "<", "!", "(", ")");

    /// How many parts a condition may have: the time to compile it grows with their square, and 2,000 take ten seconds.
    private static final int MOST = 500;

    private final String text;
    private final List<ConditionToken> tokens = new ArrayList<>();
    private int at;

    private ConditionTokens(String text) {
        this.text = text;
    }

    /// The parts of `text`, the last of which is its end.
    ///
    /// @throws IllegalArgumentException if there is something that no condition has
    static List<ConditionToken> of(String text) {
        var cut = new ConditionTokens(text);
        cut.cut();
        return cut.tokens;
    }

    private void cut() {
        while (at < text.length()) {
            if (tokens.size() == MOST) {
                throw wrong(
                        "the condition has more than "
                                + MOST
                                + " parts; divide it among several steps");
            }
            var letter = text.charAt(at);
            if (Character.isWhitespace(letter)) {
                at++;
            } else if (text.startsWith("${", at)) {
                reference();
            } else if (letter == '\'' || letter == '"') {
                quoted(letter);
            } else if (Character.isDigit(letter)
                    || (letter == '-'
                            && at + 1 < text.length()
                            && Character.isDigit(text.charAt(at + 1)))) {
                number();
            } else if (Character.isLetter(letter) || letter == '_') {
                word();
            } else {
                sign();
            }
        }
        tokens.add(new ConditionToken.End(at));
    }

    private void reference() {
        var end = text.indexOf('}', at);
        if (end < 0) {
            throw wrong("'" + text.substring(at) + "' has no closing '}'");
        }
        var inner = text.substring(at + 2, end);
        var path =
                ValuePath.of(inner)
                        .orElseThrow(() ->
                                wrong(
                                        ValuePath.tooManyNames(inner)
                                                .map(tooMany -> "a reference to " + tooMany)
                                                .orElse(
                                                        "'${"
                                                                + inner
                                                                + "}' is no reference; write ${name} or ${name.member}")));
        tokens.add(new ConditionToken.Value(path, at));
        at = end + 1;
    }

    private void quoted(char quote) {
        var end = text.indexOf(quote, at + 1);
        if (end < 0) {
            throw wrong("the text that begins with " + quote + " has no end");
        }
        tokens.add(new ConditionToken.Quoted(text.substring(at + 1, end), at));
        at = end + 1;
    }

    private void number() {
        var end = at + 1;
        while (end < text.length()
                && (Character.isDigit(text.charAt(end)) || text.charAt(end) == '.')) {
            end++;
        }
        var number = text.substring(at, end);
        if (!number.matches("-?\\d+(\\.\\d+)?")) {
            throw wrong("'" + number + "' is no number");
        }
        tokens.add(new ConditionToken.Numeral(number, at));
        at = end;
    }

    private void word() {
        var end = at + 1;
        while (end < text.length()
                && (Character.isLetterOrDigit(text.charAt(end))
                        || "_.".indexOf(text.charAt(end)) >= 0)) {
            end++;
        }
        tokens.add(new ConditionToken.Word(text.substring(at, end), at));
        at = end;
    }

    private void sign() {
        var sign = SIGNS.stream().filter(each -> text.startsWith(each, at)).findFirst();
        if (sign.isEmpty()) {
            throw wrong(
                    text.startsWith("{{", at)
                            ? "'{{ ... }}' is the notation of another system; write ${name.member}"
                            : "'"
                                    + text.charAt(at)
                                    + "' has no meaning in a condition; there are "
                                    + String.join(" ", SIGNS));
        }
        tokens.add(new ConditionToken.Sign(sign.get(), at));
        at += sign.get().length();
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what + " (at character " + (at + 1) + ")");
    }
}
