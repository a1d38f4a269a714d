package dev.artel.kernel.store;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/// Remembers the events of jobs.
///
/// - [#append] is called by one thread at a time; everything else by any thread at any time, and it does not wait
///   for an append.
/// - A batch is written with one commit. An entry that fails is tried alone and never fails its neighbours.
/// - Entries of one stream in one batch are applied in their order.
///
/// Contract tests: `dev.artel.testkit.store.EventStoreContract`.
public interface EventStore extends AutoCloseable {
    /// Appends every entry of `batch` whose stream is at the version that it expects. An empty batch tries whether there
    /// is room, and leaves nothing behind.
    ///
    /// @return one result for each entry, in order; what is [AppendResult.Appended] is durable
    /// @throws StoreException.StoreFull if there is no room; nothing was written
    /// @throws StoreException.StoreUnavailable if the outcome is unknown for the whole batch
    List<AppendResult> append(List<Append> batch);

    /// The appends of `stream` that hold events after version `after`, oldest first; none for an unknown stream.
    List<StoredEvents> read(StreamId stream, long after);

    /// The first `limit` of what [#read(StreamId, long)] gives.
    List<StoredEvents> read(StreamId stream, long after, int limit);

    /// The first of what [#read(StreamId, long)] gives: at most `limit` appends, which together take up at most `bytes` where
    /// they are kept; one that takes up more comes alone. Appends of many small values count for more, so that what is read
    /// takes no more than some ten times `bytes` in memory. A store that keeps no bytes counts appends only.
    default EventPage page(StreamId stream, long after, int limit, long bytes) {
        var appends = read(stream, after, limit);
        return new EventPage(appends, appends.size() < limit);
    }

    /// The version of the last event of `stream` whose position is `position` or lower; 0 if there is none. It is looked up,
    /// however many events are before it.
    long versionAt(StreamId stream, long position);

    /// The appends of all jobs that hold events after `position`, in the order of positions, at most `limit`. What
    /// was removed is left out. A position that was read once never shows other events later, and none appear
    /// below the last one.
    List<Committed> committedAfter(long position, int limit);

    /// Gives `reader` the first of what [#committedAfter] gives, one after the other, so that no more than one of them need be in memory: at
    /// most `limit` appends, which together take up at most `bytes` where they are kept; one that takes up more comes alone. A store that keeps
    /// no bytes counts appends only.
    ///
    /// @param reader returns whether it takes another one; must not use the store
    /// @return whether none are behind those that it was given; where it is false, there may be more
    default boolean readCommitted(
            long position, int limit, long bytes, Predicate<Committed> reader) {
        var found = committedAfter(position, limit);
        for (var one : found) {
            if (!reader.test(one)) {
                return false;
            }
        }
        return found.size() < limit;
    }

    /// The position of the last event that was committed; 0 before the first.
    long lastPosition();

    /// Some of the jobs that are not closed, in the order of their first events.
    ///
    /// @param after the place behind which to begin, see [OpenJobs#next]; 0: at the first
    OpenJobs open(long after, int limit);

    /// The first of the jobs that [#open] gives, each with what its fold is made of where that is not much: to read many jobs
    /// together costs hardly more than their bytes, which are at most `bytes` where they are kept. What is wrong with one of
    /// them is found when it is read alone, also that memory ends; one that takes up more than `bytes` is read alone as well.
    /// A store that keeps no bytes counts jobs only.
    default OpenTails openTails(long after, int limit, long bytes) {
        var page = open(after, limit);
        return new OpenTails(
                page.jobs().stream()
                        .map(job -> new OpenTail(job, Optional.empty(), Optional.empty()))
                        .toList(),
                page.next());
    }

    /// The row of a job.
    Optional<JobRow> find(JobId job);

    /// Some of the rows that `query` asks for.
    JobPage list(JobQuery query);

    /// What is committed and not yet in its final place.
    default Backlog backlog() {
        return Backlog.NONE;
    }

    /// Folded jobs.
    default JobFolds folds() {
        return JobFolds.NONE;
    }

