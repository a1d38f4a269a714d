package dev.artel.examples.photos.demo;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// The demo cannot run as it was asked to; the message states in one line what a person has to change.
public final class CannotRun extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    CannotRun(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
