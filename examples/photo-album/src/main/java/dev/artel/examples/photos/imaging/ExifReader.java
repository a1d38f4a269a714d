package dev.artel.examples.photos.imaging;

import com.drew.imaging.ImageMetadataReader;
import com.drew.imaging.ImageProcessingException;
import com.drew.lang.Rational;
import com.drew.metadata.Directory;
import com.drew.metadata.Metadata;
import com.drew.metadata.exif.ExifIFD0Directory;
import com.drew.metadata.exif.ExifSubIFDDirectory;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The EXIF part of a picture file. Damaged or absent EXIF is no EXIF: the picture itself may still be fine.
final class ExifReader {
    private static final DateTimeFormatter TAKEN_AT =
            DateTimeFormatter.ofPattern("uuuu:MM:dd HH:mm:ss");

    private final @Nullable Directory main;
    private final @Nullable Directory shot;

    private ExifReader(@Nullable Metadata metadata) {
        main = metadata == null ? null : metadata.getFirstDirectoryOfType(ExifIFD0Directory.class);
        shot =
                metadata == null
                        ? null
                        : metadata.getFirstDirectoryOfType(ExifSubIFDDirectory.class);
    }

    static ExifReader of(Path file) {
        try {
            return new ExifReader(ImageMetadataReader.readMetadata(file.toFile()));
        } catch (ImageProcessingException | IOException | RuntimeException unreadable) {
            return new ExifReader(null);
        }
    }

    Orientation orientation() {
        var tag = main == null ? null : main.getInteger(ExifIFD0Directory.TAG_ORIENTATION);
        return tag == null ? Orientation.UPRIGHT : Orientation.of(tag);
    }

    Exif exif() {
        var aperture = number(ExifSubIFDDirectory.TAG_FNUMBER);
        var focalLength = number(ExifSubIFDDirectory.TAG_FOCAL_LENGTH);
        return new Exif(
                camera(),
                takenAt(),
                exposure(),
                aperture == null ? null : "f/" + aperture,
                shot == null ? null : shot.getInteger(ExifSubIFDDirectory.TAG_ISO_EQUIVALENT),
                focalLength == null ? null : focalLength + " mm",
                text(main, ExifIFD0Directory.TAG_ARTIST),
                text(main, ExifIFD0Directory.TAG_COPYRIGHT));
    }

    /// Cameras disagree whether the model repeats the maker, and makers shout: `NIKON CORPORATION` made the `NIKON D80`.
    private @Nullable String camera() {
        var make = text(main, ExifIFD0Directory.TAG_MAKE);
        var model = text(main, ExifIFD0Directory.TAG_MODEL);
        if (model == null || make == null) {
            return model == null ? make : model;
        }
        var brand = make.split(" ", 2)[0];
        var repeated = model.toLowerCase(Locale.ROOT).startsWith(brand.toLowerCase(Locale.ROOT));
        return repeated ? model : brand + " " + model;
    }

    private @Nullable LocalDateTime takenAt() {
        var text = text(shot, ExifSubIFDDirectory.TAG_DATETIME_ORIGINAL);
        try {
            return text == null ? null : LocalDateTime.parse(text, TAKEN_AT);
        } catch (DateTimeException unset) {
            return null; // cameras without a clock write zeros or blanks
        }
    }

    private @Nullable String exposure() {
        var seconds = rational(ExifSubIFDDirectory.TAG_EXPOSURE_TIME);
        if (seconds == null || seconds.doubleValue() <= 0) {
            return null;
        }
        return seconds.doubleValue() < 0.5
                ? "1/" + Math.round(1 / seconds.doubleValue()) + " s"
                : plain(seconds.doubleValue()) + " s";
    }

    private @Nullable String number(int tag) {
        var value = rational(tag);
        return value == null || value.doubleValue() <= 0 ? null : plain(value.doubleValue());
    }

    private @Nullable Rational rational(int tag) {
        var value = shot == null ? null : shot.getRational(tag);
        return value == null || value.getDenominator() == 0 ? null : value;
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value)
                .setScale(1, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    private static @Nullable String text(@Nullable Directory directory, int tag) {
        var value = directory == null ? null : directory.getString(tag);
        return value == null || value.isBlank() ? null : value.strip();
    }
}
