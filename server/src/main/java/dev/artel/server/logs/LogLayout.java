package dev.artel.server.logs;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/// An event as a line: `12:30:00.125 WARN  FleetBook - the text cause="..."`, and the begin of a stack trace.
final class LogLayout extends LayoutBase<ILoggingEvent> {
    /// How much of a stack trace is told, of each cause.
    private static final int FRAMES = 6;

    private final ZoneId zone = ZoneId.systemDefault();

    @Override
    public String doLayout(ILoggingEvent event) {
        var line = new StringBuilder(160);
        time(line, LocalTime.ofInstant(event.getInstant(), zone));
        var level = event.getLevel().toString();
        line.append(' ').append(level);
        line.repeat(' ', Math.max(1, 6 - level.length()));
        var logger = event.getLoggerName();
        line.append(logger, logger.lastIndexOf('.') + 1, logger.length());
        line.append(" - ").append(event.getFormattedMessage()).append(' ');
        pairs(line, event.getKeyValuePairs());
        line.append(System.lineSeparator());
        for (var cause = event.getThrowableProxy(); cause != null; cause = cause.getCause()) {
            trace(line, cause);
        }
        return line.toString();
    }

    private static void time(StringBuilder line, LocalTime time) {
        padded(line, time.getHour(), 10).append(':');
        padded(line, time.getMinute(), 10).append(':');
        padded(line, time.getSecond(), 10).append('.');
        padded(line, time.getNano() / 1_000_000, 100);
    }

    private static StringBuilder padded(StringBuilder line, int number, int least) {
        for (var digit = least; digit > 1 && number < digit; digit /= 10) {
            line.append('0');
        }
        return line.append(number);
    }

    private static void pairs(StringBuilder line, @Nullable List<KeyValuePair> pairs) {
        if (pairs == null) {
            return;
        }
        for (var i = 0; i < pairs.size(); i++) {
            var pair = pairs.get(i);
            line.append(i == 0 ? "" : " ").append(pair.key);
            line.append("=\"").append(pair.value).append('"');
        }
    }

    private static void trace(StringBuilder line, IThrowableProxy thrown) {
        ThrowableProxyUtil.subjoinFirstLine(line, thrown);
        line.append(System.lineSeparator());
        var frames = thrown.getStackTraceElementProxyArray();
        for (var i = 0; i < Math.min(FRAMES, frames.length); i++) {
            line.append("\t").append(frames[i]).append(System.lineSeparator());
        }
    }
}
