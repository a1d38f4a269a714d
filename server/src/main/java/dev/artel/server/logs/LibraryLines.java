package dev.artel.server.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/// Bounds what libraries write to the log: some warn at each odd request, so that strangers choose how fast it grows. What is beyond
/// the bound of a library is counted, and the number is written when its time is over and it has something to write again. Lines of
/// Artel and of blueprints are written always. Safe for use by many threads.
final class LibraryLines extends TurboFilter {
    /// How many lines of one library are written in [#TERM].
    static final int MOST = 60;

    static final Duration TERM = Duration.ofMinutes(1);

    private final Map<String, Lines> byLibrary = new HashMap<>();
    private final LongSupplier nanos;

    /// @param libraries the beginnings of names of loggers
    /// @param nanos a clock as [System#nanoTime]
    LibraryLines(List<String> libraries, LongSupplier nanos) {
        this.nanos = nanos;
        libraries.forEach(name -> byLibrary.put(name, new Lines(nanos.getAsLong())));
    }

    private static final class Lines {
        private long since;
        private int count;

        Lines(long since) {
            this.since = since;
        }

        /// What is to be done with a line that comes at `now`, and what is to be reported with it.
        synchronized Turn take(long now) {
            var leftOut = 0;
            if (now - since >= TERM.toNanos()) {
                leftOut = Math.max(0, count - MOST);
                since = now;
                count = 0;
            }
            count++;
            return new Turn(count <= MOST, count == MOST + 1, leftOut);
        }
    }

    /// @param isWritten whether the line is
    /// @param isFirst whether it is the first that is not
    /// @param leftOut how many were not in the time that is over
    private record Turn(boolean isWritten, boolean isFirst, int leftOut) {}

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable thrown) {
        // A call without a format asks whether the level is on.
        if (!level.isGreaterOrEqual(Level.WARN) || format == null) {
            return FilterReply.NEUTRAL;
        }
        var library = library(logger.getName());
        var lines = library == null ? null : byLibrary.get(library);
        if (lines == null) {
            return FilterReply.NEUTRAL;
        }
        var turn = lines.take(nanos.getAsLong());
        if (turn.leftOut() > 0) {
            log().warn(
                            "{} lines of {} were left out, as it wrote more than {} in a minute",
                            turn.leftOut(),
                            library,
                            MOST);
        }
        if (turn.isFirst()) {
            log().warn(
                            "{} writes more than {} lines in a minute; the others are counted and left out",
                            library,
                            MOST);
        }
        return turn.isWritten() ? FilterReply.NEUTRAL : FilterReply.DENY;
    }

    private Logger log() {
        return ((LoggerContext) getContext()).getLogger(LibraryLines.class);
    }

    /// The library that has the logger `name`; null: none.
    private @Nullable String library(String name) {
        for (var end = name.length(); end > 0; end = name.lastIndexOf('.', end - 1)) {
            var beginning = name.substring(0, end);
            if (byLibrary.containsKey(beginning)) {
                return beginning;
            }
        }
        return null;
    }
}
