package dev.artel.engine.shell;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps folds of jobs with a long history, beside all else, on a thread of its own. What it does not get to is folded
/// again by the next reader of the job.
final class FoldKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FoldKeeper.class);
    private static final Duration END = Duration.ofSeconds(10);

    /// More jobs than these do not wait; they are kept another time.
    private static final int MOST_WAITING = 1_000;

    /// Of the heap this part may wait, as jobs are estimated in memory.
    private static final int OF_THE_HEAP = 32;

    private static final int REMEMBERED = 10_000;

    /// A fold of many bytes is kept so much less often that this many are written for an event, at most.
    private static final int BYTES_FOR_AN_EVENT = 512;

    private static final String NAME = "artel-folds";

    private final EventStore store;
    private final Vitals vitals;
    private final long mostBytes;
    private final Map<JobId, Waiting> waiting = new LinkedHashMap<>();
    private final Map<JobId, Kept> kept =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<JobId, Kept> eldest) {
                    return size() > REMEMBERED;
                }
            };
    private final Thread thread;
    private long waitingBytes;
    private boolean closed;

    private record Waiting(Job job, long bytes) {}

    private record Kept(long version, long bytes) {}

    FoldKeeper(EventStore store, Vitals vitals) {
        this(store, vitals, Runtime.getRuntime().maxMemory() / OF_THE_HEAP);
    }

    /// @param mostBytes how many bytes jobs that wait may take, or one job
    FoldKeeper(EventStore store, Vitals vitals, long mostBytes) {
        this.store = store;
        this.vitals = vitals;
        this.mostBytes = mostBytes;
        thread = Thread.ofPlatform().name(NAME).daemon().start(this::run);
    }

    /// Keeps `job` some time.
    ///
    /// @param bytes about how many it takes in memory
    synchronized void keep(Job job, long bytes) {
        var before = waiting.get(job.id());
        var others = waitingBytes - (before == null ? 0 : before.bytes());
        if (!closed
                && (before != null || waiting.size() < MOST_WAITING)
                && (others == 0 || others + bytes <= mostBytes)) {
            waiting.put(job.id(), new Waiting(job, bytes));
            waitingBytes = others + bytes;
            notifyAll();
        }
    }

    /// Drops what waits of a job that is to be removed: another one may get its name.
    synchronized void forget(JobId job) {
        var before = waiting.remove(job);
        waitingBytes -= before == null ? 0 : before.bytes();
    }

    private void run() {
        try {
            for (var job = next(); job != null; job = next()) {
                keepNow(job);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized @Nullable Job next() throws InterruptedException {
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        var first = waiting.entrySet().iterator();
        if (closed || !first.hasNext()) {
            return null;
        }
        var oldest = first.next().getValue();
        first.remove();
        waitingBytes -= oldest.bytes();
        return oldest.job();
    }

    private void keepNow(Job job) {
        var last = kept.getOrDefault(job.id(), new Kept(0, 0));
        if ((job.version() - last.version()) * BYTES_FOR_AN_EVENT < last.bytes()) {
            return;
        }
        try {
            kept.put(job.id(), new Kept(job.version(), store.folds().keep(job)));
        } catch (StoreException later) {
            LOG.atDebug()
                    .addKeyValue("job", job.id())
                    .setCause(later)
                    .log("the snapshot of a job cannot be stored now");
        } catch (RuntimeException bug) {
            LOG.atError()
                    .addKeyValue("job", job.id())
                    .setCause(bug)
                    .log(
                            "the fold of a job cannot be kept; it is folded from its events each time");
        } catch (Error error) {
            vitals.fatal(NAME, error, List.of(job.id()));
        }
    }

    /// Ends the thread, after the current fold. Those that wait are dropped: a fold is a short cut to what the events contain
    /// already, and a reader of the job without one folds its events. So an end in order takes no longer for them, and
    /// costs the next start no more than a crash would.
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            if (!thread.join(END)) {
                LOG.atWarn().log("storing a snapshot has not ended in time");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
