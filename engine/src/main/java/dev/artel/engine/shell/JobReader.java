package dev.artel.engine.shell;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StreamId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Reads jobs, and waits for their ends. Safe for use by many threads.
final class JobReader {
    private final EventStore store;
    private final FinalWaiters waiters;

    JobReader(EventStore store, FinalWaiters waiters) {
        this.store = store;
        this.waiters = waiters;
    }

    /// See [dev.artel.kernel.engine.Engine#find].
    Optional<Job> find(JobId job) {
        var state = (JobState) new JobState.Unsubmitted(job);
        for (var append : store.read(StreamId.of(job), 0)) {
            state = Jobs.evolve(state, append.events()).after();
        }
        return state instanceof Job found ? Optional.of(found) : Optional.empty();
    }

    /// See [dev.artel.kernel.engine.Engine#awaitFinal].
    Optional<Job> awaitFinal(JobId job, Duration timeout) {
        var place = waiters.await(job);
        try {
            var row = store.find(job);
            if (row.isEmpty() || isFinal(row.get())) {
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
    /// @return whether it has ended, or is not there; false after `timeout`, or when nobody is to wait any more
    boolean awaitEnd(JobId job, Duration timeout) {
        var place = waiters.await(job);
        try {
            var row = store.find(job);
            if (row.isPresent() && !isFinal(row.get())) {
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

    private static boolean isFinal(JobRow row) {
        return switch (row.status()) {
            case "finished", "failed", "cancelled" -> true;
            default -> false;
        };
    }
}
