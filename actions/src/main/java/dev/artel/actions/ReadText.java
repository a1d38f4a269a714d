package dev.artel.actions;

/// Text as it reads, and where each of its characters is written.
final class ReadText {
    private final String text;
    private final int[] begins;
    private final int[] ends;

    /// @param begins for each character, where it begins in what is written; may be longer than the text
    /// @param ends likewise, where it ends
    ReadText(String text, int[] begins, int[] ends) {
        this.text = text;
        this.begins = begins;
        this.ends = ends;
    }

    /// `text` as it is written.
    static ReadText asWritten(String text) {
        var begins = new int[text.length()];
        var ends = new int[text.length()];
        for (var i = 0; i < begins.length; i++) {
            begins[i] = i;
            ends[i] = i + 1;
        }
        return new ReadText(text, begins, ends);
    }

    String text() {
        return text;
    }

    /// Where the character at `at` begins in what is written.
    int begin(int at) {
        return begins[at];
    }

    /// Where the character at `at` ends in what is written, exclusive.
    int end(int at) {
        return ends[at];
    }
}
