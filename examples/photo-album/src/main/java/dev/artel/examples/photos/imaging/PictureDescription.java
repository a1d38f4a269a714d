package dev.artel.examples.photos.imaging;

import java.nio.file.Path;
import java.util.List;

/// What can be found out about a picture without knowing what it shows.
///
/// @param format `JPEG`, `PNG`, ...
/// @param width pixels of the upright picture, as is `height`
/// @param bytes size of the file
/// @param palette at most five colours, the most frequent first
/// @param sharpness variance of the Laplacian, measured at 640 pixels so that sizes compare; below 100 is soft,
///     above 1200 crisp
/// @param brightness mean perceived lightness, 0 (black) to 1 (white)
public record PictureDescription(
        String format,
        int width,
        int height,
        long bytes,
        Exif exif,
        List<Swatch> palette,
        double sharpness,
        double brightness) {
    private static final int MEASURED_AT = 640;
    private static final int COLOURS_AT = 240;

    /// Keeps an own copy of the palette.
    public PictureDescription {
        palette = List.copyOf(palette);
    }

    /// Describes the picture in `file`.
    ///
    /// @throws NotAPicture if it is none, or too large
    /// @throws java.io.UncheckedIOException if it cannot be read
    public static PictureDescription of(Path file) {
        var picture = PictureFile.open(file);
        var pixels = picture.decode(MEASURED_AT);
        var measures = Measures.of(pixels);
        return new PictureDescription(
                picture.format(),
                picture.width(),
                picture.height(),
                picture.bytes(),
                picture.exif(),
                Palette.of(Scaling.fit(pixels, COLOURS_AT)),
                measures.sharpness(),
                measures.brightness());
    }

    /// One sentence for people: `A bright, crisp landscape in sky blue, slate and moss.`
    public String sentence() {
        var names = palette.stream().map(ColourName::of).distinct().limit(3).toList();
        return "A " + light() + focus() + shape() + " in " + listed(names) + ".";
    }

    private String light() {
        if (brightness < 0.46) {
            return "dark, ";
        }
        return brightness > 0.68 ? "bright, " : "";
    }

    private String focus() {
        if (sharpness < 100) {
            return "soft ";
        }
        return sharpness > 1200 ? "crisp " : "clear ";
    }

    private String shape() {
        var ratio = (double) width / height;
        if (ratio > 0.95 && ratio < 1.05) {
            return "square";
        }
        return ratio > 1 ? "landscape" : "portrait";
    }

    private static String listed(List<String> names) {
        return names.size() == 1
                ? names.getFirst()
                : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
    }
}
