package dev.artel.server.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;

/// Lets a program log a line per event to its standard output, without a file that says so: reading one takes as long
/// as a fifth of a start. Nothing happens in programs that do not ask for it, nor where a file is given.
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class ProgramLog extends ContextAwareBase implements Configurator {
    private static final String FILE = "logback.configurationFile";
    private static final String LEVEL = "artel.log-level";

    /// These say much at the level at which the orchestrator says little.
    private static final List<String> TALKATIVE =
            List.of("io.javalin", "org.eclipse.jetty", "org.flywaydb");

    /// For the logging library, which finds it by its name.
    public ProgramLog() {}

    /// Asks for it. To be called before anything is logged.
    public static void begin(Map<String, String> environment) {
        if (System.getProperty(FILE) == null) {
            System.setProperty(LEVEL, environment.getOrDefault("ARTEL_LOG_LEVEL", "INFO"));
        }
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        var level = System.getProperty(LEVEL);
        if (level == null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        var lines = new LogLayout();
        lines.setContext(context);
        lines.start();
        var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
        encoder.setContext(context);
        encoder.setLayout(lines);
        encoder.start();
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(context);
        console.setName("console");
        console.setEncoder(encoder);
        console.start();
        TALKATIVE.forEach(name -> context.getLogger(name).setLevel(Level.WARN));
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(level, Level.INFO));
        root.addAppender(console);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
