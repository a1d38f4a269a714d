package dev.artel.actions;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Computes on a platform thread of the lowest priority, or goes through folders there: what does that on a virtual thread keeps a processor
/// from all others until it is done, and requests and heartbeats are handled by others.
final class BackgroundCall {
    /// So many at once: each computes, and may take some memory for it.
    static final int MOST = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final Semaphore places;
    private final String name;

    /// Calls of one kind, which wait for each other and for none of another kind.
    ///
    /// @param name of their threads
    BackgroundCall(String name) {
        this(name, MOST);
    }

    /// @param most so many at once
    BackgroundCall(String name, int most) {
        this.name = name;
        places = new Semaphore(most, true);
    }

    /// What `work` gives or throws, once it is its turn. Who waits may be interrupted; so is the thread of `work` then.
    @SuppressWarnings(
            "ThreadPriorityCheck") // it makes way for requests and heartbeats, and nothing waits
    // for its turn
    <T> T run(Supplier<T> work) {
        var task =
                new FutureTask<>(() -> {
                    try {
                        return work.get();
                    } catch (OutOfMemoryError error) {
                        // Others have missed memory as well, and the task would only fail.
                        var current = Thread.currentThread();
                        current.getUncaughtExceptionHandler().uncaughtException(current, error);
                        throw error;
                    } finally {
                        places.release();
                    }
                });
        var thread =
                Thread.ofPlatform()
                        .daemon()
                        .name(name)
                        .priority(Thread.MIN_PRIORITY)
                        .unstarted(task);
        try {
            places.acquire();
            start(thread);
            return task.get();
        } catch (InterruptedException stopped) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw new CompletionException("the task was stopped", stopped);
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new CompletionException(failed.getCause());
            }
        }
    }

    /// The place is free again where there is no thread to be had.
    private void start(Thread thread) {
        var isStarted = false;
        try {
            thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                places.release();
            }
        }
    }
}
