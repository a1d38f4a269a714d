package dev.artel.server.cards;

/// The versions of cards whose author left the version as it was. Each comes after those before it and before the author's next one.
final class CardRevisions {
    private static final int PARTS = 3;

    private CardRevisions() {}

    /// The version of the revision `number` of the author's version `written`: `1.0.0` and `1.0.0.2`, `1.0` and `1.0.0.2`, `2-beta` and `2-beta.2`.
    ///
    /// @param number from 1
    static String version(String written, int number) {
        if (number == 1) {
            return written;
        }
        if (written.contains("-")) {
            return written + "." + number;
        }
        var full = new StringBuilder(written);
        for (var parts = written.split("\\.", -1).length; parts < PARTS; parts++) {
            full.append(".0");
        }
        return full.append('.').append(number).toString();
    }
}
