package dev.artel.e2e.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/// A process that is started again whenever it ends, as a service manager does. Safe for use by many threads.
final class Supervised implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final String name;
    private final Supplier<JavaProcess.Launch> launch;
    private final IntConsumer ended;
    private final Thread thread;
    private final List<Integer> exits = new ArrayList<>();
    private volatile JavaProcess process;
    private volatile long startedAt = System.nanoTime();
    private volatile boolean frozen;
    private volatile boolean over;

    /// @param launch returns anew with each start what to start
    /// @param ended gets the exit code of each end
    Supervised(String name, Supplier<JavaProcess.Launch> launch, IntConsumer ended)
            throws IOException {
        this.name = name;
        this.launch = launch;
        this.ended = ended;
        process = JavaProcess.start(launch.get());
        thread = Thread.ofPlatform().daemon().name("chaos-" + name).start(this::supervise);
    }

    private void supervise() {
        try {
            while (!over) {
                var code = process.awaitEnd();
                if (over) {
                    return;
                }
                synchronized (exits) {
                    exits.add(code);
                }
                ended.accept(code);
                LockSupport.parkNanos(PAUSE.toNanos());
                synchronized (this) {
                    if (!over) {
                        process = JavaProcess.start(launch.get());
                        startedAt = System.nanoTime();
                        frozen = false;
                    }
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (IOException cannotStart) {
            throw new UncheckedIOException("cannot start " + name, cannotStart);
        }
    }

    String name() {
        return name;
    }

    void kill() {
        process.kill();
    }

    /// Stops it for `time` and lets it go on.
    void freeze(Duration time) throws IOException, InterruptedException {
        var stopped = process;
        frozen = true;
        stopped.freeze();
        LockSupport.parkNanos(time.toNanos());
        stopped.thaw();
        frozen = false;
    }

    /// Whether it has been up, and not been stopped, for so long at least.
    boolean isUpSince(Duration time) {
        return process.isAlive()
                && !frozen
                && System.nanoTime() - startedAt > TimeUnit.MILLISECONDS.toNanos(time.toMillis());
    }

    /// The exit codes so far.
    List<Integer> exits() {
        synchronized (exits) {
            return List.copyOf(exits);
        }
    }

    /// Ends it in order.
    ///
    /// @return whether it ended in time
    boolean end() throws InterruptedException {
        synchronized (this) {
            over = true;
        }
        return process.end();
    }

    @Override
    public synchronized void close() {
        over = true;
        process.kill();
        thread.interrupt();
    }
}
