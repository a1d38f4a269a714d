package dev.artel.json.text;

/// Text is not the JSON that was asked for. The sender has to change it; reading again gives the same answer.
public final class MalformedJson extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Counted from 1.
    private final int line;

    /// Counted from 1.
    private final int column;

    /// Whether it is too large for the memory that there is, and perhaps no worse.
    private final boolean isTooHeavy;

    MalformedJson(int line, int column, String found) {
        super("malformed JSON at line " + line + ", column " + column + ": " + found);
        this.line = line;
        this.column = column;
        this.isTooHeavy = false;
    }

    private MalformedJson(String message) {
        super(message);
        line = 1;
        column = 1;
        isTooHeavy = true;
    }

    /// A text whose value would take too much memory.
    static MalformedJson tooHeavy(long bytes, long weight, long most) {
        return new MalformedJson(
                "the JSON of %,d bytes would take about %,d MiB of memory, and at most %,d MiB are taken here; send less at once, or large values apart"
                        .formatted(bytes, (weight >> 20) + 1, most >> 20));
    }

    /// Whether the text was refused because its value would take too much memory.
    public boolean isTooHeavy() {
        return isTooHeavy;
    }

    /// The line of the problem, counted from 1.
    public int line() {
        return line;
    }

    /// The column of the problem, counted from 1: in bytes if the text was bytes, else in characters.
    public int column() {
        return column;
    }
}
