package dev.artel.server.feed;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Woken by the threads that have an event, waited on by one thread. Several wake-ups before a wait become one.
final class EventWaiter implements AutoCloseable {
    private final Semaphore rung = new Semaphore(0);
    private final Consumer<EventWaiter> end;

    EventWaiter(Consumer<EventWaiter> end) {
        this.end = end;
    }

    void ring() {
        if (rung.availablePermits() == 0) {
            rung.release();
        }
    }

    /// Waits for a ring, at most for `longest`.
    ///
    /// @return whether there was one
    boolean await(Duration longest) throws InterruptedException {
        if (!rung.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
        }
        rung.drainPermits();
        return true;
    }

    @Override
    public void close() {
        end.accept(this);
    }
}
