package dev.artel.server.logs;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.LayoutBase;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/// An event as a line for people: `2026-11-22T12:30:00.125+01:00 WARN  FleetBook - the text cause="..."`, and the begin
/// of a stack trace, whose lines begin with a tab. What others sent cannot begin a line: line ends, control characters and
/// quotes in it are escaped as in Java.
final class LogLayout extends LayoutBase<ILoggingEvent> {
    /// How many frames of a stack trace are logged, of each cause.
    private static final int FRAMES = 6;

    private static final int CAUSES = 20;

    private final ZoneId zone;

    LogLayout(ZoneId zone) {
        this.zone = zone;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        var line = new StringBuilder(192);
        time(line, event.getInstant().atZone(zone).toOffsetDateTime());
        var level = event.getLevel().toString();
        line.append(' ').append(level);
        line.repeat(' ', Math.max(1, 6 - level.length()));
        var logger = event.getLoggerName();
        line.append(logger, logger.lastIndexOf('.') + 1, logger.length());
        line.append(" - ");
        escape(line, String.valueOf(event.getFormattedMessage()), false);
        pairs(line, event.getKeyValuePairs());
        LoggedTraces.of(getContext(), event.getKeyValuePairs())
                .ifPresent(trace ->
                        line.append(' ')
                                .append(LoggedTraces.NAME)
                                .append("=\"")
                                .append(trace)
                                .append('"'));
        line.append('\n');
        var causes = 0;
        for (var cause = event.getThrowableProxy();
                cause != null && causes < CAUSES;
                cause = cause.getCause()) {
            trace(line, cause, causes++ > 0);
        }
        return line.toString();
    }

    private static void time(StringBuilder line, OffsetDateTime time) {
        padded(line, time.getYear(), 1000).append('-');
        padded(line, time.getMonthValue(), 10).append('-');
        padded(line, time.getDayOfMonth(), 10).append('T');
        padded(line, time.getHour(), 10).append(':');
        padded(line, time.getMinute(), 10).append(':');
        padded(line, time.getSecond(), 10).append('.');
        padded(line, time.getNano() / 1_000_000, 100);
        line.append(time.getOffset().equals(ZoneOffset.UTC) ? "Z" : time.getOffset().getId());
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
        for (var pair : pairs) {
            line.append(' ').append(pair.key).append("=\"");
            escape(line, String.valueOf(pair.value), true);
            line.append('"');
        }
    }

    private static void trace(StringBuilder line, IThrowableProxy thrown, boolean isCause) {
        line.append(isCause ? "\tcaused by " : "\t").append(thrown.getClassName());
        if (thrown.getMessage() != null) {
            line.append(": ");
            escape(line, thrown.getMessage(), false);
        }
        line.append('\n');
        var frames = thrown.getStackTraceElementProxyArray();
        for (var i = 0; i < Math.min(FRAMES, frames.length); i++) {
            line.append("\t\t").append(frames[i]).append('\n');
        }
    }

    private static void escape(StringBuilder line, String text, boolean isQuoted) {
        for (var i = 0; i < text.length(); i++) {
            var letter = text.charAt(i);
            switch (letter) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                case '"', '\\' -> {
                    if (isQuoted) {
                        line.append('\\');
                    }
                    line.append(letter);
                }
                default -> {
                    if (isHarmless(letter)) {
                        line.append(letter);
                    } else {
                        line.append("\\u").append(HexFormat.of().toHexDigits(letter));
                    }
                }
            }
        }
    }

    /// Whether a terminal shows it as a letter: neither a control character nor one that ends a line or turns it round.
    private static boolean isHarmless(char letter) {
        return switch (Character.getType(letter)) {
            case Character.CONTROL,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.FORMAT ->
                    false;
            default -> true;
        };
    }
}
