package dev.artel.store.sqlite;

import dev.artel.kernel.store.StoreWatch;
import dev.artel.kernel.store.StoreWatch.Pulse;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Writes for virtual threads. Safe for use by many threads.
///
/// A thread that is in SQLite keeps its carrier if it is virtual, and a write waits in SQLite while another program holds the
/// lock of the file. So what virtual threads write is written for them by one platform thread, in the order in which they
/// come; a platform thread writes itself.
final class WriteThread implements AutoCloseable {
    static final String NAME = "artel-store-writes";

    /// How many writes wait for the thread; more wait for their place.
    private static final int MOST = 1_000;

    private final Semaphore places = new Semaphore(MOST, true);
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name(NAME).factory());
    private volatile Pulse pulse = Pulse.NONE;

    /// Lets `watch` know what the thread is at, which should take `most`.
    void setWatch(StoreWatch watch, Duration most) {
        pulse = watch.part(NAME, most);
    }

    /// Runs `write` and returns what it returns, or throws what it throws. An interrupt does not end the wait: what is
    /// written would be unknown.
    ///
    /// @throws IllegalStateException if this was closed
    <T> T run(Supplier<T> write) {
        if (!Thread.currentThread().isVirtual()) {
            return write.get();
        }
        places.acquireUninterruptibly();
        try {
            return await(thread.submit(() -> watched(write)));
        } catch (RejectedExecutionException closed) {
            throw new IllegalStateException("the store is closed", closed);
        } finally {
            places.release();
        }
    }

    private <T> T watched(Supplier<T> write) {
        pulse.begin();
        try {
            return write.get();
        } finally {
            pulse.rest();
        }
    }

    private static <T> T await(Future<T> written) {
        var interrupted = false;
        try {
            while (true) {
                try {
                    return written.get();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failed.getCause();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Waits for what was begun.
    @Override
    public void close() {
        thread.close();
    }
}
