package dev.artel.engine.shell;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/// Callers that wait for an answer. Safe for use by many threads.
final class PendingReplies<T> {
    private final Map<Long, CompletableFuture<T>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    /// Sends a question and waits for its answer, at most for `limit`, then gives `late`.
    T ask(LongConsumer question, Duration limit, Supplier<T> late) {
        var requestId = last.incrementAndGet();
        var answer = new CompletableFuture<T>();
        waiting.put(requestId, answer);
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

    /// Sends a question; `onReply` gets its answer, or `late` after `limit`, on the thread that answers.
    void ask(LongConsumer question, Duration limit, T late, Consumer<T> onReply) {
        var requestId = last.incrementAndGet();
        var answer = new CompletableFuture<T>();
        waiting.put(requestId, answer);
        var _ =
                answer.completeOnTimeout(late, limit.toMillis(), TimeUnit.MILLISECONDS)
                        .thenAccept(reply -> {
                            waiting.remove(requestId);
                            onReply.accept(reply);
                        });
        question.accept(requestId);
    }

    void answer(long requestId, T answer) {
        var future = waiting.get(requestId);
        if (future != null) {
            future.complete(answer);
        }
    }

    int size() {
        return waiting.size();
    }
}
