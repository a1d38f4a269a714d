package dev.artel.server.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.artel.log.LinesAMinute;
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
    /// How many lines of one library are written in a minute.
    static final int MOST = 60;

    private final Map<String, LinesAMinute> byLibrary = new HashMap<>();

    /// @param libraries the beginnings of names of loggers
    /// @param nanos a clock as [System#nanoTime]
    LibraryLines(List<String> libraries, LongSupplier nanos) {
        libraries.forEach(name -> byLibrary.put(name, new LinesAMinute(MOST, nanos)));
    }

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
        return switch (lines.take()) {
            case LinesAMinute.Turn.Written(var leftOut) -> {
                if (leftOut > 0) {
                    log().warn(
                                    "{} lines of {} were left out, as it wrote more than {} in a minute",
                                    leftOut,
                                    library,
                                    MOST);
                }
                yield FilterReply.NEUTRAL;
            }
            case LinesAMinute.Turn.LeftOut(var isFirst) -> {
                if (isFirst) {
                    log().warn(
                                    "{} writes more than {} lines in a minute; the others are counted and left out",
                                    library,
                                    MOST);
                }
                yield FilterReply.DENY;
            }
        };
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
