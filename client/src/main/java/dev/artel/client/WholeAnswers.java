package dev.artel.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/// Waits for answers until all of them is there. The timeout of a request ends with the head of its answer, and a connection that dies without a word
/// in the middle of one, as behind a machine without power, would be waited for for good.
final class WholeAnswers {
    private WholeAnswers() {}

    /// The answer to `request`.
    ///
    /// @param silence how long nothing of it may come, once its head is there
    /// @param longest how long it may take in all
    /// @throws HttpTimeoutException if it takes longer
    static <T> HttpResponse<T> send(
            HttpClient http,
            HttpRequest request,
            BodyHandler<T> handler,
            Duration silence,
            Duration longest)
            throws IOException, InterruptedException {
        var end = System.nanoTime() + longest.toNanos();
        // Before the head the timeout of the request holds.
        var quietUntil = new AtomicLong(end);
        var answer =
                http.sendAsync(
                        request,
                        head -> new Watched<>(handler.apply(head), quietUntil, silence.toNanos()));
        try {
            while (true) {
                var now = System.nanoTime();
                var left = Math.min(end - now, quietUntil.get() - now);
                if (left <= 0) {
                    throw new HttpTimeoutException("the answer does not go on");
                }
                try {
                    return answer.get(Math.min(left, silence.toNanos()), TimeUnit.NANOSECONDS);
                } catch (TimeoutException notYet) {
                    // More of it may have come meanwhile.
                }
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException broken) {
                throw broken;
            }
            throw new IOException("no answer: " + failed.getCause(), failed);
        } finally {
            answer.cancel(true);
        }
    }

    /// A body that notes when something of it comes.
    private record Watched<T>(BodySubscriber<T> body, AtomicLong quietUntil, long silence)
            implements BodySubscriber<T> {
        Watched {
            quietUntil.set(System.nanoTime() + silence);
        }

        @Override
        public CompletionStage<T> getBody() {
            return body.getBody();
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            body.onSubscribe(subscription);
        }

        @Override
        public void onNext(List<ByteBuffer> more) {
            quietUntil.set(System.nanoTime() + silence);
            body.onNext(more);
        }

        @Override
        public void onError(Throwable failure) {
            body.onError(failure);
        }

        @Override
        public void onComplete() {
            body.onComplete();
        }
    }
}
