package dev.artel.worker.server.hub;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/// Lines of the log about what peers do wrong or lose, which they can do at will: a hundred a minute are warnings, all further ones are details, so that they do not
/// fill a disk. Safe for use by many threads.
final class PeerWarnings {
    /// How many there are in a minute.
    static final int MOST = 100;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Logger log;
    private @Nullable Instant began;
    private int lines;

    PeerWarnings(Logger log) {
        this.log = log;
    }

    /// Begins the next line.
    synchronized LoggingEventBuilder next(Instant now) {
        if (began == null || !now.isBefore(began.plus(MINUTE)) || now.isBefore(began)) {
            if (lines > MOST) {
                log.atWarn()
                        .addKeyValue("lines", lines - MOST)
                        .log("further warnings about peers were left out within a minute");
            }
            began = now;
            lines = 0;
        }
        return ++lines > MOST ? log.atDebug() : log.atWarn();
    }
}
