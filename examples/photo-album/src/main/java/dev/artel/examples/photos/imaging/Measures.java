package dev.artel.examples.photos.imaging;

import java.awt.image.BufferedImage;

/// Numbers that show how a picture looks as a whole.
///
/// @param brightness mean perceived lightness, 0 (black) to 1 (white)
/// @param sharpness variance of the Laplacian of luma (0 to 255): grows with detail
record Measures(double brightness, double sharpness) {

    static Measures of(BufferedImage picture) {
        var width = picture.getWidth();
        var height = picture.getHeight();
        var luma = new double[width * height];
        var lightness = 0.0;
        for (var y = 0; y < height; y++) {
            for (var x = 0; x < width; x++) {
                var rgb = picture.getRGB(x, y);
                lightness += Oklab.of(rgb).l();
                luma[y * width + x] =
                        0.299 * (rgb >> 16 & 0xff)
                                + 0.587 * (rgb >> 8 & 0xff)
                                + 0.114 * (rgb & 0xff);
            }
        }
        return new Measures(lightness / luma.length, laplacianVariance(luma, width, height));
    }

    private static double laplacianVariance(double[] luma, int width, int height) {
        var sum = 0.0;
        var squares = 0.0;
        var count = 0;
        for (var y = 1; y < height - 1; y++) {
            for (var x = 1; x < width - 1; x++) {
                var at = y * width + x;
                var laplacian =
                        luma[at - 1]
                                + luma[at + 1]
                                + luma[at - width]
                                + luma[at + width]
                                - 4 * luma[at];
                sum += laplacian;
                squares += laplacian * laplacian;
                count++;
            }
        }
        return count == 0 ? 0 : squares / count - (sum / count) * (sum / count);
    }
}