    /// The same store for the engine itself: however much others read, it need not wait for them.
    default EventStore reserved() {
        return this;
    }

    /// Lets `watch` know from now on what the threads of this store are at; called once.
    default void setWatch(StoreWatch watch) {}

    /// The lines that workers logged.
    JobLogs logs();

    /// How many jobs of `client` have not ended; `most` where there are as many or more, which are not looked at.
    long countOpen(String client, int most);

    /// How many jobs there are in each status, in the order of the statuses' names.
    List<StatusCount> countByStatus();

    /// The same, of the newest `most` jobs of `client` alone. It reads of these no more than their status.
    List<StatusCount> countByStatus(String client, int most);

    /// Removes closed jobs that are no longer kept, with all their events, at most `limit`, and gives the space back. A
    /// job whose parent is not closed stays, so that a child never begins a second time. Appends go in between, however
    /// many jobs are looked at.
    ///
    /// @return how many were removed; fewer than `limit`: there are no more of them
    int removeClosed(Expiry expiry, int limit);

    /// Removes one closed job with all that is kept of it here - its events and fold, the log of its workers, and by what it is
    /// found - and gives the space back. What it named is released as by [#removeClosed]. A job whose parent is not closed
    /// stays: that one may not know yet that it has begun, and would begin it a second time.
    ///
    /// @return what was found; after [Removal#REMOVED] the job is gone durably
    /// @throws StoreException.StoreUnavailable if the outcome is unknown; the same may be done again
    Removal remove(JobId job);

    /// Which of `digests` are the names of no large value: those that no event names, and that none named that was
    /// removed after `since`. A digest may count as named although no event names it, never the reverse.
    ///
    /// @return some of `digests`, in their order
    List<String> unnamed(List<String> digests, Instant since);

    /// Forgets what was named by events that were removed before `before`, at most `limit` names.
    ///
    /// @return how many were forgotten
    int forgetNames(Instant before, int limit);

    @Override
    void close();

    /// What becomes of a job that is to be removed.
    enum Removal {
        /// It is gone.
        REMOVED,
        /// There was none.
        UNKNOWN,
        /// It is not closed, and stays.
        OPEN,
        /// The job that started it is not closed, and both stay.
        PARENT_OPEN
    }

    /// How many jobs have a status.
    record StatusCount(String status, long jobs) {}

    /// Some appends of a stream.
    ///
    /// @param isLast whether there were none behind them; where it is false, there may be more
    record EventPage(List<StoredEvents> appends, boolean isLast) {
        /// So many bytes a reader of a long stream asks for at once.
        public static final long BYTES = 4 << 20;

        /// Copies `appends`.
        public EventPage {
            appends = List.copyOf(appends);
        }
    }

    /// Events of a job among those of all jobs.
    ///
    /// @param blueprint see [JobRow#blueprint]
    /// @param client see [JobRow#client]
    record Committed(JobId job, String blueprint, String client, StoredEvents events) {
        /// The position of the last event.
        public long last() {
            return events.position() + events.events().size() - 1;
        }
    }

    /// Jobs that are not closed.
    ///
    /// @param next the place from which to go on; empty: there are no more
    record OpenJobs(List<JobId> jobs, OptionalLong next) {
        /// Copies `jobs`.
        public OpenJobs {
            jobs = List.copyOf(jobs);
        }
    }

    /// Jobs that are not closed, with their tails.
    ///
    /// @param next the place from which to go on; empty: there are no more
    record OpenTails(List<OpenTail> jobs, OptionalLong next) {
        /// Copies `jobs`.
        public OpenTails {
            jobs = List.copyOf(jobs);
        }
    }

    /// A job that is not closed.
    ///
    /// @param fold the last fold that was kept and can be read
    /// @param appends those that hold the events behind the fold, oldest first, all of them; empty where the job is to be
    ///     read alone
    record OpenTail(JobId id, Optional<Job> fold, Optional<List<StoredEvents>> appends) {
        /// Copies `appends`.
        public OpenTail {
            appends = appends.map(List::copyOf);
        }
    }
}
