package dev.artel.server.logs;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Context;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/// The traces of the jobs that lines of the log are about, for the layouts of those lines. Without a source there are none, and a line costs what it
/// costs anyway. Safe for use by many threads.
public final class LoggedTraces {
    /// What a line calls the trace, as other programs do.
    static final String NAME = "trace_id";

    private static final String JOB = "job";

    private final List<Function<String, Optional<String>>> sources = new CopyOnWriteArrayList<>();

    private LoggedTraces() {}

    /// Asks `source` from now on, until it is closed.
    ///
    /// @param source the trace of a job, by the ids of both; must answer at once, and may not log
    public static AutoCloseable from(Function<String, Optional<String>> source) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return () -> {};
        }
        var all = of(context);
        all.sources.add(source);
        return () -> all.sources.remove(source);
    }

    private static synchronized LoggedTraces of(LoggerContext context) {
        if (context.getObject(LoggedTraces.class.getName()) instanceof LoggedTraces known) {
            return known;
        }
        var made = new LoggedTraces();
        context.putObject(LoggedTraces.class.getName(), made);
        return made;
    }

    /// That of the job among `pairs`; empty if there is none, or the job has none.
    static Optional<String> of(@Nullable Context context, @Nullable List<KeyValuePair> pairs) {
        if (context == null
                || pairs == null
                || !(context.getObject(LoggedTraces.class.getName()) instanceof LoggedTraces all)
                || all.sources.isEmpty()) {
            return Optional.empty();
        }
        return pairs.stream()
                .filter(pair -> pair.key.equals(JOB))
                .map(pair -> String.valueOf(pair.value))
                .flatMap(job -> all.sources.stream().map(source -> source.apply(job)))
                .flatMap(Optional::stream)
                .findFirst();
    }
}
