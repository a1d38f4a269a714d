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

/// Callers that wait for an answer. Safe for use by many threads.
final class PendingReplies<T> {
    private final Map<Long, CompletableFuture<T>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    /// Sends a question and waits for its answer, at most for `limit`, then gives `late`.
    T ask(LongConsumer question, Duration limit, T late) {
        var ticket = last.incrementAndGet();
        var answer = new CompletableFuture<T>();
        waiting.put(ticket, answer);
        try {
            question.accept(ticket);
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException tooLate) {
            return late;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return late;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("an answer is never an exception", impossible);
        } finally {
            waiting.remove(ticket);
        }
    }

    /// Sends a question; `notified` gets its answer, or `late` after `limit`, on the thread that answers.
    void ask(LongConsumer question, Duration limit, T late, Consumer<T> told) {
        var ticket = last.incrementAndGet();
        var answer = new CompletableFuture<T>();
        waiting.put(ticket, answer);
        var _ =
                answer.completeOnTimeout(late, limit.toMillis(), TimeUnit.MILLISECONDS)
                        .thenAccept(reply -> {
                            waiting.remove(ticket);
                            told.accept(reply);
                        });
        question.accept(ticket);
    }

    void answer(long ticket, T answer) {
        var future = waiting.get(ticket);
        if (future != null) {
            future.complete(answer);
        }
    }

    int size() {
        return waiting.size();
    }
}
