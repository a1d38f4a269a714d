package dev.artel.spring;

import dev.artel.worker.TaskTracer;
import dev.artel.worker.Worker;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

/// The worker of an application: starts when the application is ready, drains when it ends.
public final class RunningWorker implements SmartLifecycle {
    private final ArtelProperties settings;
    private final List<Object> handlers;
    private final TaskTracer tracer;
    private volatile @Nullable Worker worker;

    RunningWorker(ArtelProperties settings, List<Object> handlers, TaskTracer tracer) {
        this.settings = settings;
        this.handlers = handlers;
        this.tracer = tracer;
    }

    @Override
    public void start() {
        if (worker == null) {
            var started = build();
            started.start();
            worker = started;
        }
    }

    private Worker build() {
        var wanted = settings.worker();
        var id = wanted.id();
        var token = settings.workerToken();
        var builder =
                Worker.named(id == null ? "worker-" + UUID.randomUUID() : id)
                        .orchestrator(settings.url(), token == null ? "" : token)
                        .type(wanted.type())
                        .maxConcurrentTasks(wanted.maxConcurrentTasks())
                        .drainTimeout(wanted.drainTimeout())
                        .tracer(tracer)
                        .withoutShutdownHook();
        // A bean may be a proxy of its class, which does not have the class's annotations.
        handlers.forEach(bean -> builder.handlers(bean, ClassUtils.getUserClass(bean)));
        return builder.build();
    }

    /// Takes no more tasks and waits for those that run.
    @Override
    public void stop() {
        var running = worker;
        worker = null;
        if (running != null) {
            running.close();
        }
    }

    @Override
    public boolean isRunning() {
        return worker != null;
    }

    @Override
    public boolean isAutoStartup() {
        return settings.worker().enabled();
    }
}
