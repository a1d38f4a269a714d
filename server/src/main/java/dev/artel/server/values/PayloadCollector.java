package dev.artel.server.values;

import dev.artel.engine.shell.Schedule;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.ObjectStore.Kept;
import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes large values that no job names any more, or never did because their orchestrator died in between.
///
/// A value goes when it was put longer ago than the grace, no event names it, and none named it within the grace. A value
/// is put before the event that names it is written, and renewed by each put, so that the grace is the time for that. Goes
/// round the store in pages, with a pause after each.
public final class PayloadCollector implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PayloadCollector.class);
    private static final int PAGE = 500;
    private static final int NAMES = 10_000;
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    /// How long events that waited for room may still be on their way.
    private static final Duration AFTER_FULL = Duration.ofMinutes(10);

    private final EventStore events;
    private final ObjectStore objects;
    private final InstantSource clock;
    private final Duration grace;
    private final BooleanSupplier isFull;
    private final Schedule schedule = new Schedule("artel-sweep");

    private String last = "";
    private long seen;
    private long seenBytes;
    private Instant notBefore = Instant.MIN;

    private final LongAdder removed = new LongAdder();
    private final LongAdder removedBytes = new LongAdder();
    private volatile long kept;
    private volatile long keptBytes;

    /// A sweep of `objects`.
    ///
    /// @param isFull whether events wait for room
    public PayloadCollector(
            EventStore events,
            ObjectStore objects,
            InstantSource clock,
            Duration grace,
            BooleanSupplier isFull) {
        this.events = events;
        this.objects = objects;
        this.clock = clock;
        this.grace = grace;
        this.isFull = isFull;
    }

    /// Begins, with a pause.
    public void start() {
        later(Duration.ofMinutes(1));
    }

    private void later(Duration pause) {
        var _ = schedule.once(pause, this::go);
    }

    private void go() {
        var pause = LONGEST_PAUSE;
        try {
            pause = page() ? Duration.ofSeconds(1) : shorter(grace.dividedBy(4), LONGEST_PAUSE);
        } catch (StoreException failed) {
            LOG.atWarn().setCause(failed).log("large values could not be scanned; retrying later");
        } catch (RuntimeException bug) {
            LOG.atError().setCause(bug).log("the removal of large values failed; retrying later");
        } finally {
            later(pause);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /// Looks at some values.
    ///
    /// @return whether there are more before the end of the store
    /// @throws StoreException if one of the stores fails; the next call goes on at the same place
    public boolean page() {
        var now = clock.instant();
        if (isFull.getAsBoolean()) {
            notBefore = now.plus(AFTER_FULL);
        }
        if (now.isBefore(notBefore)) {
            return false;
        }
        var before = now.minus(grace);
        var page = objects.list(last, PAGE);
        var old =
                page.stream()
                        .filter(value -> value.put().isBefore(before))
                        .map(Kept::digest)
                        .toList();
        var unnamed = new HashSet<>(events.unnamed(old, before));
        for (var value : page) {
            if (unnamed.contains(value.digest()) && objects.remove(value.digest(), before)) {
                removed.increment();
                removedBytes.add(value.bytes());
            } else {
                seen++;
                seenBytes += value.bytes();
            }
        }
        if (!page.isEmpty()) {
            last = page.getLast().digest();
            return true;
        }
        return endOfRound(before);
    }

    private boolean endOfRound(Instant before) {
        kept = seen;
        keptBytes = seenBytes;
        last = "";
        seen = 0;
        seenBytes = 0;
        var _ = events.forgetNames(before, NAMES);
        LOG.atDebug().addKeyValue("values", kept).log("scanned all large values");
        return false;
    }

    /// How many values were removed since the start.
    public long removed() {
        return removed.sum();
    }

    /// How many bytes they had.
    public long removedBytes() {
        return removedBytes.sum();
    }

    /// How many values there were at the end of the last round.
    public long kept() {
        return kept;
    }

    /// How many bytes they had.
    public long keptBytes() {
        return keptBytes;
    }

    @Override
    public void close() {
        schedule.close();
    }
}
