package dev.artel.engine.shell;

import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one thread that appends: it commits whatever waits (group commit). A platform thread, since the store's
/// native calls would pin a virtual one.
///
/// The queue holds at most one entry for each job in memory.
final class StoreWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWriter.class);
    private static final int MAX_BATCH = 2048;
    private static final Duration FULL_PAUSE = Duration.ofMillis(500);

    private final EventStore store;
    private final BlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
    private final LongAdder appends = new LongAdder();
    private final LongAdder commits = new LongAdder();
    private final Thread thread;
    private boolean idle;
    private volatile boolean full;
    private volatile boolean closed;

    StoreWriter(EventStore store) {
        this.store = store;
        thread = Thread.ofPlatform().name("artel-store-writer").start(this::run);
    }

    /// An append and who is told what became of it.
    record Entry(Append append, Consumer<Outcome> told) {}

    /// What became of an append.
    sealed interface Outcome {
        record Durable(long position) implements Outcome {}

        record Failed(String detail) implements Outcome {}

        /// It cannot be written, now or ever.
        record Refused(String detail) implements Outcome {}
    }

    void write(Append append, Consumer<Outcome> told) {
        queue.add(new Entry(append, told));
    }

    /// For those who are told of an append: whether nothing else waits to be written, so that the thread that tells
    /// them may as well do what follows, which saves the wake-up of another.
    boolean isIdle() {
        return idle;
    }

    /// Whether the store has no room at this moment.
    boolean isFull() {
        return full;
    }

    long appends() {
        return appends.sum();
    }

    long commits() {
        return commits.sum();
    }

    private void run() {
        var batch = new ArrayList<Entry>();
        while (!closed || !queue.isEmpty()) {
            try {
                var first = queue.poll(200, TimeUnit.MILLISECONDS);
                if (first != null) {
                    batch.add(first);
                    queue.drainTo(batch, MAX_BATCH - 1);
                    append(batch);
                    batch.clear();
                } else if (full) {
                    tryRoom();
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /// New jobs are refused while there is no room; what belongs to jobs that exist waits until there is some.
    private void append(List<Entry> batch) throws InterruptedException {
        var entries = batch;
        while (!entries.isEmpty()) {
            try {
                var results = store.append(entries.stream().map(Entry::append).toList());
                commits.increment();
                appends.add(entries.size());
                leaveFull();
                idle = entries.size() == 1 && queue.isEmpty();
                for (var i = 0; i < entries.size(); i++) {
                    entries.get(i).told().accept(outcomeOf(entries.get(i), results.get(i)));
                }
                return;
            } catch (StoreException.StoreFull noRoom) {
                entries = afterFull(entries, noRoom);
            } catch (RuntimeException unknown) {
                LOG.atError()
                        .addKeyValue("entries", entries.size())
                        .setCause(unknown)
                        .log("appends failed with unknown outcome; the jobs are read again");
                var outcome =
                        new Outcome.Failed(
                                "the store did not say whether it is durable ("
                                        + unknown.getMessage()
                                        + "); send it again");
                entries.forEach(entry -> entry.told().accept(outcome));
                return;
            }
        }
    }

    /// Nobody may be trying: new jobs are refused for as long as it is said that there is no room.
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

    private List<Entry> afterFull(List<Entry> entries, StoreException.StoreFull noRoom)
            throws InterruptedException {
        if (!full) {
            full = true;
            LOG.atError()
                    .setCause(noRoom)
                    .log("the store has no room; new jobs are refused until it has");
        }
        var outcome = new Outcome.Failed("the store has no room: " + noRoom.getMessage());
        entries.stream()
                .filter(entry -> entry.append().expected() == 0 || closed)
                .forEach(entry -> entry.told().accept(outcome));
        var waiting =
                entries.stream()
                        .filter(entry -> entry.append().expected() != 0 && !closed)
                        .toList();
        if (!waiting.isEmpty()) {
            // Nothing is due meanwhile: the disk is full, and a new entry would not fit either.
            Thread.sleep(FULL_PAUSE);
        }
        return waiting;
    }

    private void leaveFull() {
        if (full) {
            full = false;
            LOG.atInfo().log("the store has room again");
        }
    }

    private static Outcome outcomeOf(Entry entry, AppendResult result) {
        var stream = entry.append().stream();
        return switch (result) {
            case AppendResult.Appended(long position) -> new Outcome.Durable(position);
            case AppendResult.VersionConflict(long actual) ->
                    new Outcome.Failed(
                            stream
                                    + " is at version "
                                    + actual
                                    + ", expected "
                                    + entry.append().expected()
                                    + "; it is read again");
            case AppendResult.Refused(var reason) ->
                    new Outcome.Refused(stream + " cannot be written: " + reason);
        };
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
