package dev.artel.worker.server.hub;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/// Lines of the log about what peers do, which they can do at will: so many a minute are warnings, or lines about what is in order, all further ones are details, so that they do not
/// fill a disk. Safe for use by many threads.
final class PeerWarnings {
    /// How many warnings there are in a minute.
    static final int MOST = 100;

    /// How many lines there are in a minute about workers that come and go.
    static final int MOST_OF_PRESENCE = 1_000;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Logger log;
    private final Level level;
    private final int most;
    private final String leftOut;
    private @Nullable Instant began;
    private int lines;

    /// About what peers do wrong or lose.
    PeerWarnings(Logger log) {
        this(log, Level.WARN, MOST, "further warnings about peers were left out within a minute");
    }

    private PeerWarnings(Logger log, Level level, int most, String leftOut) {
        this.log = log;
        this.level = level;
        this.most = most;
        this.leftOut = leftOut;
    }

    /// About workers that come and go: a token for many names lets as many do so.
    static PeerWarnings ofPresence(Logger log) {
        return new PeerWarnings(
                log,
                Level.INFO,
                MOST_OF_PRESENCE,
                "further lines about workers that came and went were left out within a minute");
    }

    /// Begins the next line.
    synchronized LoggingEventBuilder next(Instant now) {
        if (began == null || !now.isBefore(began.plus(MINUTE)) || now.isBefore(began)) {
            if (lines > most) {
                log.atLevel(level).addKeyValue("lines", lines - most).log(leftOut);
            }
            began = now;
            lines = 0;
        }
        return ++lines > most ? log.atDebug() : log.atLevel(level);
    }
}
