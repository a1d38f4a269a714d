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
import dev.artel.kernel.store.Expiry;
import dev.artel.kernel.store.JobLogs;
import dev.artel.kernel.store.JobPage;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The reference: what a store does, without what makes one durable. Outlives its [#close], so that a test may crash
/// its user and start again.
public final class InMemoryEventStore implements EventStore {
    /// How a reference to a large value is written in text.
    private static final Pattern NAME = Pattern.compile("(?:digest|whole)=([0-9a-f]{64})");

    private final @Nullable EventCodec codec;

    /// When the last job that named a large value was removed.
    private final Map<String, Instant> released = new LinkedHashMap<>();

    /// In the order of their first events.
    private final SequencedMap<String, Stored> jobs = new LinkedHashMap<>();

    private final InMemoryLogs logs = new InMemoryLogs(this::knows);
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
    public synchronized OpenJobs open(long after, int limit) {
        var found = new ArrayList<JobId>();
        var place = 0L;
        for (var stored : jobs.values()) {
            place = stored.place;
            if (place > after && !stored.row.closed()) {
                found.add(stored.row.id());
                if (found.size() == limit) {
                    return new OpenJobs(found, OptionalLong.of(place));
                }
            }
        }
        return new OpenJobs(found, OptionalLong.empty());
    }

    @Override
    public synchronized Optional<JobRow> find(JobId job) {
        return Optional.ofNullable(jobs.get(job.value())).map(stored -> stored.row);
    }

    @Override
    public synchronized List<StoredEvents> read(StreamId stream, long after, int limit) {
        return read(stream, after).stream().limit(limit).toList();
    }

    @Override
    public synchronized long versionAt(StreamId stream, long position) {
        var version = 0L;
        for (var append : read(stream, 0)) {
            var events = Math.min(position - append.position() + 1, append.events().size());
            if (events > 0) {
                version = append.version() + events - 1;
            }
        }
        return version;
    }

    @Override
    public synchronized List<Committed> committedAfter(long position, int limit) {
        return jobs.values().stream()
                .flatMap(stored ->
                        stored.appends.stream()
                                .map(append ->
                                        new Committed(
                                                stored.row.id(),
                                                stored.row.blueprint(),
                                                stored.row.client(),
                                                append)))
                .filter(one -> one.last() > position)
                .sorted(Comparator.comparingLong(one -> one.events().position()))
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized long lastPosition() {
        return nextPosition - 1;
    }

    @Override
    public synchronized JobPage list(JobQuery query) {
        var below = query.below().orElse(Long.MAX_VALUE);
        if (query.behind().isPresent()) {
            var job = jobs.get(query.behind().get());
            below = job == null ? 0 : Math.min(below, job.place);
        }
        var most = below;
        var found =
                jobs.reversed().values().stream()
                        .filter(stored -> stored.place < most)
                        .filter(stored -> query.filter().matches(stored.row))
                        .skip(query.offset())
                        .limit(query.limit() + 1L)
                        .toList();
        var count = 0;
        var weight = 0L;
        while (count < Math.min(found.size(), query.limit()) && weight < JobPage.MOST_BYTES) {
            weight += found.get(count++).row.weight();
        }
        var page = found.subList(0, count);
        return new JobPage(
                page.stream().map(stored -> stored.row).toList(),
                found.size() > page.size()
                        ? OptionalLong.of(page.getLast().place)
                        : OptionalLong.empty());
    }

    @Override
    public JobLogs logs() {
        return logs;
    }

    @Override
    public synchronized long countOpen(String client, int most) {
        return jobs.values().stream()
                .filter(stored -> stored.row.client().equals(client) && !stored.row.isFinal())
                .limit(most)
                .count();
    }

    @Override
    public synchronized List<StatusCount> countByStatus() {
        return counted(jobs.values().stream().map(stored -> stored.row));
    }

    @Override
    public synchronized List<StatusCount> countByStatus(String client, int most) {
        return counted(
                jobs.reversed().values().stream()
                        .map(stored -> stored.row)
                        .filter(row -> row.client().equals(client))
                        .limit(most));
    }

    private static List<StatusCount> counted(Stream<JobRow> rows) {
        Map<String, Long> counts =
                rows.collect(
                        Collectors.groupingBy(JobRow::status, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(count -> new StatusCount(count.getKey(), count.getValue()))
                .toList();
    }

    @Override
    public synchronized int removeClosed(Expiry expiry, int limit) {
        var removed =
                jobs.values().stream()
                        .map(stored -> stored.row)
                        .filter(row ->
                                row.closed() && row.updated().isBefore(expiry.of(row.blueprint())))
                        .filter(row -> !isParentOpen(row))
                        .limit(limit)
                        .toList();
        removed.forEach(row -> {
            release(Objects.requireNonNull(jobs.remove(row.id().value())));
            logs.remove(row.id());
        });
        return removed.size();
    }

    @Override
    public synchronized Removal remove(JobId job) {
        var stored = jobs.get(job.value());
        if (stored == null) {
            return Removal.UNKNOWN;
        }
        if (!stored.row.closed()) {
            return Removal.OPEN;
        }
        if (isParentOpen(stored.row)) {
            return Removal.PARENT_OPEN;
        }
        jobs.remove(job.value());
        release(stored);
        logs.remove(job);
        return Removal.REMOVED;
    }

    private boolean isParentOpen(JobRow row) {
        return row.parent()
                .map(parent -> jobs.get(parent.value()))
                .filter(parent -> !parent.row.closed())
                .isPresent();
    }

    @Override
    public synchronized List<String> unnamed(List<String> digests, Instant since) {
        return digests.stream()
                .filter(digest ->
                        jobs.values().stream().noneMatch(stored -> stored.names(digest))
                                && released.getOrDefault(digest, Instant.MIN).isBefore(since))
                .toList();
    }

    @Override
    public synchronized int forgetNames(Instant before, int limit) {
        var old =
                released.entrySet().stream()
                        .filter(name -> name.getValue().isBefore(before))
                        .map(Map.Entry::getKey)
                        .limit(limit)
                        .toList();
        old.forEach(released::remove);
        return old.size();
    }

    private void release(Stored job) {
        var names = NAME.matcher(job.appends.toString());
        while (names.find()) {
            released.put(names.group(1), Instant.now());
        }
    }

    @Override
    public void close() {}

    private synchronized boolean knows(JobId job) {
        return jobs.containsKey(job.value());
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
            stored = new Stored(append.row(), nextPosition);
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

    private static final class Stored {
        private final List<StoredEvents> appends = new ArrayList<>();
        private final long place;
        private JobRow row;
        private long version;

        private Stored(JobRow row, long place) {
            this.row = row;
            this.place = place;
        }

        private boolean names(String digest) {
            return appends.toString().contains("digest=" + digest);
        }

        private void add(StoredEvents events, JobRow after) {
            appends.add(events);
            version += events.events().size();
            row = after;
        }
    }
}
