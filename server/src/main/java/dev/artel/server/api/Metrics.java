package dev.artel.server.api;

import dev.artel.engine.shell.JobObserver;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.server.access.Access;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
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
import java.util.function.LongSupplier;

/// The figures of an orchestrator, for Prometheus. Counts what happens from its start on. Safe for use by many threads.
public final class Metrics implements JobObserver, AutoCloseable {
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final Map<String, OfBlueprint> ofBlueprints = new ConcurrentHashMap<>();
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

    /// All figures in Prometheus' text format.
    String text() {
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
