package dev.artel.testkit.store;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.AppendResult.Appended;
import dev.artel.kernel.store.AppendResult.Refused;
import dev.artel.kernel.store.AppendResult.VersionConflict;
import dev.artel.kernel.store.EventCodec;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The reference: what a store does, without what makes one durable. Outlives its [#close], so that a test may crash
/// whoever uses it and start again.
public final class InMemoryEventStore implements EventStore {
    private final @Nullable EventCodec codec;

    /// In the order of their first events.
    private final SequencedMap<String, Stored> jobs = new LinkedHashMap<>();

    private long nextPosition = 1;

    /// A store that keeps events as they are.
    public InMemoryEventStore() {
        this.codec = null;
    }

    /// A store whose events go through `codec` and back before they are kept.
    public InMemoryEventStore(EventCodec codec) {
        this.codec = codec;
    }

    @Override
    public synchronized List<AppendResult> append(List<Append> batch) {
        return batch.stream().map(this::appendOne).toList();
    }

    @Override
    public synchronized List<StoredEvents> read(StreamId stream, long after) {
        var stored = jobs.get(stream.id());
        if (stored == null || !stream.equals(StreamId.of(stored.row.id()))) {
            return List.of();
        }
        return stored.appends.stream()
                .filter(append -> append.version() + append.events().size() - 1 > after)
                .toList();
    }

    @Override
    public void readOpen(Consumer<OpenJob> sink) {
        openJobs().forEach(sink);
    }

    @Override
    public synchronized Optional<JobRow> find(JobId job) {
        return Optional.ofNullable(jobs.get(job.value())).map(stored -> stored.row);
    }

    @Override
    public synchronized List<JobRow> list(JobQuery query) {
        var newestFirst = new ArrayList<>(jobs.reversed().values());
        var from = 0;
        if (query.before().isPresent()) {
            var cursor = jobs.get(query.before().get());
            if (cursor == null) {
                return List.of();
            }
            from = newestFirst.indexOf(cursor) + 1;
        }
        return newestFirst.subList(from, newestFirst.size()).stream()
                .map(stored -> stored.row)
                .filter(row -> matches(query, row))
                .skip(query.offset())
                .limit(query.limit())
                .toList();
    }

    @Override
    public synchronized List<StatusCount> countByStatus() {
        Map<String, Long> counts =
                jobs.values().stream()
                        .collect(
                                Collectors.groupingBy(
                                        stored -> stored.row.status(),
                                        TreeMap::new,
                                        Collectors.counting()));
        return counts.entrySet().stream()
                .map(count -> new StatusCount(count.getKey(), count.getValue()))
                .toList();
    }

    @Override
    public synchronized int removeClosed(Instant before, int limit) {
        var removed =
                jobs.values().stream()
                        .map(stored -> stored.row)
                        .filter(row -> row.closed() && row.updated().isBefore(before))
                        .limit(limit)
                        .toList();
        removed.forEach(row -> jobs.remove(row.id().value()));
        return removed.size();
    }

    @Override
    public void close() {}

    private synchronized List<OpenJob> openJobs() {
        return jobs.values().stream()
                .filter(stored -> !stored.row.closed())
                .map(stored -> new OpenJob(stored.row.id(), List.copyOf(stored.appends)))
                .toList();
    }

    private AppendResult appendOne(Append append) {
        if (!append.stream().equals(StreamId.of(append.row().id()))) {
            return new Refused(
                    "append to " + append.stream() + ": its row is of job " + append.row().id());
        }
        var stored = jobs.get(append.stream().id());
        var actual = stored == null ? 0 : stored.version;
        if (actual != append.expected()) {
            return new VersionConflict(actual);
        }
        List<JobEvent> events;
        try {
            events = throughCodec(append.events());
        } catch (IllegalArgumentException e) {
            return new Refused("append to " + append.stream() + ": " + e.getMessage());
        }
        if (stored == null) {
            stored = new Stored(append.row());
            jobs.put(append.stream().id(), stored);
        }
        var position = nextPosition;
        nextPosition += events.size();
        stored.add(new StoredEvents(position, actual + 1, events), append.row());
        return new Appended(position);
    }

    private List<JobEvent> throughCodec(List<JobEvent> events) {
        return codec == null ? events : codec.decode(codec.encode(events));
    }

    private static boolean matches(JobQuery query, JobRow row) {
        return query.status().map(row.status()::equals).orElse(true)
                && query.blueprint().map(row.blueprint()::equals).orElse(true)
                && query.client().map(row.client()::equals).orElse(true)
                && row.labels().entrySet().containsAll(query.labels().entrySet());
    }

    private static final class Stored {
        private final List<StoredEvents> appends = new ArrayList<>();
        private JobRow row;
        private long version;

        private Stored(JobRow row) {
            this.row = row;
        }

        private void add(StoredEvents events, JobRow after) {
            appends.add(events);
            version += events.events().size();
            row = after;
        }
    }
}
