package dev.artel.kernel.store;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import java.util.List;

/// A job as its events describe it: the one fold of a stream, from the last kept one where there is one.
///
/// @param state after all events that were durable
/// @param folded how many events were behind the kept fold
public record StreamFold(JobState state, long folded) {
    private static final int PAGE = 512;

    /// Reads a job, page by page, so that a long history never is in memory as a whole.
    ///
    /// @throws StoreException if the store cannot be read
    public static StreamFold of(EventStore store, JobId job) {
        var unsubmitted = new JobState.Unsubmitted(job);
        return from(store, store.folds().find(job).<JobState>map(it -> it).orElse(unsubmitted));
    }

    /// Reads what has happened since a job was `kept`, an earlier state of it.
    ///
    /// @throws StoreException if the store cannot be read
    public static StreamFold from(EventStore store, JobState kept) {
        var stream = StreamId.of(kept.id());
        var state = kept;
        var more = true;
        while (more) {
            var page = store.page(stream, state.version(), PAGE, EventStore.EventPage.BYTES);
            for (var append : page.appends()) {
                state = Jobs.evolve(state, behind(state.version(), append)).after();
            }
            more = !page.isLast();
        }
        return new StreamFold(state, state.version() - kept.version());
    }

    /// Folds `tail`, or reads its job alone where it has none.
    ///
    /// @throws StoreException if the store cannot be read
    public static StreamFold of(EventStore store, EventStore.OpenTail tail) {
        if (tail.appends().isEmpty()) {
            return of(store, tail.id());
        }
        var kept = tail.fold().<JobState>map(it -> it).orElse(new JobState.Unsubmitted(tail.id()));
        var state = kept;
        for (var append : tail.appends().get()) {
            state = Jobs.evolve(state, behind(state.version(), append)).after();
        }
        return new StreamFold(state, state.version() - kept.version());
    }

    /// Folds `appends`, all that `job` has.
    ///
    /// @throws StoreException.StoreCorrupt if they make no sense
    public static JobState of(JobId job, List<StoredEvents> appends) {
        JobState state = new JobState.Unsubmitted(job);
        try {
            for (var append : appends) {
                state = Jobs.evolve(state, behind(state.version(), append)).after();
            }
        } catch (RuntimeException nonsense) {
            throw new StoreException.StoreCorrupt(
                    "reading job " + job + ": its events are inconsistent: " + nonsense, nonsense);
        }
        return state;
    }

    private static List<JobEvent> behind(long version, StoredEvents append) {
        var known = version + 1 - append.version();
        var events = append.events();
        return known <= 0 ? events : events.subList((int) known, events.size());
    }
}
