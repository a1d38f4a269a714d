package dev.artel.json.text;

/// Finds text that UTF-8 cannot represent.
final class Surrogates {
    private Surrogates() {}

    static boolean arePaired(String text) {
        for (var i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && !hasItsOtherHalf(text, i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasItsOtherHalf(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
}
