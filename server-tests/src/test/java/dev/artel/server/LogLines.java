package dev.artel.server;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/// What one logger writes as long as this is open.
public final class LogLines implements AutoCloseable {
    private final Logger logger;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender =
            new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    events.add(event);
                }
            };

    private LogLines(Logger logger) {
        this.logger = logger;
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    public static LogLines of(String logger) {
        return new LogLines((Logger) LoggerFactory.getLogger(logger));
    }

    /// Each message with its keys and values.
    public List<String> texts() {
        return events.stream()
                .map(event -> event.getFormattedMessage() + " " + event.getKeyValuePairs())
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        appender.stop();
    }
}
