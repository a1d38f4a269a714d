package dev.artel.server.api;

import dev.artel.engine.shell.JobObserver;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.server.access.Access;
import dev.artel.server.feed.OpenStreams;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The figures of an orchestrator, for Prometheus. Counts what happens from its start on. Safe for use by many threads.
public final class Metrics implements JobObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Metrics.class);

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final Map<String, OfBlueprint> ofBlueprints = new ConcurrentHashMap<>();
    private final List<Counter> answers =
            IntStream.rangeClosed(1, 5).mapToObj(this::answers).toList();
    private final MultiGauge byStatus =
            MultiGauge.builder("artel.jobs")
                    .description("jobs in the store, by status")
                    .register(registry);
    private volatile Supplier<List<EventStore.StatusCount>> countByStatus = List::of;

    /// What the registry itself would let go.
    private final List<Object> watched = new CopyOnWriteArrayList<>();

    private final Counter granted = tasks("leased");
    private final Counter succeeded = tasks("succeeded");
    private final Counter failed = tasks("failed");
    private final Counter retried = tasks("attempt_failed");
    private final Counter lost = tasks("lost");
    private final Counter returned = tasks("returned");

    /// Figures of the process, and none of jobs yet.
    public Metrics() {
        collections.bindTo(registry);
        for (var binder :
                List.of(
                        new JvmMemoryMetrics(),
                        new JvmThreadMetrics(),
                        new ClassLoaderMetrics(),
                        new ProcessorMetrics(),
                        new UptimeMetrics())) {
            binder.bindTo(registry);
        }
    }

    /// Adds the figures of `engine`.
    ///
    /// @param workers how many workers are there
    public void watch(LocalEngine engine, LongSupplier workers) {
        FunctionCounter.builder("artel.appends", engine, it -> it.counts().appends())
                .description("appends made durable")
                .register(registry);
        FunctionCounter.builder("artel.commits", engine, it -> it.counts().commits())
                .description("commits of the store")
                .register(registry);
        Gauge.builder("artel.store.full", engine, it -> it.isFull() ? 1 : 0)
                .description("1 while the store has no room")
                .register(registry);
        Gauge.builder("orchestrator.task.queue.length", engine, LocalEngine::queuedTasks)
                .description("tasks that wait for a worker")
                .register(registry);
        Gauge.builder("orchestrator.active.workers", workers, LongSupplier::getAsLong)
                .description("workers that are there")
                .strongReference(true)
                .register(registry);
        engine.observedBy(this);
    }

    /// Adds the figures of the front door.
    public void watch(Access access) {
        FunctionCounter.builder("orchestrator.ratelimit.blocked", access, Access::limited)
                .description("requests that came too soon")
                .register(registry);
        FunctionCounter.builder("orchestrator.security.auth.failures", access, Access::unauthorized)
                .description("requests without a good token")
                .register(registry);
    }

    /// Adds how many jobs there are in each status, asked when somebody looks.
    public void watch(EventStore store) {
        countByStatus = store::countByStatus;
    }

    /// Adds the figures of the streams of events.
    public void watch(OpenStreams streams) {
        Gauge.builder("artel.streams", streams, OpenStreams::count)
                .description("streams of events that are open")
                .register(registry);
        FunctionCounter.builder("artel.streams.dropped", streams, OpenStreams::dropped)
                .description("streams that were ended since their readers did not keep up")
                .register(registry);
    }

    /// Adds the figures of what workers say of their tasks.
    public void watchLogs(LongSupplier kept, LongSupplier lost) {
        watched.add(kept);
        watched.add(lost);
        FunctionCounter.builder("artel.log.lines", kept, LongSupplier::getAsLong)
                .description("lines that workers wrote of their tasks")
                .tag("outcome", "kept")
                .register(registry);
        FunctionCounter.builder("artel.log.lines", lost, LongSupplier::getAsLong)
                .tag("outcome", "lost")
                .register(registry);
    }

    /// A request was answered.
    public void answered(int status) {
        var hundreds = status / 100;
        if (hundreds >= 1 && hundreds <= answers.size()) {
            answers.get(hundreds - 1).increment();
        }
    }

    private Counter answers(int hundreds) {
        return Counter.builder("artel.http.answers")
                .description("answers over HTTP, by the first digit of their status")
                .tag("status", hundreds + "xx")
                .register(registry);
    }

    /// All figures in Prometheus' text format.
    String text() {
        try {
            byStatus.register(
                    countByStatus.get().stream()
                            .map(count -> Row.of(Tags.of("status", count.status()), count.jobs()))
                            .collect(Collectors.toList()),
                    true);
        } catch (StoreException unreadable) {
            LOG.atWarn().setCause(unreadable).log("jobs could not be counted for the figures");
        }
        return registry.scrape();
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        var figures = ofBlueprints.computeIfAbsent(job.spec().blueprint().name(), OfBlueprint::new);
        for (var event : events) {
            switch (event) {
                case JobEvent.JobSubmitted _ -> figures.submitted.increment();
                case JobEvent.JobEnded(var outcome, var at) ->
                        figures.ended(outcome, Duration.between(job.submitted(), at));
                case JobEvent.JobQuarantined _ -> figures.quarantined.increment();
                case JobEvent.LeaseGranted _ -> granted.increment();
                case JobEvent.TaskSucceeded _ -> succeeded.increment();
                case JobEvent.TaskFailed _ -> failed.increment();
                case JobEvent.AttemptFailed _ -> retried.increment();
                case JobEvent.LeaseLost _ -> lost.increment();
                case JobEvent.LeaseReturned _ -> returned.increment();
                default -> {
                    // not counted
                }
            }
        }
    }

    private Counter tasks(String outcome) {
        return Counter.builder("artel.tasks")
                .description("what became of tasks and their attempts")
                .tag("outcome", outcome)
                .register(registry);
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }

    private final class OfBlueprint {
        private final Counter submitted;
        private final Counter failed;
        private final Counter quarantined;
        private final Timer finishedAfter;
        private final Timer failedAfter;
        private final Timer cancelledAfter;

        OfBlueprint(String name) {
            submitted =
                    Counter.builder("orchestrator.jobs")
                            .description("jobs submitted")
                            .tag("blueprint", name)
                            .register(registry);
            failed =
                    Counter.builder("orchestrator.jobs.failed")
                            .description("jobs that failed or went into quarantine")
                            .tag("blueprint", name)
                            .tag("status", "failed")
                            .register(registry);
            quarantined =
                    Counter.builder("orchestrator.jobs.failed")
                            .tag("blueprint", name)
                            .tag("status", "quarantined")
                            .register(registry);
            finishedAfter = duration(name, "finished");
            failedAfter = duration(name, "failed");
            cancelledAfter = duration(name, "cancelled");
        }

        void ended(JobOutcome outcome, Duration after) {
            switch (outcome) {
                case JobOutcome.Finished _ -> finishedAfter.record(after);
                case JobOutcome.Failed _ -> {
                    failed.increment();
                    failedAfter.record(after);
                }
                case JobOutcome.Cancelled _ -> cancelledAfter.record(after);
            }
        }

        private Timer duration(String name, String outcome) {
            return Timer.builder("orchestrator.job.duration")
                    .description("from submission to outcome")
                    .tag("blueprint", name)
                    .tag("status", outcome)
                    .register(registry);
        }
    }
}
