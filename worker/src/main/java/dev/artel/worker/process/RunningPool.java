package dev.artel.worker.process;

import dev.artel.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Processes that are ready for tasks. One that has ended, for whatever reason, is replaced at once. Safe for use by many threads.
public final class RunningPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.artel.worker.process");
    private static final long CHECK_MILLIS = 50;
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final Supplier<ProcessBuilder> command;
    private final ProcessTerms terms;
    private final Consumer<List<String>> hotChanged;
    private final BlockingQueue<PooledProcess> idle;
    private final Set<PooledProcess> all = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("artel-process-watch").factory());
    private volatile String lastFailure = "none has been started yet";

    /// Starts the processes, without waiting for them.
    ///
    /// @param command what is started anew for each
    /// @param hotChanged gets all that the processes have loaded, whenever that changes
    public RunningPool(
            Supplier<ProcessBuilder> command,
            ProcessTerms terms,
            Consumer<List<String>> hotChanged) {
        this.command = command;
        this.terms = terms;
        this.hotChanged = hotChanged;
        idle = new ArrayBlockingQueue<>(terms.size());
        var _ =
                watch.scheduleWithFixedDelay(
                        this::check, CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
        for (var i = 0; i < terms.size(); i++) {
            startOne();
        }
    }

    private void check() {
        try {
            all.forEach(process -> process.check(terms.memory()));
        } catch (RuntimeException failed) {
            LOG.error("the processes of a pool could not be looked at; tried again", failed);
        }
    }

    private void startOne() {
        Thread.ofVirtual().name("artel-process-start").start(this::keepStarting);
    }

    private void keepStarting() {
        var pause = FIRST_WAIT;
        try {
            while (closing.getCount() > 0 && !started()) {
                if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
                var twice = pause.multipliedBy(2);
                pause = twice.compareTo(LONGEST_WAIT) < 0 ? twice : LONGEST_WAIT;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean started() throws InterruptedException {
        try {
            var process = new PooledProcess(command.get(), _ -> hotChanged());
            all.add(process);
            try {
                process.awaitReady(terms.start());
            } catch (ProcessFailed failed) {
                all.remove(process);
                throw failed;
            }
            if (closing.getCount() == 0) {
                discard(process, "the pool is closed");
            } else {
                idle.add(process);
            }
            return true;
        } catch (IOException | ProcessFailed failed) {
            lastFailure = String.valueOf(failed.getMessage());
            if (closing.getCount() > 0) {
                LOG.atError()
                        .log("a process of a pool did not start, tried again: {}", lastFailure);
            }
            return false;
        }
    }

    /// Has `task` done by the next process that is free, and waits for its end.
    ///
    /// @return the message of kind `result` or `failure`
    /// @throws ProcessFailed if the process did not do it, or none could be started
    /// @throws InterruptedException if the current thread is interrupted and the task does not end soon after
    public JsonObject run(PooledTask task) throws InterruptedException {
        var process = take();
        try {
            return process.run(task, terms);
        } finally {
            giveBack(process);
        }
    }

    private PooledProcess take() throws InterruptedException {
        for (var without = System.nanoTime(); ; ) {
            var process = idle.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
            if (process == null) {
                if (all.stream().anyMatch(it -> it.isAlive() && it.isReady())) {
                    without = System.nanoTime();
                } else if (System.nanoTime() - without > terms.start().toNanos()) {
                    throw new ProcessFailed(
                            "no process was ready for "
                                    + terms.start()
                                    + "; what happened last: "
                                    + lastFailure);
                }
            } else if (process.isAlive()) {
                return process;
            } else {
                discard(process, "it has ended");
                startOne();
            }
        }
    }

    private void giveBack(PooledProcess process) {
        var isWornOut = terms.tasks() > 0 && process.tasks() >= terms.tasks();
        if (closing.getCount() > 0 && process.isAlive() && !isWornOut) {
            idle.add(process);
            return;
        }
        discard(process, isWornOut ? "it has done its tasks" : "it has ended");
        if (closing.getCount() > 0) {
            startOne();
        }
    }

    private void discard(PooledProcess process, String reason) {
        process.kill(reason);
        all.remove(process);
        hotChanged();
    }

    private void hotChanged() {
        hotChanged.accept(
                all.stream()
                        .filter(PooledProcess::isAlive)
                        .flatMap(process -> process.hot().stream())
                        .distinct()
                        .toList());
    }

    /// The processes that live.
    public List<Long> pids() {
        return all.stream().filter(PooledProcess::isAlive).map(PooledProcess::pid).toList();
    }

    /// Kills all processes; what they do fails.
    @Override
    public void close() {
        closing.countDown();
        watch.shutdownNow();
        all.forEach(process -> process.kill("the worker ends"));
    }
}
