package dev.artel.store.sqlite;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventCodec;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobFolds;
import dev.artel.kernel.store.JobPage;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What is read of jobs, over some connections. Safe for use by many threads.
///
/// @param folds over the same connections
record Reading(Readers readers, EventCodec codec, JobFolds folds) {
    private static final String JOB = "job";

    List<StoredEvents> read(StreamId stream, long after, int limit) {
        return page(stream, after, limit, Long.MAX_VALUE).appends();
    }

    EventStore.EventPage page(StreamId stream, long after, int limit, long bytes) {
        return stream.kind().equals(JOB)
                ? readers.read(
                        "reading " + stream,
                        reader -> new Streams(codec).read(reader, stream.id(), after, limit, bytes))
                : new EventStore.EventPage(List.of(), true);
    }

    long versionAt(StreamId stream, long position) {
        return stream.kind().equals(JOB)
                ? readers.read(
                        "finding position " + position + " in " + stream,
                        reader -> Streams.versionAt(reader, stream.id(), position))
                : 0;
    }

    List<EventStore.Committed> committedAfter(long position, int limit) {
        return readers.read(
                "reading events after position " + position,
                reader -> new Streams(codec).committedAfter(reader, position, limit));
    }

    boolean readCommitted(
            long position, int limit, long bytes, Predicate<EventStore.Committed> to) {
        return readers.read(
                "reading events after position " + position,
                reader -> new Streams(codec).readCommitted(reader, position, limit, bytes, to));
    }

    long lastPosition() {
        return readers.read(
                "finding the last event", reader -> Streams.lastPosition(reader.connection()));
    }

    EventStore.OpenJobs open(long after, int limit) {
        return readers.read("listing open jobs", reader -> Streams.open(reader, after, limit));
    }

    EventStore.OpenTails openTails(long after, int limit, long bytes) {
        return readers.read(
                "reading open jobs",
                reader -> new OpenTails(reader, codec, bytes).read(after, limit));
    }

    Optional<JobRow> find(JobId job) {
        return readers.read("finding job " + job, reader -> Listing.find(reader, job));
    }

    JobPage list(JobQuery query) {
        return readers.read("listing jobs", reader -> Listing.page(reader, query));
    }

    long countOpen(String client, int most) {
        return readers.read(
                "counting open jobs of client " + client,
                reader -> Listing.countOpen(reader, client, most));
    }

    List<EventStore.StatusCount> countByStatus() {
        return readers.read("counting jobs", reader -> Listing.countByStatus(reader.connection()));
    }

    List<EventStore.StatusCount> countByStatus(String client, int most) {
        return readers.read(
                "counting the newest jobs of client " + client,
                reader -> Listing.countByStatus(reader, client, most));
    }

    List<String> unnamed(List<String> digests, Instant since) {
        return readers.read(
                "looking for names of large values",
                reader -> PayloadReferences.unnamed(reader, digests, since));
    }
}
