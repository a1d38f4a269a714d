package dev.artel.engine.shell;

import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes closed jobs after their time, in small batches.
final class Retention implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final int BATCH = 500;

    private final Vitals vitals;
    private final EventStore store;
    private final InstantSource clock;
    private final Duration keep;
    private final Duration period;
    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("artel-retention").factory());

    Retention(EventStore store, InstantSource clock, Duration keep, Vitals vitals) {
        this.vitals = vitals;
        this.store = store;
        this.clock = clock;
        this.keep = keep;
        period =
                keep.compareTo(Duration.ofMinutes(10)) < 0
                        ? keep.dividedBy(10).plusMillis(1)
                        : Duration.ofMinutes(1);
    }

    void start() {
        var _ =
                executor.scheduleWithFixedDelay(
                        vitals.guarded("artel-retention", this::sweep),
                        period.toMillis(),
                        period.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private void sweep() {
        try {
            var before = clock.instant().minus(keep);
            var removed = 0;
            int batch;
            do {
                batch = store.removeClosed(before, BATCH);
                removed += batch;
            } while (batch == BATCH && !executor.isShutdown());
            if (removed > 0) {
                LOG.atInfo()
                        .addKeyValue("jobs", removed)
                        .log("closed jobs removed after their time");
            }
        } catch (StoreException failed) {
            LOG.atWarn()
                    .setCause(failed)
                    .log("closed jobs could not be removed; tried again later");
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
