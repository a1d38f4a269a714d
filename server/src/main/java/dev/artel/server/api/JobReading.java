package dev.artel.server.api;

import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StreamId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// A job at one moment, and its events up to then, which are read when they are asked for.
final class JobReading {
    private static final int PAGE = 512;

    /// The events of a job with more are not all read for what a few of them say.
    private static final long LONG_HISTORY = 10_000;

    private final Job job;
    private final EventStore store;

    private JobReading(Job job, EventStore store) {
        this.job = job;
        this.store = store;
    }

    static Optional<JobReading> of(JobId id, Engine engine, EventStore store) {
        return engine.find(id).map(job -> new JobReading(job, store));
    }

    Job job() {
        return job;
    }

    /// When its last event happened.
    Instant updated() {
        var last = eventsAt(job.version());
        return last.isEmpty() ? job.submitted() : last.getLast().at();
    }

    /// Hands each event to `sink`, oldest first.
    void events(Consumer<JobEvent> sink) {
        var version = 0L;
        var more = true;
        while (more && version < job.version()) {
            var page = store.read(StreamId.of(job.id()), version, PAGE);
            for (var append : page) {
                for (var i = 0; i < append.events().size(); i++) {
                    if (append.version() + i == version + 1 && version < job.version()) {
                        sink.accept(append.events().get(i));
                        version++;
                    }
                }
            }
            more = page.size() == PAGE;
        }
    }

    /// The last grant of each task that had one; in a long history of those alone that are with a worker.
    Map<Integer, JobEvent.LeaseGranted> grants() {
        var grants = new LinkedHashMap<Integer, JobEvent.LeaseGranted>();
        if (job.version() <= LONG_HISTORY) {
            events(event -> add(grants, event));
            return grants;
        }
        if (job.leased() > 0) {
            for (var task : job.tasks()) {
                if (task.state() instanceof Task.Open(Delivery.Leased held, int _, var _)) {
                    eventsAt(held.hold().event()).forEach(event -> add(grants, event));
                }
            }
        }
        return grants;
    }

    private static void add(Map<Integer, JobEvent.LeaseGranted> grants, JobEvent event) {
        if (event instanceof JobEvent.LeaseGranted grant) {
            grants.put(grant.task(), grant);
        }
    }

    /// The events that were appended with the one of that number; none if the job was removed meanwhile.
    private List<JobEvent> eventsAt(long number) {
        return store.read(StreamId.of(job.id()), number - 1, 1).stream()
                .flatMap(append -> append.events().stream())
                .toList();
    }
}
