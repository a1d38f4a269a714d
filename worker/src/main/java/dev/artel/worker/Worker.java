package dev.artel.worker;

import dev.artel.worker.config.ProcessEnvironment;
import dev.artel.worker.link.OrchestratorConnection;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A worker: takes tasks from one or more orchestrators, runs their handlers and reports what became of them.
///
/// ```java
/// Worker.fromEnvironment().handle(RESIZE_IMAGE, resize -> thumbnail(resize)).run();
/// ```
///
/// It outlives the loss of its orchestrators: it registers again, keeps what it could not report, and never asks
/// for more than it has room for. SIGTERM and [#close] drain it. Safe for use by many threads.
public final class Worker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final String id;
    private final TaskExecutor taskExecutor;
    private final List<OrchestratorConnection> orchestratorConnections;
    private final List<ProcessPool> pools;
    private final ShutdownPolicy shutdownPolicy;
    private final @Nullable InetSocketAddress health;
    private final AtomicReference<@Nullable HealthEndpoint> ingress = new AtomicReference<>();
    private final AtomicBoolean isStarted = new AtomicBoolean();
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicReference<@Nullable Thread> hook = new AtomicReference<>();

    /// How a worker ends.
    ///
    /// @param drain how long tasks may take to end
    /// @param delivery how long their outcomes may take to be confirmed after that
    /// @param onShutdown whether the end of the process drains it
    record ShutdownPolicy(Duration drain, Duration delivery, boolean onShutdown) {}

    /// @param health where it answers questions about its health; null for nowhere
    Worker(
            String id,
            TaskExecutor taskExecutor,
            List<OrchestratorConnection> orchestratorConnections,
            List<ProcessPool> pools,
            ShutdownPolicy shutdownPolicy,
            @Nullable InetSocketAddress health) {
        this.id = id;
        this.taskExecutor = taskExecutor;
        this.orchestratorConnections = List.copyOf(orchestratorConnections);
        this.pools = pools;
        this.shutdownPolicy = shutdownPolicy;
        this.health = health;
        taskExecutor.onShutDown(this::close);
    }

    /// Begins the description of a worker.
    ///
    /// @param id what orchestrators know it by; unique among their workers
    public static WorkerBuilder named(String id) {
        return new WorkerBuilder(id);
    }

    /// Begins the description of a worker with what the environment of this process sets; see [#fromEnvironment(Map)].
    public static WorkerBuilder fromEnvironment() {
        return fromEnvironment(ProcessEnvironment.read());
    }

    /// Begins the description of a worker with what the environment sets: `WORKER_ID`, `ORCHESTRATOR_URL` (several
    /// addresses of one orchestrator with commas between them, see [WorkerBuilder#orchestrator(java.util.List, String)]),
    /// `WORKER_TOKEN` (or `WORKER_INDIVIDUAL_TOKEN`), `WORKER_TYPE`, `MAX_CONCURRENT_TASKS` and `WORKER_PORT` (for
    /// [WorkerBuilder#health]). Each may be missing.
    public static WorkerBuilder fromEnvironment(Map<String, String> environment) {
        return WorkerBuilder.fromEnvironment(environment);
    }

    /// Begins to register and to take tasks. Returns at once, whether or not an orchestrator can be reached.
    ///
    /// @throws java.io.UncheckedIOException if something else listens where it is to report its health
    /// @throws IllegalStateException if it was started before
    public void start() {
        if (!isStarted.compareAndSet(false, true)) {
            throw new IllegalStateException("worker " + id + " was started before");
        }
        if (shutdownPolicy.onShutdown()) {
            var thread = new Thread(this::close, "artel-" + id + "-shutdown");
            Runtime.getRuntime().addShutdownHook(thread);
            hook.set(thread);
        }
        if (health != null) {
            ingress.set(new HealthEndpoint(health, isClosing::get));
        }
        pools.forEach(pool -> pool.start(taskExecutor.hotCache()));
        orchestratorConnections.forEach(OrchestratorConnection::start);
        LOG.atInfo().addKeyValue("worker", id).log("started");
    }

    /// Where it reports its health; empty if it does not, or not now.
    public Optional<InetSocketAddress> health() {
        return Optional.ofNullable(ingress.get()).map(HealthEndpoint::address);
    }

    /// Waits until the worker has been closed, by [#close] or by the end of the process.
    public void awaitStopped() throws InterruptedException {
        stopped.await();
    }

    /// Waits until the worker has been closed.
    ///
    /// @return whether it has been in time
    public boolean awaitStopped(Duration longest) throws InterruptedException {
        return stopped.await(longest.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// What the worker has loaded.
    public HotCache hotCache() {
        return taskExecutor.hotCache();
    }

    /// Takes no more tasks, lets the running ones end within the drain time, reports the rest as failures that
    /// another attempt may recover, delivers all outcomes and ends. Waits for all that. A second call waits for the
    /// first.
    @Override
    public void close() {
        try {
            if (isClosing.compareAndSet(false, true)) {
                end();
            } else {
                awaitStopped();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() throws InterruptedException {
        try {
            if (isStarted.get()) {
                drain();
            }
        } finally {
            orchestratorConnections.forEach(OrchestratorConnection::close);
            pools.forEach(ProcessPool::close);
            var open = ingress.getAndSet(null);
            if (open != null) {
                open.close();
            }
            dropHook();
            stopped.countDown();
            LOG.atInfo().addKeyValue("worker", id).log("stopped");
        }
    }

    private void drain() throws InterruptedException {
        LOG.atInfo().addKeyValue("worker", id).log("draining");
        var deadline = System.nanoTime() + shutdownPolicy.drain().toNanos();
        taskExecutor.drain();
        orchestratorConnections.forEach(OrchestratorConnection::stopPolling);
        for (var orchestratorConnection : orchestratorConnections) {
            if (!orchestratorConnection.awaitLastPoll(until(deadline))) {
                LOG.warn("a poll is still in flight; what it brings is lost to this worker");
            }
        }
        taskExecutor.releaseUnbegun();
        taskExecutor.releaseAsking();
        if (!taskExecutor.awaitIdle(until(deadline))) {
            var abandoned = taskExecutor.abandonRest();
            LOG.atWarn().addKeyValue("tasks", abandoned).log("tasks stopped before they were done");
        }
        var last = System.nanoTime() + shutdownPolicy.delivery().toNanos();
        for (var orchestratorConnection : orchestratorConnections) {
            var left = orchestratorConnection.awaitDelivery(until(last));
            if (left > 0) {
                LOG.atError().addKeyValue("results", left).log("results not confirmed at the end");
            }
        }
    }

    private static Duration until(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    private void dropHook() {
        var thread = hook.getAndSet(null);
        if (thread != null && !thread.equals(Thread.currentThread())) {
            try {
                Runtime.getRuntime().removeShutdownHook(thread);
            } catch (IllegalStateException alreadyEnding) {
                LOG.debug("the process is ending");
            }
        }
    }
}
