package dev.artel.server.api.access;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamFold;
import dev.artel.kernel.store.StreamId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// A job at one moment, and its events up to then, which are read when they are asked for.
public final class JobReading {
    private static final int PAGE = 512;

    /// Of one page.
    private static final long BYTES = 1 << 20;

    /// The events of a job with more are not all read where a few of them are enough.
    private static final long LONG_HISTORY = 10_000;

    /// The appends of a job with fewer are read once, and kept as long as the job is read.
    private static final int FEW = 64;

    /// A job with so many tasks or children is large, however few events it has.
    private static final int MANY_PARTS = 1_000;

    private final Job job;
    private final EventStore store;

    /// Whether they were found to be more than are kept.
    private boolean isLong;

    /// All of them, where they are few and have been read.
    private Optional<List<StoredEvents>> all;

    private JobReading(Job job, EventStore store, Optional<List<StoredEvents>> all) {
        this.job = job;
        this.store = store;
        this.all = all;
    }

    /// The job `id` as it is now, from memory or from `store`; empty if there is none.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the job cannot be read
    public static Optional<JobReading> of(JobId id, Engine engine, EventStore store) {
        var live = engine.live(id);
        if (live.isPresent()) {
            return Optional.of(new JobReading(live.get(), store, Optional.empty()));
        }
        var page = store.page(StreamId.of(id), 0, FEW, BYTES);
        if (!page.isLast() || hasManyParts(page.appends())) {
            return engine.find(id).map(job -> new JobReading(job, store, Optional.empty()));
        }
        return StreamFold.of(id, page.appends()) instanceof Job job
                ? Optional.of(new JobReading(job, store, Optional.of(page.appends())))
                : Optional.empty();
    }

    /// Whether few events make many tasks or children, so that the job is large: those who read it share it.
    private static boolean hasManyParts(List<StoredEvents> appends) {
        var parts = 0L;
        for (var append : appends) {
            for (var event : append.events()) {
                parts +=
                        switch (event) {
                            case JobEvent.TasksOpened opened -> opened.specs().size();
                            case JobEvent.ChildrenRequested children ->
                                    children.initialData().size();
                            default -> 0;
                        };
            }
        }
        return parts >= MANY_PARTS;
    }

    /// The job at that moment.
    public Job job() {
        return job;
    }

    /// When its last event happened.
    public Instant updated() {
        var last = eventsAt(job.version());
        return last.isEmpty() ? job.submitted() : last.getLast().at();
    }

    /// Hands each event to `sink`, oldest first.
    public void events(Consumer<JobEvent> sink) {
        var version = 0L;
        var more = true;
        while (more && version < job.version()) {
            var page = page(version);
            for (var append : page.appends()) {
                for (var i = 0; i < append.events().size(); i++) {
                    if (append.version() + i == version + 1 && version < job.version()) {
                        sink.accept(append.events().get(i));
                        version++;
                    }
                }
            }
            more = !page.isLast();
        }
    }

    /// The last grant of each task that had one; in a long history of those alone that are with a worker.
    public Map<Integer, JobEvent.LeaseGranted> grants() {
        var grants = new LinkedHashMap<Integer, JobEvent.LeaseGranted>();
        if (job.version() <= LONG_HISTORY) {
            events(event -> add(grants, event));
            return grants;
        }
        if (job.leased() > 0) {
            for (var task : job.tasks()) {
                if (task.state() instanceof Task.Open(Attempt.Leased held, int _, var _)) {
                    eventsAt(held.hold().event()).forEach(event -> add(grants, event));
                }
            }
        }
        return grants;
    }

    /// The grant of a task that is with a worker; empty for others, whose grant is found by reading all events only.
    public Optional<JobEvent.LeaseGranted> grantOf(Task task) {
        return task.state() instanceof Task.Open(Attempt.Leased held, int _, var _)
                ? eventsAt(held.hold().event()).stream()
                        .filter(JobEvent.LeaseGranted.class::isInstance)
                        .map(JobEvent.LeaseGranted.class::cast)
                        .filter(grant -> grant.task() == task.id())
                        .findFirst()
                : Optional.empty();
    }

    private static void add(Map<Integer, JobEvent.LeaseGranted> grants, JobEvent event) {
        if (event instanceof JobEvent.LeaseGranted grant) {
            grants.put(grant.task(), grant);
        }
    }

    /// The appends behind `version`, as many as a page has.
    private EventStore.EventPage page(long version) {
        if (version == 0) {
            var few = few();
            if (few.isPresent()) {
                return new EventStore.EventPage(few.get(), true);
            }
        }
        return store.page(StreamId.of(job.id()), version, PAGE, BYTES);
    }

    /// All appends of a job that has few; empty for others.
    private Optional<List<StoredEvents>> few() {
        if (all.isEmpty() && !isLong && job.version() < FEW) {
            var first = store.page(StreamId.of(job.id()), 0, PAGE, BYTES);
            isLong = !first.isLast();
            all = isLong ? Optional.empty() : Optional.of(first.appends());
        }
        return all;
    }

    /// The events that were appended with the one of that number; none if the job was removed meanwhile.
    private List<JobEvent> eventsAt(long number) {
        var few = few();
        if (few.isEmpty()) {
            var found = store.read(StreamId.of(job.id()), number - 1, 1);
            return found.isEmpty() ? List.of() : found.getFirst().events();
        }
        for (var append : few.get()) {
            if (append.version() <= number && number < append.version() + append.events().size()) {
                return append.events();
            }
        }
        return List.of();
    }
}
