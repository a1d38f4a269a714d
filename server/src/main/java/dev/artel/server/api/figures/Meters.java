package dev.artel.server.api.figures;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Where figures are registered. What counts is loaded when the figures are read first: that takes longer than
/// anything else in a start. Safe for use by many threads.
final class Meters implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Loaded loaded;

    /// What is to be counted as soon as there is something that counts; under the lock.
    private final List<Consumer<MeterRegistry>> later = new ArrayList<>();

    /// What the registry itself would let go.
    private final List<Object> watched = new CopyOnWriteArrayList<>();

    private boolean isClosed;

    /// What counts.
    record Loaded(
            PrometheusMeterRegistry registry,
            JvmGcMetrics collections,
            MultiGauge byStatus,
            MultiGauge handlers,
            MultiGauge waiting,
            MultiGauge oldest,
            MultiGauge leased,
            MultiGauge workers,
            AtomicInteger slots,
            AtomicInteger busySlots) {
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
                            .register(registry),
                    MultiGauge.builder("artel.blueprint.handlers")
                            .description(
                                    "handlers of each blueprint: that run, use a processor, wait to begin, or go on"
                                            + " although they were interrupted")
                            .register(registry),
                    multi(registry, "artel.waiting.tasks", "tasks that wait for a worker, and why"),
                    multi(
                            registry,
                            "artel.oldest.waiting.seconds",
                            "for how long the task has waited that has waited longest"),
                    multi(registry, "artel.leased.tasks", "tasks that workers have"),
                    multi(registry, "artel.workers", "workers that are there, by wire"),
                    single(registry, "artel.slots", "how many tasks all workers may have at once"),
                    single(registry, "artel.slots.busy", "how many of these are taken up"));
        }

        private static MultiGauge multi(
                PrometheusMeterRegistry registry, String name, String description) {
            return MultiGauge.builder(name).description(description).register(registry);
        }

        private static AtomicInteger single(
                PrometheusMeterRegistry registry, String name, String description) {
            var value = new AtomicInteger();
            Gauge.builder(name, value, AtomicInteger::get)
                    .description(description)
                    .strongReference(true)
                    .register(registry);
            return value;
        }
    }

    /// Adds a figure that goes up and down, read when the figures are.
    <T> void gauge(String name, String description, T of, ToDoubleFunction<T> value) {
        register(
                of,
                registry ->
                        Gauge.builder(name, of, value).description(description).register(registry));
    }

    /// Adds one of several figures of the same name, which goes up and down, read when the figures are.
    ///
    /// @param tag by which they differ
    <T> void gauge(
            String name,
            String description,
            String tag,
            String tagged,
            T of,
            ToDoubleFunction<T> value) {
        register(
                of,
                registry ->
                        Gauge.builder(name, of, value)
                                .description(description)
                                .tag(tag, tagged)
                                .register(registry));
    }

    /// Adds a figure that goes up alone, read when the figures are.
    <T> void counter(String name, String description, T of, ToDoubleFunction<T> count) {
        register(
                of,
                registry ->
                        FunctionCounter.builder(name, of, count)
                                .description(description)
                                .register(registry));
    }

    /// Adds one of several figures of the same name, which goes up alone, read when the figures are.
    ///
    /// @param tag by which they differ
    <T> void counter(
            String name,
            String description,
            String tag,
            String tagged,
            T of,
            ToDoubleFunction<T> count) {
        register(
                of,
                registry ->
                        FunctionCounter.builder(name, of, count)
                                .description(description)
                                .tag(tag, tagged)
                                .register(registry));
    }

    private void register(Object of, Consumer<MeterRegistry> meter) {
        watched.add(of);
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

    /// What counts; null before it was loaded.
    @Nullable Loaded ifLoaded() {
        return loaded;
    }

    /// What counts.
    Loaded loaded() {
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
}
