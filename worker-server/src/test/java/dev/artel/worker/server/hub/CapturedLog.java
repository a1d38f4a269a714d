package dev.artel.worker.server.hub;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/// The log of this module while it is open.
public final class CapturedLog implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.artel.worker.server");
    private final Level before = logger.getLevel();
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender =
            new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    events.add(event);
                }
            };

    /// Opens it.
    public CapturedLog() {
        appender.start();
        logger.setLevel(Level.DEBUG);
        logger.setAdditive(false);
        logger.addAppender(appender);
    }

    /// The lines of a level: message and key-values.
    public List<String> lines(Level level) {
        return events.stream()
                .filter(event -> event.getLevel().equals(level))
                .map(CapturedLog::line)
                .toList();
    }

    /// Those of warnings.
    public List<String> warnings() {
        return lines(Level.WARN);
    }

    /// Those of errors.
    public List<String> errors() {
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
