package dev.artel.card.yaml;

/// A place in a text.
///
/// @param line from 1
/// @param column from 1
public record TextPosition(int line, int column) implements Comparable<TextPosition> {
    /// The beginning.
    public static final TextPosition START = new TextPosition(1, 1);

    @Override
    public int compareTo(TextPosition other) {
        return line == other.line
                ? Integer.compare(column, other.column)
                : Integer.compare(line, other.line);
    }

    @Override
    public String toString() {
        return line + ":" + column;
    }
}
