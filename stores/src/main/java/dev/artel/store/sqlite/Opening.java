package dev.artel.store.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits a while for what keeps a file from being opened and passes: the lock of another program, a full disk. An
/// orchestrator that was killed meanwhile comes back by itself then.
final class Opening {
    private static final Logger LOG = LoggerFactory.getLogger(Opening.class);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private Opening() {}

    /// What may fail.
    interface Attempt {
        void make() throws SQLException;
    }

    /// Makes `attempt` until it succeeds, for a minute at most.
    ///
    /// @throws SQLException the last failure, or the first one that does not pass
    static void of(Path file, Attempt attempt) throws SQLException {
        var begun = System.nanoTime();
        for (var isFirst = true; ; isFirst = false) {
            try {
                attempt.make();
                return;
            } catch (SQLException failure) {
                if (!Failures.passes(failure) || System.nanoTime() - begun > TIMEOUT.toNanos()) {
                    throw failure;
                }
                if (isFirst) {
                    LOG.atWarn()
                            .addKeyValue("store", file)
                            .addKeyValue("cause", failure.getMessage())
                            .log("the store cannot be opened now; retrying for a minute");
                }
                pause(failure);
            }
        }
    }

    private static void pause(SQLException failure) throws SQLException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw failure;
        }
    }
}
