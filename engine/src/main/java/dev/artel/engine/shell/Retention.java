package dev.artel.engine.shell;

import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes closed jobs after their time, in small batches.
final class Retention implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final int BATCH = 500;

    private final EventStore store;
    private final InstantSource clock;
    private final KeepClosed keep;
    private final Duration period;
    private final Schedule schedule = new Schedule("artel-retention");

    Retention(EventStore store, InstantSource clock, KeepClosed keep) {
        this.store = store;
        this.clock = clock;
        this.keep = keep;
        var shortest = keep.shortest();
        period =
                shortest.compareTo(Duration.ofMinutes(10)) < 0
                        ? shortest.dividedBy(10).plusMillis(1)
                        : Duration.ofMinutes(1);
    }

    void start() {
        schedule.repeat(period, this::sweep);
    }

    void sweep() {
        try {
            var expiry = keep.at(clock.instant());
            var removed = 0;
            int batch;
            do {
                batch = store.removeClosed(expiry, BATCH);
                removed += batch;
            } while (batch == BATCH && !schedule.isClosed());
            if (removed > 0) {
                LOG.atInfo()
                        .addKeyValue("jobs", removed)
                        .log("closed jobs removed after their time");
            }
        } catch (StoreException failed) {
            LOG.atWarn().setCause(failed).log("closed jobs could not be removed; retrying later");
        }
    }

    @Override
    public void close() {
        schedule.close();
    }
}
