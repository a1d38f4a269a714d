package dev.artel.examples.photos.imaging;

import java.util.regex.Pattern;

/// One of a picture's dominant colours.
///
/// @param hex `#rrggbb`, lower case
/// @param share the part of the picture that is nearest to it, 0 to 1
public record Swatch(String hex, double share) {
    private static final Pattern HEX = Pattern.compile("#[0-9a-f]{6}");

    /// Refuses what is no colour: a swatch ends up in pages.
    public Swatch {
        if (!HEX.matcher(hex).matches()) {
            throw new IllegalArgumentException("a colour is written #rrggbb, was " + hex);
        }
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a share is between 0 and 1, was " + share);
        }
    }

    /// The colour as `0xrrggbb`.
    public int rgb() {
        return Integer.parseInt(hex, 1, hex.length(), 16);
    }
}
