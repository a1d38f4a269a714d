package dev.artel.examples.photos.imaging;

import java.awt.RenderingHints;
import java.awt.image.BufferedImage;

/// Scaling down without the jagged edges and moiré of a single large step: halve while that is possible, then one last
/// step of less than two.
public final class Scaling {
    private Scaling() {}

    /// `picture` with its longer edge at most `maxEdge`; the same picture when it already fits.
    public static BufferedImage fit(BufferedImage picture, int maxEdge) {
        var edge = Math.max(picture.getWidth(), picture.getHeight());
        if (edge <= maxEdge) {
            return picture;
        }
        var width = Math.max(1, Math.round((float) picture.getWidth() * maxEdge / edge));
        var height = Math.max(1, Math.round((float) picture.getHeight() * maxEdge / edge));
        return to(picture, width, height);
    }

    /// `picture` at exactly this size, whatever its shape was.
    public static BufferedImage to(BufferedImage picture, int width, int height) {
        var current = picture;
        while (current.getWidth() >= 2 * width && current.getHeight() >= 2 * height) {
            current =
                    step(
                            current,
                            current.getWidth() / 2,
                            current.getHeight() / 2,
                            RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        }
        return step(current, width, height, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
    }

    private static BufferedImage step(
            BufferedImage from, int width, int height, Object interpolation) {
        var scaled = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        var graphics = scaled.createGraphics();
        try {
            graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, interpolation);
            graphics.setRenderingHint(
                    RenderingHints.KEY_RENDERING, RenderingHints.VALUE_RENDER_QUALITY);
            graphics.drawImage(from, 0, 0, width, height, null);
        } finally {
            graphics.dispose();
        }
        return scaled;
    }
}
