package dev.artel.examples.photos.imaging;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A file that is there but cannot be read as a picture, or is too large to be decoded. Trying again gives the same answer:
/// the caller reports the file as invalid input.
public final class NotAPicture extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotAPicture(Path file, String found, @Nullable Throwable cause) {
        super("cannot read " + file.getFileName() + " as a picture: " + found, cause);
    }
}
