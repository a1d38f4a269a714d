package dev.artel.examples.photos.imaging;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.FileImageInputStream;

/// A file whose header declares a picture of a bearable size. Sides are those of the upright picture.
///
/// @param format the reader's name for it: `JPEG`
record PictureFile(
        Path file,
        String format,
        int width,
        int height,
        long bytes,
        Orientation orientation,
        Exif exif) {

    /// A few kilobytes can claim to be a picture of gigabytes: what is larger is refused before it is decoded.
    static final long MAX_PIXELS = 200_000_000;

    static PictureFile open(Path file) {
        return reading(
                file,
                reader -> {
                    var width = reader.getWidth(0);
                    var height = reader.getHeight(0);
                    if ((long) width * height > MAX_PIXELS) {
                        throw tooLarge(file, width, height);
                    }
                    var format = reader.getFormatName().toUpperCase(Locale.ROOT);
                    var tags = ExifReader.of(file);
                    var turn = tags.orientation();
                    return new PictureFile(
                            file,
                            format,
                            turn.swapsSides() ? height : width,
                            turn.swapsSides() ? width : height,
                            Files.size(file),
                            turn,
                            tags.exif());
                });
    }

    /// The picture, upright, without transparency, its longer edge at most `maxEdge`. Never enlarged.
    BufferedImage decode(int maxEdge) {
        var stored = reading(file, reader -> stored(reader, maxEdge));
        return Scaling.fit(orientation.upright(opaque(stored)), maxEdge);
    }

    /// As it is in the file. Of a large one the decoder skips pixels, but leaves twice the wanted size.
    private BufferedImage stored(ImageReader reader, int maxEdge) throws IOException {
        var parameters = reader.getDefaultReadParam();
        var every = Math.max(1, Math.max(width, height) / maxEdge / 2);
        parameters.setSourceSubsampling(every, every, 0, 0);
        var warnings = new ArrayList<String>();
        reader.addIIOReadWarningListener((_, warning) -> warnings.add(warning));
        var stored = reader.read(0, parameters);
        if (warnings.stream().anyMatch(warning -> warning.contains("Truncated File"))) {
            throw new NotAPicture(
                    file, "it ends too early; it was perhaps not copied completely", null);
        }
        return stored;
    }

    private static NotAPicture tooLarge(Path file, int width, int height) {
        return new NotAPicture(
                file,
                String.format(
                        Locale.ROOT,
                        "it claims %,d x %,d pixels, more than the limit of %,d million; scale it down first",
                        width,
                        height,
                        MAX_PIXELS / 1_000_000),
                null);
    }

    private static BufferedImage opaque(BufferedImage picture) {
        var opaque =
                new BufferedImage(
                        picture.getWidth(), picture.getHeight(), BufferedImage.TYPE_INT_RGB);
        var graphics = opaque.createGraphics();
        try {
            graphics.drawImage(picture, 0, 0, Color.WHITE, null);
        } finally {
            graphics.dispose();
        }
        return opaque;
    }

    private interface Reading<T> {
        T with(ImageReader reader) throws IOException;
    }

    private static <T> T reading(Path file, Reading<T> reading) {
        try {
            if (Files.isDirectory(file)) {
                throw new NotAPicture(file, "it is a directory", null);
            }
            if (!Files.isReadable(file)) {
                throw new IOException("no such file, or no right to read it");
            }
            try (var input = new FileImageInputStream(file.toFile())) {
                var readers = ImageIO.getImageReaders(input);
                if (!readers.hasNext()) {
                    throw new NotAPicture(file, firstBytes(file), null);
                }
                var reader = readers.next();
                try {
                    reader.setInput(input, true, false);
                    return decoding(file, reader, reading);
                } finally {
                    reader.dispose();
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "cannot read " + file + ": " + failed.getMessage(), failed);
        }
    }

    /// Decoders meet damaged data with `IIOException` at best, and with any runtime exception otherwise.
    private static <T> T decoding(Path file, ImageReader reader, Reading<T> reading)
            throws IOException {
        try {
            return reading.with(reader);
        } catch (NotAPicture refused) {
            throw refused;
        } catch (IOException | RuntimeException damaged) {
            var found =
                    "it starts like "
                            + reader.getFormatName()
                            + ", but is damaged or of a kind that is not supported (";
            throw new NotAPicture(file, found + damaged.getMessage() + ")", damaged);
        }
    }

    private static String firstBytes(Path file) throws IOException {
        try (var input = Files.newInputStream(file)) {
            var first = input.readNBytes(8);
            if (first.length == 0) {
                return "it is empty";
            }
            var text = new String(first, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", ".");
            return "it starts with "
                    + HexFormat.ofDelimiter(" ").formatHex(first)
                    + " (\""
                    + text
                    + "\"); JPEG, PNG, GIF, BMP and TIFF can be read";
        }
    }
}
