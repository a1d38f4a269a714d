package dev.artel.engine.shell;

import dev.artel.engine.core.PendingAppend;
import dev.artel.engine.core.PendingAppend.Outcome;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one thread that appends: it commits whatever waits (group commit), of what costs the store much a little with each commit. A platform
/// thread, since the store's native calls would pin a virtual one.
///
/// The queue holds at most one entry for each job in memory.
final class StoreWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWriter.class);
    private static final int MAX_BATCH = 2048;
    private static final Duration FULL_PAUSE = Duration.ofMillis(500);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /// After this time without a commit new jobs are refused.
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final long IDLE = Long.MIN_VALUE;
    private static final String NO_ANSWER = "it has not answered";

    private static final String NAME = "artel-store-writer";

    private final EventStore store;
    private final Vitals vitals;
    private final Vitals.Heart heart;
    private final BlockingQueue<Entry> queue = new LinkedBlockingQueue<>();

    /// Of the thread.
    private final HeavyAppends<Entry> heavy = new HeavyAppends<>();

    private final LongAdder appends = new LongAdder();
    private final LongAdder commits = new LongAdder();
    private final Thread thread;
    private boolean idle;
    private volatile boolean full;

    /// When the batch at hand was first tried.
    private volatile long begun = IDLE;

    /// The latest failure of the store with the batch at hand.
    private volatile String trouble = NO_ANSWER;

    private volatile CommitObserver observer = (_, _) -> {};
    private volatile boolean closed;

    /// A writer without supervision.
    StoreWriter(EventStore store) {
        this(store, new Vitals(Supervision.LOG_ONLY, Duration.ofMinutes(1)));
    }

    StoreWriter(EventStore store, Vitals vitals) {
        this.store = store;
        this.vitals = vitals;
        heart = vitals.heart(NAME);
        thread = Thread.ofPlatform().name(NAME).start(this::run);
    }

    /// An append and the receiver of its outcome, who gets one: for another one it might have the next append in work.
    private static final class Entry {
        private final PendingAppend pending;
        private final Consumer<Outcome> onOutcome;
        private boolean isOver;

        Entry(PendingAppend pending, Consumer<Outcome> onOutcome) {
            this.pending = pending;
            this.onOutcome = onOutcome;
        }

        Append append() {
            return pending.append();
        }

        PendingAppend pending() {
            return pending;
        }

        boolean isOver() {
            return isOver;
        }

        void end(Outcome outcome) {
            if (!isOver) {
                isOver = true;
                onOutcome.accept(outcome);
            }
        }
    }

    void write(Append append, Consumer<Outcome> onOutcome) {
        queue.add(new Entry(new PendingAppend(append), onOutcome));
    }

    /// For receivers of an append's outcome: whether nothing else waits to be written, so that the calling thread
    /// may as well do what follows, which saves the wake-up of another.
    boolean isIdle() {
        return idle;
    }

    /// Whether the store has no room at this moment.
    boolean isFull() {
        return full;
    }

    /// Why nothing becomes durable at this moment; empty if it does.
    Optional<String> obstacle() {
        if (full) {
            return Optional.of(
                    "the store has no room; free some on its disk, new jobs are taken again by"
                            + " themselves");
        }
        var since = begun;
        var age = System.nanoTime() - since;
        if (since == IDLE || age < TIMEOUT.toNanos()) {
            return Optional.empty();
        }
        return Optional.of(
                "the store has taken no append for "
                        + age / 1_000_000_000
                        + " s ("
                        + trouble
                        + "); what is to be written waits, and is taken again by itself");
    }

    void observedBy(CommitObserver other) {
        observer = other;
    }

    long appends() {
        return appends.sum();
    }

    long commits() {
        return commits.sum();
    }

    private void run() {
        var batch = new ArrayList<Entry>();
        while (!closed || !queue.isEmpty() || !heavy.isEmpty()) {
            try {
                var first = heavy.isEmpty() ? queue.poll(200, TimeUnit.MILLISECONDS) : queue.poll();
                if (first != null) {
                    batch.add(first);
                    queue.drainTo(batch, MAX_BATCH - 1);
                    batch.removeIf(this::isSetAside);
                }
                batch.addAll(heavy.take());
                if (!batch.isEmpty()) {
                    appendAll(batch);
                } else if (full) {
                    tryRoom();
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return;
            } catch (Error error) {
                vitals.fatal(NAME, error, heaviest(batch));
                batch.forEach(StoreWriter::isUnknown);
            } finally {
                batch.clear();
            }
        }
    }

    /// Whether it costs much, and waits for its turn.
    private boolean isSetAside(Entry entry) {
        var weight = HeavyAppends.weight(entry.append());
        if (weight == 0) {
            return false;
        }
        heavy.add(entry.append().row().client(), entry, weight);
        return true;
    }

    /// The job whose events are the most, which may have been too many.
    private static List<JobId> heaviest(List<Entry> batch) {
        return batch.stream()
                .map(Entry::append)
                .max(Comparator.comparingInt(append -> append.events().size()))
                .map(append -> List.of(append.row().id()))
                .orElse(List.of());
    }

    private static void isUnknown(Entry entry) {
        entry.end(new Outcome.Failed("it is unknown whether it is durable; send it again"));
    }

    /// Returns when each entry has its outcome. The store is given the same entries until it has taken them.
    private void appendAll(List<Entry> batch) throws InterruptedException {
        begun = System.nanoTime();
        var pause = FIRST_PAUSE;
        var waiting = append(batch);
        while (!waiting.isEmpty()) {
            Thread.sleep(pause);
            pause =
                    pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                            ? pause.multipliedBy(2)
                            : LONGEST_PAUSE;
            waiting = append(waiting);
        }
        if (!trouble.equals(NO_ANSWER)) {
            LOG.atInfo()
                    .addKeyValue("millis", (System.nanoTime() - begun) / 1_000_000)
                    .log("the store accepts appends again");
        }
        begun = IDLE;
        trouble = NO_ANSWER;
    }

    /// @return the entries that are to be written again, in their order
    private List<Entry> append(List<Entry> entries) {
        try {
            heart.begin();
            var before = System.nanoTime();
            var results = store.append(entries.stream().map(Entry::append).toList());
            observer.committed(entries.size(), Duration.ofNanos(System.nanoTime() - before));
            commits.increment();
            appends.add(entries.size());
            leaveFull();
            idle = entries.size() == 1 && queue.isEmpty() && heavy.isEmpty();
            return answered(entries, results);
        } catch (StoreException.StoreFull noRoom) {
            return afterFull(entries, noRoom);
        } catch (StoreException.StoreUnavailable unknown) {
            entries.forEach(entry -> entry.pending().unknown());
            if (trouble.equals(NO_ANSWER)) {
                LOG.atWarn()
                        .addKeyValue("entries", entries.size())
                        .setCause(unknown)
                        .log("the store does not accept appends; they are repeated");
            }
            trouble = String.valueOf(unknown.getMessage());
            return entries;
        } catch (RuntimeException broken) {
            return alone(entries, broken);
        } finally {
            heart.rest();
        }
    }

    /// One entry must not fail its neighbours.
    private List<Entry> alone(List<Entry> entries, RuntimeException broken) {
        if (entries.size() > 1) {
            var left = entries.stream().filter(entry -> !entry.isOver()).toList();
            left.forEach(entry -> entry.pending().unknown());
            return left.stream().flatMap(entry -> append(List.of(entry)).stream()).toList();
        }
        var entry = entries.getFirst();
        LOG.atError()
                .addKeyValue("stream", entry.append().stream())
                .setCause(broken)
                .log("an append failed with unknown outcome; the job is read again");
        entry.end(
                new Outcome.Failed(
                        "the store did not report whether it is durable ("
                                + broken.getMessage()
                                + "); send it again"));
        return List.of();
    }

    private List<Entry> answered(List<Entry> entries, List<AppendResult> results) {
        var again = new ArrayList<Entry>();
        for (var i = 0; i < entries.size(); i++) {
            var entry = entries.get(i);
            entry.pending()
                    .answered(results.get(i))
                    .or(() -> compared(entry))
                    .ifPresentOrElse(entry::end, () -> again.add(entry));
        }
        return again;
    }

    /// Empty if the stream cannot be read now.
    private Optional<Outcome> compared(Entry entry) {
        var append = entry.append();
        try {
            return Optional.of(
                    entry.pending().compare(store.read(append.stream(), append.expected())));
        } catch (StoreException.StoreUnavailable later) {
            trouble = String.valueOf(later.getMessage());
            return Optional.empty();
        } catch (StoreException unreadable) {
            LOG.atError()
                    .addKeyValue("stream", append.stream())
                    .setCause(unreadable)
                    .log("whether an append is durable cannot be read; the job is read again");
            return Optional.of(
                    new Outcome.Failed(
                            "whether it is durable cannot be read ("
                                    + unreadable.getMessage()
                                    + "); send it again"));
        }
    }

    /// There may be no other write: new jobs are refused for as long as the store counts as full.
    private void tryRoom() throws InterruptedException {
        try {
            if (store.append(List.of()).isEmpty()) {
                leaveFull();
            }
        } catch (StoreException noRoomYet) {
            LOG.atDebug().addKeyValue("cause", noRoomYet.getMessage()).log("still no room");
            Thread.sleep(FULL_PAUSE);
        }
    }

    /// New jobs are refused while there is no room; what belongs to jobs that exist waits until there is some.
    private List<Entry> afterFull(List<Entry> entries, StoreException.StoreFull noRoom) {
        if (!full) {
            full = true;
            LOG.atError()
                    .setCause(noRoom)
                    .log("the store has no room; new jobs are refused until it has");
        }
        var outcome = new Outcome.Failed("the store has no room: " + noRoom.getMessage());
        entries.stream()
                .filter(entry -> entry.append().expected() == 0 || closed)
                .forEach(entry -> entry.end(outcome));
        return entries.stream().filter(entry -> entry.append().expected() != 0 && !closed).toList();
    }

    private void leaveFull() {
        if (full) {
            full = false;
            LOG.atInfo().log("the store has room again");
        }
    }

    /// Writes what waits and stops.
    @Override
    public void close() {
        closed = true;
        try {
            if (!thread.join(Duration.ofSeconds(30))) {
                LOG.atWarn()
                        .addKeyValue("entries", queue.size())
                        .log("the store writer did not end in time");
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
