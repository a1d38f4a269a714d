package dev.artel.gateway.mindbus;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/// What a class logs until this is closed.
final class LoggedLines implements AutoCloseable {
    private final Logger logger;
    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender =
            new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent line) {
                    texts.add(line.getFormattedMessage() + " " + line.getKeyValuePairs());
                }
            };

    LoggedLines(Class<?> of) {
        logger = (Logger) LoggerFactory.getLogger(of);
        logger.setLevel(Level.INFO);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    /// The texts of the lines, each with its keys and values.
    List<String> texts() {
        return texts;
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        appender.stop();
    }
}
