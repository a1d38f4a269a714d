package dev.artel.json.text;

/// Text is not the JSON that was asked for. The sender has to change it; reading again gives the same answer.
public final class MalformedJson extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Counted from 1.
    private final int line;

    /// Counted from 1.
    private final int column;

    MalformedJson(int line, int column, String found) {
        super("malformed JSON at line " + line + ", column " + column + ": " + found);
        this.line = line;
        this.column = column;
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
