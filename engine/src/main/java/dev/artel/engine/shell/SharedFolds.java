package dev.artel.engine.shell;

import dev.artel.engine.core.Footprint;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StreamFold;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/// Jobs that are read from their events: those who read a job at the same time share it, so that a job of 200 MB is there once. A
/// job is as it was when it was asked for, or newer. Safe for use by many threads.
final class SharedFolds {
    /// A job of fewer events, tasks and children is small, and soon read anew.
    private static final int FEW_EVENTS = 1_000;

    private static final int MOST_REMEMBERED = 64;

    private final EventStore store;
    private final int few;
    private final Map<JobId, Turn> turns = new ConcurrentHashMap<>();

    /// Long jobs that somebody has; guarded by itself.
    private final SequencedMap<JobId, WeakReference<JobState>> known = new LinkedHashMap<>();

    /// Of those who read a job.
    private static final class Turn {
        final ReentrantLock lock = new ReentrantLock();

        /// How many have it or wait for it; changed in [#turns] only.
        int readers;
    }

    SharedFolds(EventStore store) {
        this(store, FEW_EVENTS);
    }

    /// @param few jobs of fewer events, tasks and children are read anew each time
    SharedFolds(EventStore store, int few) {
        this.store = store;
        this.few = few;
    }

    /// All that has happened to `job`.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    JobState of(JobId job) {
        var turn =
                turns.compute(
                        job,
                        (_, there) -> {
                            var its = there == null ? new Turn() : there;
                            its.readers++;
                            return its;
                        });
        turn.lock.lock();
        try {
            // One that was removed is not there, although somebody still has it.
            var before = known(job).filter(_ -> store.find(job).isPresent());
            var now =
                    before.map(it -> StreamFold.from(store, it))
                            .orElseGet(() -> StreamFold.of(store, job))
                            .state();
            if (isLarge(now)) {
                remember(now);
            }
            return now;
        } finally {
            turn.lock.unlock();
            turns.computeIfPresent(job, (_, its) -> --its.readers == 0 ? null : its);
        }
    }

    private boolean isLarge(JobState state) {
        var parts = state instanceof Job job ? Footprint.parts(job) : 0;
        return Math.max(state.version(), parts) >= few;
    }

    private Optional<JobState> known(JobId job) {
        synchronized (known) {
            return Optional.ofNullable(known.get(job)).map(WeakReference::get);
        }
    }

    private void remember(JobState state) {
        synchronized (known) {
            known.putLast(state.id(), new WeakReference<>(state));
            if (known.size() > MOST_REMEMBERED) {
                known.pollFirstEntry();
            }
        }
    }
}
