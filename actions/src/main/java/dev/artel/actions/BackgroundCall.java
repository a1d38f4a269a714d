package dev.artel.actions;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/// Computes on a platform thread of the lowest priority: what computes on a virtual thread keeps a processor from all others until it is
/// done, and requests and heartbeats are handled by others.
final class BackgroundCall {
    private BackgroundCall() {}

    /// What `work` gives or throws. Who waits may be interrupted; the thread then comes to its end by itself.
    @SuppressWarnings(
            "ThreadPriorityCheck") // it makes way for requests and heartbeats, and nothing waits
    // for its turn
    static <T> T of(String name, Supplier<T> work) {
        var task = new FutureTask<>(work::get);
        var thread =
                Thread.ofPlatform()
                        .daemon()
                        .name(name)
                        .priority(Thread.MIN_PRIORITY)
                        .unstarted(task);
        thread.start();
        try {
            return task.get();
        } catch (InterruptedException stopped) {
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
}
