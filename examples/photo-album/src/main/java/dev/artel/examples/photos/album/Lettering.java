package dev.artel.examples.photos.album;

import java.awt.Color;
import java.awt.Graphics2D;

/// A way to write one line of text into a picture.
interface Lettering {

    /// Draws `text` from `x` on, standing on `baseline`.
    void draw(Graphics2D graphics, String text, int x, int baseline, Color colour);

    /// How many pixels `text` takes.
    int width(String text);

    /// `text`, or its beginning and an ellipsis where `text` is wider than `maxWidth` pixels.
    default String fitted(String text, int maxWidth) {
        if (width(text) <= maxWidth) {
            return text;
        }
        var length = text.length();
        while (length > 0 && width(text.substring(0, length).stripTrailing() + "…") > maxWidth) {
            length = text.offsetByCodePoints(length, -1);
        }
        return length == 0 ? "" : text.substring(0, length).stripTrailing() + "…";
    }
}
