package dev.artel.protocol;

import dev.artel.json.JsonValue;
import java.io.Serial;

/// A message that cannot be understood: the answer states what is wrong, and the sender must change it; sending the
/// same message again fails again. Carries no stack trace, since strangers can cause it at will.
public final class MalformedMessage extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final String path;
    private final String expected;
    private final String found;

    /// A message in which `path` holds `found` where `expected` belongs.
    ///
    /// @param path the member in question such as `installed_models[2].name`; empty for the whole message
    /// @param expected what belongs there, with its article: `a string`
    /// @param found what is there: `a number`, `nothing`
    public MalformedMessage(String path, String expected, String found) {
        super(
                (path.isEmpty() ? "the message" : path)
                        + ": expected "
                        + expected
                        + ", found "
                        + found,
                null,
                false,
                false);
        this.path = path;
        this.expected = expected;
        this.found = found;
    }

    static MalformedMessage wrongKind(String path, String expected, JsonValue found) {
        return new MalformedMessage(path, expected, kindOf(found));
    }

    private static String kindOf(JsonValue value) {
        return switch (value.kind()) {
            case "null" -> "null";
            case "object", "array" -> "an " + value.kind();
            default -> "a " + value.kind();
        };
    }

    /// The member in question; empty for the whole message.
    public String path() {
        return path;
    }

    /// What belongs there.
    public String expected() {
        return expected;
    }

    /// What is there. Never the value itself, which may be secret.
    public String found() {
        return found;
    }
}
