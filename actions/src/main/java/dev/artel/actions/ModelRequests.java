package dev.artel.actions;

import dev.artel.worker.PermanentFailure;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/// Sends the requests of one task to a language model, reads no more of an answer than is allowed, and waits for room before it is parsed.
final class ModelRequests implements dev.langchain4j.http.client.HttpClient {
    private static final int LONGEST_QUOTE = 1_000;

    private final HttpClient client;
    private final int maxBytes;
    private final Duration limit;
    private final ReadRoom.Reading reading;

    /// @param maxBytes the most bytes of an answer
    /// @param limit how long an answer takes at most, until all of it is there
    ModelRequests(HttpClient client, int maxBytes, Duration limit, ReadRoom.Reading reading) {
        this.client = client;
        this.maxBytes = maxBytes;
        this.limit = limit;
        this.reading = reading;
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        var answer = send(request);
        var bytes = answer.body();
        if (answer.statusCode() < 200 || answer.statusCode() >= 300) {
            throw new HttpException(answer.statusCode(), quote(bytes));
        }
        reading.await(bytes);
        return SuccessfulHttpResponse.builder()
                .statusCode(answer.statusCode())
                .headers(answer.headers().map())
                .body(bytes)
                .build();
    }

    private static String quote(byte[] bytes) {
        var text = new String(bytes, StandardCharsets.UTF_8);
        return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "...";
    }

    private HttpResponse<byte[]> send(HttpRequest request) {
        var answer = client.sendAsync(translated(request), _ -> new Bounded(maxBytes));
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.TimeoutException late) {
            throw new TimeoutException(late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("llm_generate: the task was stopped", stopped);
        } catch (ExecutionException failed) {
            for (Throwable each = failed; each != null; each = each.getCause()) {
                if (each instanceof PermanentFailure tooLarge) {
                    throw tooLarge;
                }
            }
            throw new IllegalStateException(
                    "llm_generate: no answer of the model: " + failed.getCause(), failed);
        } finally {
            answer.cancel(true);
        }
    }

    private static java.net.http.HttpRequest translated(HttpRequest request) {
        var made =
                java.net.http.HttpRequest.newBuilder(URI.create(request.url()))
                        .method(request.method().name(), body(request));
        request.headers()
                .forEach((name, values) -> values.forEach(value -> made.header(name, value)));
        return made.build();
    }

    private static BodyPublisher body(HttpRequest request) {
        return request.body() == null
                ? BodyPublishers.noBody()
                : BodyPublishers.ofString(request.body());
    }

    /// Answers come at once.
    @Override
    public void execute(
            HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        throw new UnsupportedOperationException("an answer in parts");
    }

    /// What the library of the model takes instead of a client.
    HttpClientBuilder builder() {
        return new Given(this);
    }

    private record Given(ModelRequests client) implements HttpClientBuilder {
        @Override
        public Duration connectTimeout() {
            return client.limit;
        }

        /// The client has its own.
        @Override
        public HttpClientBuilder connectTimeout(Duration timeout) {
            return this;
        }

        @Override
        public Duration readTimeout() {
            return client.limit;
        }

        @Override
        public HttpClientBuilder readTimeout(Duration timeout) {
            return this;
        }

        @Override
        public dev.langchain4j.http.client.HttpClient build() {
            return client;
        }
    }

    /// The bytes of an answer, which ends where it has too many.
    private static final class Bounded implements BodySubscriber<byte[]> {
        private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
        private final int most;
        private long left;
        private Flow.@org.jspecify.annotations.Nullable Subscription subscription;

        Bounded(int most) {
            this.most = most;
            left = most;
        }

        @Override
        public CompletionStage<byte[]> getBody() {
            return bytes.getBody();
        }

        @Override
        public void onSubscribe(Flow.Subscription to) {
            subscription = to;
            bytes.onSubscribe(to);
        }

        @Override
        public void onNext(List<ByteBuffer> more) {
            if (left < 0) {
                return;
            }
            for (var each : more) {
                left -= each.remaining();
            }
            if (left >= 0) {
                bytes.onNext(more);
                return;
            }
            if (subscription != null) {
                subscription.cancel();
            }
            bytes.onError(
                    new PermanentFailure(
                            "llm_generate: the answer of the model has more than "
                                    + most
                                    + " bytes (actions.max-bytes)"));
        }

        @Override
        public void onError(Throwable failure) {
            bytes.onError(failure);
        }

        @Override
        public void onComplete() {
            bytes.onComplete();
        }
    }
}
