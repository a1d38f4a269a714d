package dev.artel.engine.shell;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Callers that wait for an answer. Safe for use by many threads.
///
/// A timer for each question would be more work than most answers are: those that are late are looked for each second while a caller waits.
final class PendingReplies<T> {
    private static final Logger LOG = LoggerFactory.getLogger(PendingReplies.class);
    private static final Executor EACH_SECOND =
            CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

    private final Map<Long, Waiting<T>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();
    private final AtomicBoolean isWatched = new AtomicBoolean();

    /// A caller that waits.
    ///
    /// @param limit null if it looks at the time itself
    /// @param since by [System#nanoTime]
    private record Waiting<T>(
            Consumer<T> onReply, @Nullable Duration limit, long since, Supplier<T> late) {
        boolean isLate(long now) {
            return limit != null && now - since > limit.toNanos();
        }
    }

    /// Sends a question and waits for its answer, at most for `limit`, then gives `late`.
    T ask(LongConsumer question, Duration limit, Supplier<T> late) {
        var requestId = last.incrementAndGet();
        var answer = new CompletableFuture<T>();
        waiting.put(requestId, new Waiting<>(answer::complete, null, 0, late));
        try {
            question.accept(requestId);
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException tooLate) {
            return late.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return late.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("an answer is never an exception", impossible);
        } finally {
            waiting.remove(requestId);
        }
    }

    /// Sends a question; `onReply` gets its answer on the thread that answers, or `late` at most a second after `limit`.
    ///
    /// @throws RuntimeException of `question`; there is no answer then
    void ask(LongConsumer question, Duration limit, Supplier<T> late, Consumer<T> onReply) {
        var requestId = last.incrementAndGet();
        waiting.put(requestId, new Waiting<>(onReply, limit, System.nanoTime(), late));
        watch();
        try {
            question.accept(requestId);
        } catch (RuntimeException notAsked) {
            waiting.remove(requestId);
            throw notAsked;
        }
    }

    void answer(long requestId, T answer) {
        var caller = waiting.remove(requestId);
        if (caller != null) {
            answer(caller, answer);
        }
    }

    private static <T> void answer(Waiting<T> caller, T answer) {
        try {
            caller.onReply.accept(answer);
        } catch (RuntimeException bug) {
            LOG.atError().setCause(bug).log("what waited for an answer failed on it");
        }
    }

    private void watch() {
        if (isWatched.compareAndSet(false, true)) {
            EACH_SECOND.execute(this::endLate);
        }
    }

    private void endLate() {
        isWatched.set(false);
        var now = System.nanoTime();
        waiting.forEach((requestId, caller) -> {
            if (caller.isLate(now) && waiting.remove(requestId, caller)) {
                answer(caller, caller.late.get());
            }
        });
        if (!waiting.isEmpty()) {
            watch();
        }
    }

    int size() {
        return waiting.size();
    }
}
