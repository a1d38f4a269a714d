package dev.artel.actions;

import dev.artel.json.text.FairTurns;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Computes on a platform thread of the lowest priority, or goes through folders there: what does that on a virtual thread keeps a processor
/// from all others until it is done, and requests and heartbeats are handled by others.
final class BackgroundCall {
    /// So many at once: each computes, and may take some memory for it.
    static final int MOST = Math.max(2, Runtime.getRuntime().availableProcessors());

    /// What is computed has limits of its own, far below it.
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private final FairTurns places;
    private final String name;

    /// Calls of one kind, which wait for each other and for none of another kind.
    ///
    /// @param name of their threads
    BackgroundCall(String name) {
        this(name, FairTurns.ofShortThings(MOST));
    }

    /// @param places one for each call at once, also for one that nobody waits for any more
    BackgroundCall(String name, FairTurns places) {
        this.name = name;
        this.places = places;
    }

    /// What `work` gives or throws, once it is its turn. Who waits may be interrupted; so is the thread of `work` then.
    <T> T run(Supplier<T> work) {
        return run("", LONGEST_WAIT, work);
    }

    /// What `work` of `owner` gives or throws, once it is its turn. Who waits may be interrupted; so is the thread of `work` then, which has its place until it ends.
    ///
    /// @param most how long it waits for its turn
    /// @throws CompletionException with a [TimeoutException] if that does not come
    @SuppressWarnings(
            "ThreadPriorityCheck") // it makes way for requests and heartbeats, and nothing waits
    // for its turn
    <T> T run(String owner, Duration most, Supplier<T> work) {
        var place = new AtomicReference<FairTurns.@Nullable Turn>();
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
                        free(place);
                    }
                });
        var thread =
                Thread.ofPlatform()
                        .daemon()
                        .name(name)
                        .priority(Thread.MIN_PRIORITY)
                        .unstarted(task);
        try {
            place.set(places.begin(owner, most));
            start(thread, place);
            return task.get();
        } catch (TimeoutException late) {
            throw new CompletionException(late);
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
    private static void start(Thread thread, AtomicReference<FairTurns.@Nullable Turn> place) {
        var isStarted = false;
        try {
            thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                free(place);
            }
        }
    }

    private static void free(AtomicReference<FairTurns.@Nullable Turn> place) {
        var taken = place.getAndSet(null);
        if (taken != null) {
            taken.close();
        }
    }
}
