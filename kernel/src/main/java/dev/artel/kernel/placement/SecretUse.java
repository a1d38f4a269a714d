package dev.artel.kernel.placement;

/// Where the parameters of a task name a secret, as the author of its definition wrote them. At that place they have the text
/// [#reference()], and nothing else in them that looks like one is taken for it: it may come from a client.
///
/// @param at the text that has the reference, a JSON Pointer (RFC 6901) into the parameters
/// @param from where the reference begins in that text, in UTF-16 units
/// @param name of the secret: letters, digits, `-` and `_`, at most 100
public record SecretUse(String at, int from, String name) {
    private static final int LONGEST = 100;

    /// Refuses a place and a name that are none.
    public SecretUse {
        if (!at.startsWith("/") || from < 0) {
            throw new IllegalArgumentException(
                    "a secret stands at a JSON Pointer such as /headers/Authorization and at a"
                            + " character from 0 on, was "
                            + at
                            + ", "
                            + from);
        }
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "the name of a secret has 1 to "
                            + LONGEST
                            + " letters, digits, '-' and '_', was '"
                            + name
                            + "'");
        }
    }

    /// Whether `text` can be the name of a secret.
    public static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= LONGEST
                && text.chars()
                        .allMatch(c ->
                                c == '-' || c == '_' || (c < 128 && Character.isLetterOrDigit(c)));
    }

    /// What stands in the parameters in place of the secret.
    public static String reference(String name) {
        return "secret://" + name;
    }

    /// What stands in the parameters in its place.
    public String reference() {
        return reference(name);
    }
}
