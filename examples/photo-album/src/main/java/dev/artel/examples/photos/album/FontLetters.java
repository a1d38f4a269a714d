package dev.artel.examples.photos.album;

import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;

/// Letters of a font. Making one fails on a machine without fonts, so that drawing does not.
final class FontLetters implements Lettering {
    private final Font font;
    private final FontMetrics metrics;

    FontLetters(Font font) {
        this.font = font;
        var graphics = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB).createGraphics();
        try {
            graphics.setFont(font);
            graphics.drawString("Ag", 0, 32);
            metrics = graphics.getFontMetrics();
        } finally {
            graphics.dispose();
        }
    }

    @Override
    public void draw(Graphics2D graphics, String text, int x, int baseline, Color colour) {
        graphics.setFont(font);
        graphics.setColor(colour);
        graphics.drawString(text, x, baseline);
    }

    @Override
    public int width(String text) {
        return metrics.stringWidth(text);
    }
}
