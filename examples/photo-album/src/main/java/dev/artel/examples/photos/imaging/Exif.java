package dev.artel.examples.photos.imaging;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/// What a camera and its owner wrote into a picture; `null` for what they did not.
///
/// @param camera make and model, the make not repeated: `Canon EOS 450D`
/// @param takenAt the camera's own clock, without a zone
/// @param exposure with its unit: `1/200 s`
/// @param aperture as photographers write it: `f/5.6`
/// @param focalLength with its unit: `55 mm`
/// @param artist who made the picture
/// @param copyright under which terms it may be used
public record Exif(
        @Nullable String camera,
        @Nullable LocalDateTime takenAt,
        @Nullable String exposure,
        @Nullable String aperture,
        @Nullable Integer iso,
        @Nullable String focalLength,
        @Nullable String artist,
        @Nullable String copyright) {

    /// Nothing is known.
    public static final Exif NONE = new Exif(null, null, null, null, null, null, null, null);
}
