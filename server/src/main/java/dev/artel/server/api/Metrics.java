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
import dev.artel.server.values.Sweep;
import dev.artel.server.webhook.Webhooks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The figures of an orchestrator, for Prometheus. Counts what happens from its start on. Safe for use by many threads.
///
/// What counts is loaded when somebody asks for the figures first: that takes longer than anything else in a start.
public final class Metrics implements JobObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Metrics.class);

    private final Map<String, OfBlueprint> ofBlueprints = new ConcurrentHashMap<>();
    private final List<LongAdder> answers =
            IntStream.rangeClosed(1, 5).mapToObj(_ -> new LongAdder()).toList();
    private volatile Supplier<List<EventStore.StatusCount>> countByStatus = List::of;

    /// What the registry itself would let go.
    private final List<Object> watched = new CopyOnWriteArrayList<>();

    private final LongAdder granted = new LongAdder();
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder returned = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Loaded loaded;

    /// What is to be counted as soon as there is something that counts; under the lock.
    private final List<Consumer<MeterRegistry>> later = new ArrayList<>();

    private boolean isClosed;

    /// What counts.
    private record Loaded(
            PrometheusMeterRegistry registry, JvmGcMetrics collections, MultiGauge byStatus) {
        static Loaded load() {
            var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            var collections = new JvmGcMetrics();
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
            return new Loaded(
                    registry,
                    collections,
                    MultiGauge.builder("artel.jobs")
                            .description("jobs in the store, by status")
                            .register(registry));
        }
    }

    /// No figures of jobs yet.
    public Metrics() {
        for (var i = 0; i < answers.size(); i++) {
            var hundreds = answers.get(i);
            var status = i + 1 + "xx";
            register(registry ->
                    FunctionCounter.builder("artel.http.answers", hundreds, LongAdder::sum)
                            .description("answers over HTTP, by the first digit of their status")
                            .tag("status", status)
                            .register(registry));
        }
        tasks("leased", granted);
        tasks("succeeded", succeeded);
        tasks("failed", failed);
        tasks("attempt_failed", retried);
        tasks("lost", lost);
        tasks("returned", returned);
    }

    private void tasks(String outcome, LongAdder count) {
        register(registry ->
                FunctionCounter.builder("artel.tasks", count, LongAdder::sum)
                        .description("what became of tasks and their attempts")
                        .tag("outcome", outcome)
                        .register(registry));
    }

    private void register(Consumer<MeterRegistry> meter) {
        lock.lock();
        try {
            var open = loaded;
            if (open == null) {
                later.add(meter);
            } else {
                meter.accept(open.registry());
            }
        } finally {
            lock.unlock();
        }
    }

    private Loaded loaded() {
        var open = loaded;
        if (open != null) {
            return open;
        }
        lock.lock();
        try {
            open = loaded;
            if (open == null) {
                open = Loaded.load();
                var registry = open.registry();
                later.forEach(meter -> meter.accept(registry));
                later.clear();
                loaded = open;
                if (isClosed) {
                    close(open);
                }
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    /// Adds the figures of `engine`.
    ///
    /// @param workers how many workers are there
    public void watch(LocalEngine engine, LongSupplier workers) {
        register(registry ->
                FunctionCounter.builder("artel.appends", engine, it -> it.counts().appends())
                        .description("appends made durable")
                        .register(registry));
        register(registry ->
                FunctionCounter.builder("artel.commits", engine, it -> it.counts().commits())
                        .description("commits of the store")
                        .register(registry));
        register(registry ->
                Gauge.builder("artel.store.full", engine, it -> it.isFull() ? 1 : 0)
                        .description("1 while the store has no room")
                        .register(registry));
        register(registry ->
                Gauge.builder("artel.stuck", engine, it -> it.stalls().size())
                        .description("what jobs wait for and that cannot happen any more")
                        .register(registry));
        register(registry ->
                Gauge.builder("orchestrator.task.queue.length", engine, LocalEngine::queuedTasks)
                        .description("tasks that wait for a worker")
                        .register(registry));
        register(registry ->
                Gauge.builder("orchestrator.active.workers", workers, LongSupplier::getAsLong)
                        .description("workers that are there")
                        .strongReference(true)
                        .register(registry));
        register(registry ->
                FunctionCounter.builder(
                                "artel.handlers.overran", engine, LocalEngine::overranHandlers)
                        .description("runs of handlers that took longer than they might")
                        .register(registry));
        register(registry ->
                Gauge.builder("artel.handlers.abandoned", engine, LocalEngine::abandonedHandlers)
                        .description("handlers that go on although they were interrupted")
                        .register(registry));
        engine.observedBy(this);
    }

    /// Adds the figures of the front door.
    public void watch(Access access) {
        register(registry ->
                FunctionCounter.builder("orchestrator.ratelimit.blocked", access, Access::limited)
                        .description("requests that came too soon")
                        .register(registry));
        register(registry ->
                FunctionCounter.builder(
                                "orchestrator.security.auth.failures", access, Access::unauthorized)
                        .description("requests without a good token")
                        .register(registry));
    }

    /// Adds how many jobs there are in each status, asked when somebody looks.
    public void watch(EventStore store) {
        countByStatus = store::countByStatus;
    }

    /// Adds the figures of the streams of events.
    public void watch(OpenStreams streams) {
        register(registry ->
                Gauge.builder("artel.streams", streams, OpenStreams::count)
                        .description("streams of events that are open")
                        .register(registry));
        register(registry ->
                FunctionCounter.builder("artel.streams.dropped", streams, OpenStreams::dropped)
                        .description("streams that were ended since their readers did not keep up")
                        .register(registry));
    }

    /// Adds the figures of large values.
    public void watch(Sweep sweep) {
        watched.add(sweep);
        register(registry ->
                Gauge.builder("artel.payloads", sweep, Sweep::kept)
                        .description("large values when all were looked through last")
                        .register(registry));
        register(registry ->
                Gauge.builder("artel.payload.bytes", sweep, Sweep::keptBytes)
                        .description("their bytes")
                        .register(registry));
        register(registry ->
                FunctionCounter.builder("artel.payloads.removed", sweep, Sweep::removed)
                        .description("large values removed since no job names them")
                        .register(registry));
        register(registry ->
                FunctionCounter.builder("artel.payload.removed.bytes", sweep, Sweep::removedBytes)
                        .description("their bytes")
                        .register(registry));
    }

    /// Adds the figures of calls to others outside.
    public void watch(Webhooks webhooks) {
        register(registry ->
                Gauge.builder("artel.webhooks.pending", webhooks, Webhooks::pending)
                        .description("calls of webhooks that wait or are made")
                        .register(registry));
        webhooks("delivered", webhooks, Webhooks::delivered);
        webhooks("failed", webhooks, Webhooks::failed);
        webhooks("given_up", webhooks, Webhooks::givenUp);
        webhooks("put_off", webhooks, Webhooks::noRoom);
    }

    private void webhooks(String outcome, Webhooks webhooks, ToDoubleFunction<Webhooks> count) {
        register(registry ->
                FunctionCounter.builder("artel.webhooks", webhooks, count)
                        .description(
                                "what became of calls of webhooks; failed ones and those put off are made again")
                        .tag("outcome", outcome)
                        .register(registry));
    }

    /// Adds the figures of what workers say of their tasks.
    public void watchLogs(LongSupplier kept, LongSupplier lost) {
        watched.add(kept);
        watched.add(lost);
        register(registry ->
                FunctionCounter.builder("artel.log.lines", kept, LongSupplier::getAsLong)
                        .description("lines that workers wrote of their tasks")
                        .tag("outcome", "kept")
                        .register(registry));
        register(registry ->
                FunctionCounter.builder("artel.log.lines", lost, LongSupplier::getAsLong)
                        .tag("outcome", "lost")
                        .register(registry));
    }

    /// A request was answered.
    public void answered(int status) {
        var hundreds = status / 100;
        if (hundreds >= 1 && hundreds <= answers.size()) {
            answers.get(hundreds - 1).increment();
        }
    }

    /// All figures in Prometheus' text format.
    String text() {
        var open = loaded();
        try {
            open.byStatus()
                    .register(
                            countByStatus.get().stream()
                                    .map(count ->
                                            Row.of(Tags.of("status", count.status()), count.jobs()))
                                    .collect(Collectors.toList()),
                            true);
        } catch (StoreException unreadable) {
            LOG.atWarn().setCause(unreadable).log("jobs could not be counted for the figures");
        }
        return open.registry().scrape();
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        var figures = of(job.spec().blueprint().name());
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

    private OfBlueprint of(String blueprint) {
        var known = ofBlueprints.get(blueprint);
        if (known != null) {
            return known;
        }
        var registry = loaded().registry();
        return ofBlueprints.computeIfAbsent(blueprint, name -> new OfBlueprint(registry, name));
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            var open = loaded;
            if (open != null) {
                close(open);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void close(Loaded open) {
        open.collections().close();
        open.registry().close();
    }

    private static final class OfBlueprint {
        private final MeterRegistry registry;
        private final Counter submitted;
        private final Counter failed;
        private final Counter quarantined;
        private final Timer finishedAfter;
        private final Timer failedAfter;
        private final Timer cancelledAfter;

        OfBlueprint(MeterRegistry registry, String name) {
            this.registry = registry;
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
