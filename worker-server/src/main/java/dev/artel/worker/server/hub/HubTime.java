package dev.artel.worker.server.hub;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The hub's own time: that of a monotonic clock, less the pauses of the process. While a collector or a debugger holds the
/// process no heartbeat can arrive, so that such a pause is no worker's silence. Guarded by the hub's lock.
final class HubTime {
    private static final Logger LOG = LoggerFactory.getLogger(HubTime.class);

    private final InstantSource monotonic;

    /// The hub looks at the clock at least this often.
    private final Duration interval;

    private Instant seen;
    private Duration paused = Duration.ZERO;

    HubTime(InstantSource monotonic, Duration interval) {
        this.monotonic = monotonic;
        this.interval = interval;
        this.seen = monotonic.instant();
    }

    /// This moment. Where more than two intervals passed since the last call, all but one of them count as a pause.
    Instant now() {
        var now = monotonic.instant();
        var gap = Duration.between(seen, now);
        if (gap.compareTo(interval.multipliedBy(2)) > 0) {
            var pause = gap.minus(interval);
            paused = paused.plus(pause);
            LOG.atWarn()
                    .addKeyValue("pause", pause)
                    .log("the process paused; that time counts for no timeout");
        }
        seen = now;
        return now.minus(paused);
    }

    /// The clock goes on from here, whatever passed while it was not looked at.
    void resume() {
        var now = monotonic.instant();
        paused = paused.plus(Duration.between(seen, now));
        seen = now;
    }
}
