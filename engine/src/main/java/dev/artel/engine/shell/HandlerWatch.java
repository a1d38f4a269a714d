package dev.artel.engine.shell;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives handlers a limited number of places, and each of their runs a limited time.
///
/// A run that takes longer is over: its thread is interrupted and whatever it still says is dropped. One that pays no heed
/// to the interrupt leaves its place to others after a moment, as long as there are not too many of those; after that it
/// keeps its place, so that the number of threads is bounded. Safe for use by many threads.
final class HandlerWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerWatch.class);

    /// Runs are as many as places, so that to look at all of them costs less than an alarm for each.
    private static final Duration LOOK = Duration.ofMillis(100);

    private final int limit;
    private final Semaphore places;
    private final Semaphore abandonable;
    private final Duration heed;
    private final LongAdder overran = new LongAdder();
    private final Set<Run> runs = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor timer;

    /// @param limit how many handlers run at once, and how many may be left behind
    /// @param heed how long an interrupted handler may take to end
    HandlerWatch(int limit, Duration heed) {
        this.limit = limit;
        this.heed = heed;
        places = new Semaphore(limit);
        abandonable = new Semaphore(limit);
        ThreadFactory daemon =
                task -> Thread.ofPlatform().daemon().name("artel-handler-watch").unstarted(task);
        timer = new ScheduledThreadPoolExecutor(1, daemon);
        var _ =
                timer.scheduleWithFixedDelay(
                        this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private enum Phase {
        RUNNING,
        OVER_TIME,
        ABANDONED,
        ENDED
    }

    /// One run of a handler, which has a place until it ends.
    final class Run implements AutoCloseable {
        private final String what;
        private final Runnable late;
        private final long until;
        private final Thread thread = Thread.currentThread();
        private Phase phase = Phase.RUNNING;

        private Run(String what, Duration most, Runnable late) {
            this.what = what;
            this.late = late;
            until = System.nanoTime() + most.toNanos();
        }

        /// Whether what the handler has said counts: it ended within its time.
        synchronized boolean ended() {
            var inTime = phase == Phase.RUNNING;
            if (inTime) {
                phase = Phase.ENDED;
            }
            return inTime;
        }

        private void look(long now) {
            if (now - until > 0 && interrupt()) {
                overran.increment();
                late.run();
            } else if (now - until > heed.toNanos()) {
                abandon();
            }
        }

        private synchronized boolean interrupt() {
            if (phase != Phase.RUNNING) {
                return false;
            }
            phase = Phase.OVER_TIME;
            thread.interrupt();
            return true;
        }

        private synchronized void abandon() {
            if (phase != Phase.OVER_TIME) {
                return;
            }
            if (!abandonable.tryAcquire()) {
                return;
            }
            LOG.atWarn()
                    .addKeyValue("handler", what)
                    .addKeyValue("abandoned", abandoned())
                    .addKeyValue("at", thread.getStackTrace())
                    .log("a handler goes on although its time is over and it was interrupted");
            phase = Phase.ABANDONED;
            places.release();
        }

        @Override
        public synchronized void close() {
            runs.remove(this);
            if (phase == Phase.ABANDONED) {
                abandonable.release();
            } else {
                places.release();
            }
            phase = Phase.ENDED;
        }
    }

    /// Waits for a place.
    void await() throws InterruptedException {
        places.acquire();
    }

    /// Takes a place if there is one.
    boolean tryEnter() {
        return places.tryAcquire();
    }

    /// Begins a run in this thread, which has a place.
    ///
    /// @param late is told when it takes longer than `most`
    Run begin(String what, Duration most, Runnable late) {
        var run = new Run(what, most, late);
        runs.add(run);
        return run;
    }

    private void look() {
        var now = System.nanoTime();
        for (var run : runs) {
            try {
                run.look(now);
            } catch (RuntimeException bug) {
                // One that throws would end the watch over all others, and nobody would know.
                LOG.atError()
                        .addKeyValue("handler", run.what)
                        .setCause(bug)
                        .log("the watch over a handler failed; it goes on with the others");
            }
        }
    }

    /// How many runs took longer than they might.
    long overran() {
        return overran.sum();
    }

    /// How many go on although they were left behind.
    int abandoned() {
        return limit - abandonable.availablePermits();
    }

    /// How many have a place.
    int running() {
        return limit - places.availablePermits();
    }

    /// Waits until none has a place any more.
    boolean drain(Duration patience) throws InterruptedException {
        if (!places.tryAcquire(limit, patience.toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
        }
        places.release(limit);
        return true;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
