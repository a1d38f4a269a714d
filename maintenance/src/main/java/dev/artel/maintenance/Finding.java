package dev.artel.maintenance;

import dev.artel.json.text.Printable;

/// What a look at one thing found.
///
/// @param text for a person: what was found and, if it is not good, what to do
public record Finding(Level level, String about, String text) {
    /// How bad it is.
    public enum Level {
        /// As it should be.
        OK,
        /// It works, but a person should look.
        WARN,
        /// It does not work.
        FAIL
    }

    static Finding ok(String about, String text) {
        return new Finding(Level.OK, about, text);
    }

    static Finding warn(String about, String text) {
        return new Finding(Level.WARN, about, text);
    }

    static Finding fail(String about, String text) {
        return new Finding(Level.FAIL, about, text);
    }

    /// A line for a terminal, whatever is in the text: names come from elsewhere.
    @Override
    public String toString() {
        return Printable.behind("%-4s  %-12s ".formatted(level, about), text);
    }
}
