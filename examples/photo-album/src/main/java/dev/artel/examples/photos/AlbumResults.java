package dev.artel.examples.photos;

import dev.artel.examples.photos.album.Album;
import dev.artel.examples.photos.imaging.Exif;
import dev.artel.examples.photos.imaging.PictureDescription;
import dev.artel.examples.photos.imaging.Swatch;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the album's tasks answer, in JSON in snake case. Each names the worker, the attempt and how long it took, in
/// milliseconds.
public final class AlbumResults {
    private AlbumResults() {}

    /// A thumbnail was written.
    public record Resized(
            String source,
            String target,
            int width,
            int height,
            long bytes,
            String worker,
            int attempt,
            long tookMs) {
        Album.Work work() {
            return new Album.Work(worker, attempt, Duration.ofMillis(tookMs));
        }
    }

    /// A picture was described.
    ///
    /// @param sentence the description for people
    public record Described(
            String source,
            String sentence,
            String format,
            int width,
            int height,
            long bytes,
            double sharpness,
            double brightness,
            List<Swatch> palette,
            Camera camera,
            String worker,
            int attempt,
            long tookMs) {

        static Described of(
                String source,
                PictureDescription picture,
                String worker,
                int attempt,
                long tookMs) {
            return new Described(
                    source,
                    picture.sentence(),
                    picture.format(),
                    picture.width(),
                    picture.height(),
                    picture.bytes(),
                    rounded(picture.sharpness(), 10),
                    rounded(picture.brightness(), 1000),
                    picture.palette().stream()
                            .map(swatch ->
                                    new Swatch(swatch.hex(), rounded(swatch.share(), 10_000)))
                            .toList(),
                    Camera.of(picture.exif()),
                    worker,
                    attempt,
                    tookMs);
        }

        private static double rounded(double value, int parts) {
            return Math.round(value * parts) / (double) parts;
        }

        PictureDescription description() {
            return new PictureDescription(
                    format, width, height, bytes, camera.exif(), palette, sharpness, brightness);
        }

        Album.Work work() {
            return new Album.Work(worker, attempt, Duration.ofMillis(tookMs));
        }
    }

    /// The content of the picture's EXIF.
    ///
    /// @param takenAt as `2010-10-25T11:16:07`, without a zone
    public record Camera(
            @Nullable String model,
            @Nullable String takenAt,
            @Nullable String exposure,
            @Nullable String aperture,
            @Nullable Integer iso,
            @Nullable String focalLength,
            @Nullable String artist,
            @Nullable String copyright) {

        static Camera of(Exif exif) {
            var taken = exif.takenAt();
            return new Camera(
                    exif.camera(),
                    taken == null ? null : taken.toString(),
                    exif.exposure(),
                    exif.aperture(),
                    exif.iso(),
                    exif.focalLength(),
                    exif.artist(),
                    exif.copyright());
        }

        Exif exif() {
            var taken = takenAt == null ? null : LocalDateTime.parse(takenAt);
            return new Exif(model, taken, exposure, aperture, iso, focalLength, artist, copyright);
        }
    }

    /// The album was written.
    ///
    /// @param photos how many it shows
    public record AlbumMade(
            String page,
            String contactSheet,
            int photos,
            String worker,
            int attempt,
            long tookMs) {}
}
