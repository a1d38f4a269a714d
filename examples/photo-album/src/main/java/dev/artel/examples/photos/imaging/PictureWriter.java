package dev.artel.examples.photos.imaging;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.stream.FileImageOutputStream;

/// Writes pictures, whole or not at all.
public final class PictureWriter {
    private static final float JPEG_QUALITY = 0.88f;

    private PictureWriter() {}

    /// Writes `picture` as PNG or JPEG, as the name of `target` ends. Makes missing directories.
    ///
    /// @throws java.io.UncheckedIOException if the file cannot be written; `target` is then as it was
    public static void write(BufferedImage picture, Path target) {
        var png = target.toString().toLowerCase(Locale.ROOT).endsWith(".png");
        WholeFile.write(target, file -> encode(picture, png ? "png" : "jpeg", file));
    }

    private static void encode(BufferedImage picture, String format, Path file) throws IOException {
        var writer = ImageIO.getImageWritersByFormatName(format).next();
        try (var output = new FileImageOutputStream(file.toFile())) {
            var parameters = writer.getDefaultWriteParam();
            if (format.equals("jpeg")) {
                parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
                parameters.setCompressionQuality(JPEG_QUALITY);
                parameters.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
            }
            writer.setOutput(output);
            writer.write(null, new IIOImage(picture, null, null), parameters);
        } finally {
            writer.dispose();
        }
    }
}
