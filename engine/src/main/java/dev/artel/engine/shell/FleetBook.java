package dev.artel.engine.shell;

import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.Deliveries;
import dev.artel.kernel.fleet.Condition;
import dev.artel.kernel.fleet.Drain;
import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.fleet.FleetChange;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.fleet.WorkerRecord;
import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the book on the workers: adds to what they say what the orchestrator knows, and writes down what becomes of
/// them, once a second. Stands between conversations and engine. Safe for use by many threads.
///
/// An operator's drain is durable when the call returns; of the rest a crash may take the last second.
public final class FleetBook extends DeliveriesRelay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FleetBook.class);
    private static final Duration TURN = Duration.ofSeconds(1);
    private static final Duration NOTE_PRESENCE = Duration.ofMinutes(5);
    private static final Duration TIDY = Duration.ofHours(1);
    private static final Duration KEEP = Duration.ofDays(30);
    private static final int PAGE = 1000;

    private final Fleet fleet;
    private final InstantSource clock;
    private final Outcomes outcomes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<WorkerId, Entry> entries = new LinkedHashMap<>();

    /// Workers with a sign of life that is to be noted.
    private final Map<WorkerId, Entry> heard = new LinkedHashMap<>();

    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("artel-fleet").factory());
    private final AtomicInteger present = new AtomicInteger();
    private volatile DrainWatch watch = (_, _) -> {};
    private Instant tidied;
    private Instant presenceNoted;

    /// Hears of workers that begin to drain by their own word, and of those that take work again.
    @FunctionalInterface
    public interface DrainWatch {
        /// `worker` begins to drain, or takes work again.
        void drains(WorkerId worker, boolean drains);
    }

    private static final class Entry {
        @Nullable WorkerRecord record;

        /// What the worker says about itself; null while it is not there.
        @Nullable WorkerProfile said;

        /// What the engine was told last.
        @Nullable WorkerProfile told;

        /// A sign of life that is to be noted.
        @Nullable Instant seen;
    }

    private FleetBook(Fleet fleet, Deliveries next, InstantSource clock) {
        super(next);
        this.fleet = fleet;
        this.clock = clock;
        this.outcomes = new Outcomes();
        this.tidied = clock.instant();
        this.presenceNoted = tidied;
    }

    /// A book that knows what `fleet` knows.
    ///
    /// @param next who stands between the book and `engine`, or the engine itself
    /// @throws StoreException if the fleet cannot be read
    public static FleetBook open(
            Fleet fleet, Deliveries next, LocalEngine engine, InstantSource clock) {
        var book = new FleetBook(fleet, next, clock);
        book.read();
        engine.observedBy(book.outcomes);
        var _ =
                book.timer.scheduleWithFixedDelay(
                        book::turn, TURN.toMillis(), TURN.toMillis(), TimeUnit.MILLISECONDS);
        return book;
    }

    private void read() {
        var page = fleet.list(Optional.empty(), PAGE);
        while (!page.isEmpty()) {
            page.forEach(record -> entry(record.id()).record = record);
            page = fleet.list(Optional.of(page.getLast().id()), PAGE);
        }
    }

    private Entry entry(WorkerId worker) {
        return entries.computeIfAbsent(worker, _ -> new Entry());
    }

    /// Whoever stands between the book and the engine would say something else now: tells of each worker anew.
    public void review() {
        lock.lock();
        try {
            entries.values()
                    .forEach(known -> {
                        known.told = null;
                        tell(known);
                    });
        } finally {
            lock.unlock();
        }
    }

    /// Who hears from now on of drains that workers begin and end themselves; must not wait.
    public void watchedBy(DrainWatch who) {
        watch = who;
    }

    /// Whether nobody writes in it, so that who tells it something does not wait.
    public boolean isFree() {
        return !lock.isLocked();
    }

    /// How many workers are there.
    public int present() {
        return present.get();
    }

    /// What is remembered of a worker, with what is not written down yet; empty if it was never there.
    public Optional<WorkerRecord> find(WorkerId worker) {
        lock.lock();
        try {
            var known = entries.get(worker);
            return known == null ? Optional.empty() : Optional.ofNullable(known.record);
        } finally {
            lock.unlock();
        }
    }

    /// The workers that are remembered, in no order.
    public List<WorkerRecord> list() {
        lock.lock();
        try {
            return entries.values().stream()
                    .map(known -> known.record)
                    .filter(Objects::nonNull)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /// Lets a worker have no more tasks until [#undrain]; durable when the call returns.
    ///
    /// @return its record; empty if nobody has ever heard of it
    /// @throws StoreException if it cannot be written down; nothing has changed
    public Optional<WorkerRecord> drain(WorkerId worker, String by, Optional<String> reason) {
        return order(new FleetChange.Drained(worker, new Drain(by, reason, now())));
    }

    /// Takes a drain back; durable when the call returns.
    ///
    /// @return its record; empty if nobody has ever heard of it
    /// @throws StoreException if it cannot be written down; nothing has changed
    public Optional<WorkerRecord> undrain(WorkerId worker) {
        return order(new FleetChange.Undrained(worker, now()));
    }

    private Optional<WorkerRecord> order(FleetChange change) {
        lock.lock();
        try {
            var known = entries.get(change.worker());
            if (known == null) {
                return Optional.empty();
            }
            write(List.of(change));
            return Optional.ofNullable(known.record);
        } finally {
            lock.unlock();
        }
    }

    /// Writes down what has happened since the last turn.
    void turn() {
        lock.lock();
        try {
            var now = now();
            var changes = new ArrayList<FleetChange>();
            notePresence(now);
            heard.forEach((worker, known) -> {
                if (known.seen != null) {
                    changes.add(new FleetChange.Seen(worker, known.seen));
                }
            });
            var judged = outcomes.take();
            judged.forEach((worker, reputation) ->
                    changes.add(new FleetChange.Judged(worker, reputation, now)));
            try {
                write(changes);
            } catch (StoreException later) {
                outcomes.putBack(judged);
                throw later;
            }
            tidy(now);
        } catch (StoreException failure) {
            LOG.atWarn()
                    .addKeyValue("cause", failure.getMessage())
                    .log("the book on the workers cannot be written; it is tried again");
        } catch (RuntimeException bug) {
            LOG.atError().setCause(bug).log("a turn of the book on the workers failed");
        } finally {
            lock.unlock();
        }
    }

    private void notePresence(Instant now) {
        if (presenceNoted.plus(NOTE_PRESENCE).isAfter(now)) {
            return;
        }
        presenceNoted = now;
        entries.forEach((worker, known) -> {
            if (known.said != null) {
                hear(worker, known, now);
            }
        });
    }

    private void hear(WorkerId worker, Entry known, Instant now) {
        known.seen = now;
        heard.put(worker, known);
    }

    private void write(List<FleetChange> changes) {
        if (changes.isEmpty()) {
            return;
        }
        for (var record : fleet.apply(changes)) {
            var known = entry(record.id());
            known.record = record;
            if (known.seen != null && !known.seen.isAfter(record.lastSeen())) {
                known.seen = null;
                heard.remove(record.id());
            }
            tell(known);
        }
    }

    private void tidy(Instant now) {
        if (tidied.plus(TIDY).isAfter(now)) {
            return;
        }
        tidied = now;
        var before = now.minus(KEEP);
        if (fleet.forget(before, PAGE) > 0) {
            entries.values()
                    .removeIf(known ->
                            known.said == null
                                    && known.record != null
                                    && known.record.drain().isEmpty()
                                    && known.record.lastSeen().isBefore(before));
        }
    }

    /// Tells the engine of a worker that is there, if there is something new.
    private void tell(Entry known) {
        if (known.said == null) {
            return;
        }
        var profile = known.record == null ? known.said : withRecord(known.said, known.record);
        if (!profile.equals(known.told)) {
            known.told = profile;
            super.joined(profile);
        }
    }

    private static WorkerProfile withRecord(WorkerProfile said, WorkerRecord record) {
        // Coarse, so that the engine does not hear of each outcome.
        var known = said.withReputation(Math.rint(record.reputation().score() * 100) / 100);
        return record.drain().isPresent() ? known.with(Condition.DRAINING) : known;
    }

    private Instant now() {
        return clock.instant();
    }

    @Override
    public void joined(WorkerProfile profile) {
        lock.lock();
        try {
            var known = entry(profile.id());
            var drained = known.said != null && known.said.draining();
            if (drained != profile.draining()) {
                watch.drains(profile.id(), profile.draining());
            }
            if (known.said == null) {
                present.incrementAndGet();
                hear(profile.id(), known, now());
                known.told = null;
            }
            known.said = profile;
            tell(known);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void left(WorkerId worker, LeaseEnding reason) {
        lock.lock();
        try {
            var known = entries.get(worker);
            if (known != null && known.said != null) {
                present.decrementAndGet();
                known.said = null;
                known.told = null;
                hear(worker, known, now());
            }
            super.left(worker, reason);
        } finally {
            lock.unlock();
        }
    }

    /// Writes down what is left.
    @Override
    public void close() {
        timer.shutdownNow();
        turn();
    }
}
