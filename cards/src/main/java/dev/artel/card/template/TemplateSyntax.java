package dev.artel.card.template;

import java.util.regex.Pattern;

/// Recognises what is no reference and was meant as one.
final class TemplateSyntax {
    private static final Pattern JINJA = Pattern.compile("\\{\\{\\s*([\\w.\\-]+)[^}]*\\}\\}");

    private TemplateSyntax() {}

    /// Why `inner` is no path.
    static String refusal(String text, int begin, String inner) {
        if (inner.startsWith("{")) {
            return "'${{ ... }}' is the notation of another system; write ${name.member}";
        }
        if (inner.isBlank()) {
            return "'${" + inner + "}' names nothing; write ${name} or ${name.member}";
        }
        var tooMany = ValuePath.tooManyNames(inner);
        if (tooMany.isPresent()) {
            return "a reference to " + tooMany.get();
        }
        if (ValuePath.of(inner.strip()).isPresent()) {
            return "'${" + inner + "}' has blanks; write ${" + inner.strip() + "}";
        }
        if (inner.contains("[")) {
            return "'${" + inner + "}' has an index; a reference has names of members alone";
        }
        return "'"
                + text.substring(begin, Math.min(text.length(), begin + inner.length() + 3))
                + "' is no reference; write ${name} or ${name.member}: no operators, no calls";
    }

    /// Refuses references in the notations of other systems.
    ///
    /// @throws IllegalArgumentException if `text` has one
    static void refuseOthers(String text) {
        var found = JINJA.matcher(text);
        if (found.find()) {
            throw new IllegalArgumentException(
                    "'"
                            + found.group()
                            + "' is the notation of another system; write ${"
                            + translated(found.group(1))
                            + "}");
        }
    }

    /// `steps.draft.output.text` is `draft.text` here, `variables.x` is `x`.
    private static String translated(String path) {
        return path.replaceFirst("^steps\\.([^.]+)\\.output", "$1")
                .replaceFirst("^variables\\.", "")
                .replaceFirst("^(root_context|parent|params)\\.", "input.");
    }
}
