package dev.artel.worker.server.hub;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/// The log of this module while it is open.
final class CapturedLog implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.artel.worker.server");
    private final Level before = logger.getLevel();
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    CapturedLog() {
        appender.start();
        logger.setLevel(Level.DEBUG);
        logger.setAdditive(false);
        logger.addAppender(appender);
    }

    /// The lines of a level: message and key-values.
    List<String> lines(Level level) {
        return List.copyOf(appender.list).stream()
                .filter(event -> event.getLevel().equals(level))
                .map(CapturedLog::line)
                .toList();
    }

    List<String> warnings() {
        return lines(Level.WARN);
    }

    List<String> errors() {
        return lines(Level.ERROR);
    }

    private static String line(ILoggingEvent event) {
        var pairs = event.getKeyValuePairs();
        return event.getFormattedMessage()
                + (pairs == null
                        ? ""
                        : pairs.stream()
                                .map(pair -> " " + pair.key + "=" + pair.value)
                                .collect(Collectors.joining()));
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(before);
        logger.setAdditive(true);
    }
}
