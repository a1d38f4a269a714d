package dev.artel.gateway.mindbus;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Names in the log what is moved to the dead-letter queue: [#MOST] lines a minute, since accounts of the broker that publish what cannot be
/// read would fill a disk otherwise. The next line has how many had none. Safe for use by many threads.
final class DeadLetterLog {
    /// In a minute.
    static final int MOST = 60;

    private static final Logger LOG = LoggerFactory.getLogger(BusQueues.class);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final String queue;
    private final InstantSource clock;
    private Instant began;
    private int lines;
    private long leftOut;

    /// @param queue where the messages are
    DeadLetterLog(String queue, InstantSource clock) {
        this.queue = queue;
        this.clock = clock;
        this.began = clock.instant();
    }

    /// A message under `key` was moved.
    ///
    /// @param what became of it
    void add(String what, String key, String problem) {
        var before = next();
        if (before.isEmpty()) {
            return;
        }
        var line =
                LOG.atWarn()
                        .addKeyValue("key", BusEvent.shortened(key))
                        .addKeyValue("problem", problem)
                        .addKeyValue("moved_to", queue);
        (before.getAsLong() == 0 ? line : line.addKeyValue("not_logged_before", before.getAsLong()))
                .log(what);
    }

    /// Whether the next one has a line: how many had none since the last line; empty if it has none.
    synchronized OptionalLong next() {
        var now = clock.instant();
        if (now.isBefore(began) || !now.isBefore(began.plus(MINUTE))) {
            began = now;
            lines = 0;
        }
        if (lines == MOST) {
            leftOut++;
            return OptionalLong.empty();
        }
        lines++;
        var before = leftOut;
        leftOut = 0;
        return OptionalLong.of(before);
    }
}
