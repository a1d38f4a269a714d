package dev.artel.gateway.mindbus;

import dev.artel.log.ForeignText;
import dev.artel.log.LinesAMinute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Names in the log what is moved to the dead-letter queue: [#MOST] lines a minute, since accounts of the broker that publish what cannot be
/// read would fill a disk otherwise. The next line has how many had none. Safe for use by many threads.
final class DeadLetterLog {
    /// In a minute.
    static final int MOST = 60;

    private static final Logger LOG = LoggerFactory.getLogger(BusQueues.class);

    private final String queue;
    private final LinesAMinute lines = new LinesAMinute(MOST);

    /// @param queue where the messages are
    DeadLetterLog(String queue) {
        this.queue = queue;
    }

    /// A message under `key` was moved.
    ///
    /// @param what became of it
    void add(String what, String key, String problem) {
        lines.log(
                LOG.atWarn()
                        .addKeyValue("key", ForeignText.shown(key))
                        .addKeyValue(
                                "problem", ForeignText.shown(problem, ForeignText.MOST_OF_MESSAGE))
                        .addKeyValue("moved_to", queue),
                what);
    }

    /// An error of the orchestrator had a message under `key` moved.
    void add(String key, RuntimeException bug) {
        lines.log(
                LOG.atError().addKeyValue("key", ForeignText.shown(key)).setCause(bug),
                "a message on the bus met with an error; it is in the dead-letter queue");
    }
}
