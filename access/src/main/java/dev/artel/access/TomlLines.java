package dev.artel.access;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/// On which line each table and each key of a TOML text begins. For texts that were read before without a mistake: the
/// parser of those returns what is in them, but not where.
final class TomlLines {
    /// By what leads to it: `acme.tokens[0].expires`.
    private final Map<String, Integer> lines = new HashMap<>();

    private final String text;
    private int at;
    private int line = 1;

    private TomlLines(String text) {
        this.text = text;
    }

    /// The lines of `text`.
    static TomlLines of(String text) {
        var lines = new TomlLines(text);
        lines.document();
        return lines;
    }

    /// The line of `path`, from 1, or of what is nearest above it; empty if nothing of it is in the text.
    OptionalInt lineOf(String path) {
        for (var end = path.length(); end > 0; end--) {
            var isWhole = end == path.length() || ".[".indexOf(path.charAt(end)) >= 0;
            var found = isWhole ? lines.get(path.substring(0, end)) : null;
            if (found != null) {
                return OptionalInt.of(found);
            }
        }
        return OptionalInt.empty();
    }

    private void document() {
        var table = "";
        for (skip(); at < text.length(); skip()) {
            if (text.charAt(at) == '[') {
                var brackets = text.startsWith("[[", at) ? 2 : 1;
                at += brackets;
                var begin = line;
                table = brackets == 1 ? key("") : element(key(""));
                lines.putIfAbsent(table, begin);
                skip();
                at += brackets;
            } else {
                member(table);
            }
        }
    }

    private String element(String array) {
        var i = 0;
        while (lines.containsKey(array + "[" + i + "]")) {
            i++;
        }
        return array + "[" + i + "]";
    }

    private void member(String of) {
        var name = key(of);
        at++; // the =
        skip();
        value(name);
    }

    /// Goes over a key with dots and the white space behind it.
    private String key(String of) {
        var path = of;
        while (true) {
            skip();
            var part = isQuote() ? string() : bare("=.]");
            path = path.isEmpty() ? part : path + "." + part;
            lines.putIfAbsent(path, line);
            skip();
            if (at >= text.length() || text.charAt(at) != '.') {
                return path;
            }
            at++;
        }
    }

    private void value(String path) {
        if (isQuote()) {
            var _ = string();
        } else if (at < text.length() && text.charAt(at) == '[') {
            at++;
            for (var i = 0; isBefore(']'); i++) {
                lines.putIfAbsent(path + "[" + i + "]", line);
                value(path + "[" + i + "]");
                comma();
            }
        } else if (at < text.length() && text.charAt(at) == '{') {
            at++;
            while (isBefore('}')) {
                member(path);
                comma();
            }
        } else {
            var _ = bare(",]}#");
        }
    }

    /// Whether there is more before `end`, which it goes over otherwise.
    private boolean isBefore(char end) {
        skip();
        if (at < text.length() && text.charAt(at) != end) {
            return true;
        }
        at++;
        return false;
    }

    private void comma() {
        skip();
        if (at < text.length() && text.charAt(at) == ',') {
            at++;
        }
    }

    /// Goes over white space, ends of lines and comments.
    private void skip() {
        while (at < text.length()) {
            var c = text.charAt(at);
            if (c == '#') {
                var end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (Character.isWhitespace(c)) {
                step();
            } else {
                return;
            }
        }
    }

    private void step() {
        if (text.charAt(at) == '\n') {
            line++;
        }
        at++;
    }

    private boolean isQuote() {
        return at < text.length() && (text.charAt(at) == '"' || text.charAt(at) == '\'');
    }

    /// Goes over a string.
    ///
    /// @return what is between its quotes, escapes and all
    private String string() {
        var quote = text.substring(at, at + 1);
        var end = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
        at += end.length();
        var begin = Math.min(at, text.length());
        while (at < text.length() && !text.startsWith(end, at)) {
            if (quote.equals("\"") && text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            step();
        }
        var content = text.substring(begin, Math.min(at, text.length()));
        at += end.length();
        // A string of many lines may end with two quotes of its own.
        while (end.length() == 3 && text.startsWith(quote, at)) {
            at++;
        }
        return content;
    }

    /// Goes over what is before one of `ends` or the end of the line, at least over one character.
    private String bare(String ends) {
        var begin = Math.min(at, text.length());
        do {
            at++;
        } while (at < text.length()
                && ends.indexOf(text.charAt(at)) < 0
                && text.charAt(at) != '\n');
        return text.substring(begin, Math.min(at, text.length())).strip();
    }
}
