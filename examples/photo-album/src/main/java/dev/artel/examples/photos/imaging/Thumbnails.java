package dev.artel.examples.photos.imaging;

import java.awt.image.BufferedImage;
import java.nio.file.Path;

/// Small copies of pictures.
public final class Thumbnails {
    private Thumbnails() {}

    /// A written copy. Sides in pixels, upright.
    public record Thumbnail(Path file, int width, int height, long bytes) {}

    /// Writes an upright copy of `source` whose longer edge is at most `maxEdge` pixels; smaller pictures keep their size.
    /// `target` ends in `.png` or is written as JPEG. Doing it again gives the same file.
    ///
    /// @throws NotAPicture if `source` is none, or too large
    /// @throws java.io.UncheckedIOException if `source` cannot be read or `target` cannot be written
    public static Thumbnail resize(Path source, Path target, int maxEdge) {
        if (maxEdge < 1) {
            throw new IllegalArgumentException("max edge must be at least 1 pixel, was " + maxEdge);
        }
        var picture = decode(source, maxEdge);
        PictureWriter.write(picture, target);
        return new Thumbnail(
                target, picture.getWidth(), picture.getHeight(), target.toFile().length());
    }

    /// The picture in `source` as [#resize] would write it.
    ///
    /// @throws NotAPicture if `source` is none, or too large
    /// @throws java.io.UncheckedIOException if `source` cannot be read
    public static BufferedImage decode(Path source, int maxEdge) {
        return PictureFile.open(source).decode(maxEdge);
    }
}
