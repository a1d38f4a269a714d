package dev.artel.worker.link;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Something that a link does over and over on a thread of its own, until the thread is interrupted.
interface Loop {
    /// How long to rest after a fault of our own, so that it does not fill the log.
    Duration REST = Duration.ofSeconds(1);

    /// Does it once.
    ///
    /// @throws InterruptedException if the link ends
    void turn() throws InterruptedException;

    /// Whether there is no more to do.
    default boolean isDone() {
        return false;
    }

    /// Starts a thread that turns until it is done or interrupted. A turn that fails is logged and followed by
    /// another one.
    default Thread start(String name) {
        return Thread.ofVirtual().name(name).start(this::run);
    }

    private void run() {
        var log = LoggerFactory.getLogger(getClass());
        try {
            while (!isDone()) {
                turnSafely(log);
            }
        } catch (InterruptedException ended) {
            log.debug("ended");
        }
    }

    private void turnSafely(Logger log) throws InterruptedException {
        try {
            turn();
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("thread", Thread.currentThread().getName())
                    .setCause(e)
                    .log("unexpected failure; going on");
            Thread.sleep(REST);
        }
    }
}
