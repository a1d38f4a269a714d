package dev.artel.engine.shell;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// Reads jobs, and waits for their ends. Safe for use by many threads.
final class JobReader {
    private final EventStore store;
    private final Function<JobId, Optional<Job>> live;
    private final CompletionWaiters waiters;
    private final SharedFolds folds;

    /// @param live the jobs that are in memory, as they are durable
    JobReader(EventStore store, Function<JobId, Optional<Job>> live, CompletionWaiters waiters) {
        this.store = store;
        this.live = live;
        this.waiters = waiters;
        folds = new SharedFolds(store);
    }

    /// See [dev.artel.kernel.engine.Engine#find].
    Optional<Job> find(JobId job) {
        var found = live.apply(job);
        if (found.isPresent()) {
            return found;
        }
        try {
            return folds.of(job) instanceof Job folded ? Optional.of(folded) : Optional.empty();
        } catch (StoreException unreadable) {
            throw unreadable;
        } catch (RuntimeException nonsense) {
            throw new StoreException.StoreCorrupt(
                    "reading job " + job + ": its events are inconsistent: " + nonsense, nonsense);
        }
    }

    /// See [dev.artel.kernel.engine.Engine#awaitFinal].
    Optional<Job> awaitFinal(JobId job, Duration timeout) {
        var place = waiters.await(job);
        try {
            if (isOver(job)) {
                return find(job);
            }
            return Optional.of(place.end().get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | CancellationException notYet) {
            return find(job);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return find(job);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("the end of a job is never an exception", impossible);
        } finally {
            waiters.forget(place);
        }
    }

    /// Waits for the end of a job without reading its events.
    ///
    /// @return whether it has ended, or is not there; false after `timeout`, or when waiting was ended
    boolean awaitEnd(JobId job, Duration timeout) {
        var place = waiters.await(job);
        try {
            if (!isOver(job)) {
                place.end().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            }
            return true;
        } catch (TimeoutException | CancellationException notYet) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("the end of a job is never an exception", impossible);
        } finally {
            waiters.forget(place);
        }
    }

    /// Whether a job has ended, or is not there. One in memory is asked itself: its row may be durable a moment before
    /// those who read it see the end, and who waited for the end must see it.
    private boolean isOver(JobId job) {
        return live.apply(job)
                .map(Job::isFinal)
                .orElseGet(() -> store.find(job).map(JobRow::isFinal).orElse(true));
    }
}
