package dev.artel.server.logs;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.artel.config.LogSettings;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Lets a program log a line per event to its standard output, without a file of settings: reading one takes as long
/// as a fifth of a start. Nothing happens in programs that do not ask for it, nor where a file is given.
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class ProgramLog extends ContextAwareBase implements Configurator {
    private static final String FILE = "logback.configurationFile";
    private static final String LEVEL = "artel.log-level";
    private static final String FORMAT = "artel.log-format";
    private static final String CONSOLE = "console";

    /// Libraries. They log at WARN whatever the level is: at a lower one some log whole requests, with the tokens in them. How much they
    /// log is bounded ([LibraryLines]).
    private static final List<String> LIBRARIES =
            List.of(
                    "com.fasterxml",
                    "com.google",
                    "com.jayway",
                    "com.rabbitmq",
                    "dev.cel",
                    "dev.langchain4j",
                    "io.github.bucket4j",
                    "io.javalin",
                    "io.micrometer",
                    "io.netty",
                    "io.opentelemetry",
                    "io.prometheus",
                    "jdk",
                    "net.minidev",
                    "org.apache.hc",
                    "org.eclipse.jetty",
                    "org.sqlite",
                    "org.zeromq",
                    "redis.clients",
                    "software.amazon",
                    "zmq");

    /// Where it was configured already; null before anything was logged.
    private static volatile @Nullable LoggerContext begun;

    /// For the logging library, which finds it by its name.
    public ProgramLog() {}

    /// Asks for it. A program calls it as the first thing that it does, and again when it knows its settings: a library that was asked
    /// for a logger before would have the logging library begin with settings of its own, which log everything.
    public static void begin(LogSettings settings) {
        if (System.getProperty(FILE) == null) {
            System.setProperty(LEVEL, settings.level().toString());
            System.setProperty(FORMAT, settings.format().toString());
            var context = begun;
            if (context != null) {
                context.reset();
                writeAsSet(context);
            }
        }
    }

    /// Logs at another level from now on.
    ///
    /// @return whether it does; false where a file sets how to log
    public static boolean change(Level level) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
            if (root.getAppender(CONSOLE) != null && System.getProperty(LEVEL) != null) {
                root.setLevel(ch.qos.logback.classic.Level.convertAnSLF4JLevel(level));
                return true;
            }
        }
        return false;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty(LEVEL) == null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        begun = context;
        writeAsSet(context);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static void writeAsSet(LoggerContext context) {
        write(
                context,
                LogSettings.Format.valueOf(System.getProperty(FORMAT)),
                Level.valueOf(System.getProperty(LEVEL)));
    }

    static void write(LoggerContext context, LogSettings.Format format, Level level) {
        var lines = layout(format, ZoneId.systemDefault());
        lines.setContext(context);
        lines.start();
        var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setLayout(lines);
        encoder.start();
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(context);
        console.setName(CONSOLE);
        console.setEncoder(encoder);
        console.start();
        var libraryLines = new LibraryLines(LIBRARIES, System::nanoTime);
        libraryLines.setContext(context);
        libraryLines.start();
        context.addTurboFilter(libraryLines);
        LIBRARIES.forEach(
                name -> context.getLogger(name).setLevel(ch.qos.logback.classic.Level.WARN));
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(ch.qos.logback.classic.Level.convertAnSLF4JLevel(level));
        root.addAppender(console);
    }

    private static LayoutBase<ILoggingEvent> layout(LogSettings.Format format, ZoneId zone) {
        return switch (format) {
            case TEXT -> new LogLayout(zone);
            case JSON -> new JsonLayout(zone);
        };
    }
}
