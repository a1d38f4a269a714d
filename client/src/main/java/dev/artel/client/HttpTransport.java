package dev.artel.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Requests and answers, again where the answer may be another one.
final class HttpTransport implements AutoCloseable {
    static final String CONTENT_TYPE = "Content-Type";

    private static final Duration CONNECT = Duration.ofSeconds(5);

    private static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(5);

    /// The most bytes of an answer, and of an event: a hostile one shall not take all memory.
    static final long LARGEST_ANSWER = Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 8);

    private final URI uri;
    private final String token;
    private final ClientRetryPolicy clientRetryPolicy;
    private final Timeouts timeouts;
    private final HttpClient http;

    /// How long answers may take.
    ///
    /// @param head until it is there
    /// @param silence how long nothing may come once the head is there
    /// @param longest until all of it is there, but for streams
    record Timeouts(Duration head, Duration silence, Duration longest) {
        /// The orchestrator holds a request for 30 s, and sends something on a stream each 15 s.
        static final Timeouts DEFAULTS =
                new Timeouts(Duration.ofSeconds(45), Duration.ofSeconds(45), Duration.ofMinutes(5));
    }

    /// @param tls null for that of the Java runtime
    HttpTransport(
            URI uri, String token, ClientRetryPolicy clientRetryPolicy, @Nullable SSLContext tls) {
        this(uri, token, clientRetryPolicy, tls, Timeouts.DEFAULTS);
    }

    /// @param tls null for that of the Java runtime
    HttpTransport(
            URI uri,
            String token,
            ClientRetryPolicy clientRetryPolicy,
            @Nullable SSLContext tls,
            Timeouts timeouts) {
        if (uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "the orchestrator must be a URI such as http://localhost:8080, was " + uri);
        }
        this.uri = URI.create(uri.toString().replaceAll("/+$", ""));
        this.token = token;
        this.clientRetryPolicy = clientRetryPolicy;
        this.timeouts = timeouts;
        var builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT)
                        .executor(Executors.newVirtualThreadPerTaskExecutor());
        this.http = (tls == null ? builder : builder.sslContext(tls)).build();
    }

    /// The good answer to a request that may be sent several times.
    ///
    /// @throws ClientException if there is none within the total time of the retry policy
    ApiResponse done(String attempted, String method, String path, byte @Nullable [] body) {
        return done(attempted, method, path, body, Map.of());
    }

    /// The good answer to a request that may be sent several times.
    ///
    /// @throws ClientException if there is none within the total time of the retry policy
    ApiResponse done(
            String attempted,
            String method,
            String path,
            byte @Nullable [] body,
            Map<String, String> headers) {
        var deadline = System.nanoTime() + clientRetryPolicy.total().toNanos();
        for (var failures = 1; ; failures++) {
            ClientException failure;
            Duration after;
            try {
                var apiResponse = once(method, path, body, headers);
                if (apiResponse.isGood()) {
                    return apiResponse;
                }
                after = apiResponse.retryAfter();
                failure =
                        ClientException.of(
                                attempted, apiResponse.status(), apiResponse.refusal(), after);
                if (!apiResponse.isPassing()) {
                    throw failure;
                }
            } catch (ClientException.Unreachable unreachable) {
                after = Duration.ZERO;
                failure =
                        new ClientException.Unreachable(
                                attempted + ": " + unreachable.getMessage(),
                                unreachable.getCause());
            }
            pause(clientRetryPolicy.after(failures, after), deadline, failure);
        }
    }

    /// @throws ClientException `failure` if the pause would go beyond `deadline`
    void pause(Duration pause, long deadline, ClientException failure) {
        if (System.nanoTime() + pause.toNanos() > deadline) {
            throw failure;
        }
        try {
            Thread.sleep(pause);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            failure.addSuppressed(interrupted);
            throw failure;
        }
    }

    Timeouts timeouts() {
        return timeouts;
    }

    ClientRetryPolicy retryPolicy() {
        return clientRetryPolicy;
    }

    /// The answer, whatever its status.
    ///
    /// @throws ClientException.Unreachable if there is none
    ApiResponse once(String method, String path, byte @Nullable [] body) {
        return once(method, path, body, Map.of());
    }

    private ApiResponse once(
            String method, String path, byte @Nullable [] body, Map<String, String> headers) {
        var request = request(path);
        headers.forEach(request::header);
        if (body == null) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.method(method, BodyPublishers.ofByteArray(body));
            if (!headers.containsKey(CONTENT_TYPE)) {
                request.header(CONTENT_TYPE, "application/json");
            }
        }
        var response =
                send(
                        request.build(),
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), LARGEST_ANSWER));
        return new ApiResponse(response.statusCode(), response.body(), retryAfter(response));
    }

    /// A stream of server-sent events, from behind the event `last`.
    ///
    /// @throws ClientException.Unreachable if there is no answer
    HttpResponse<InputStream> open(String path, @Nullable String last) {
        var request = request(path).header("Accept", "text/event-stream");
        if (last != null) {
            request.header("Last-Event-ID", last);
        }
        return send(request.build(), BodyHandlers.ofInputStream());
    }

    private HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(URI.create(uri + path)).timeout(timeouts.head());
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return WholeAnswers.send(
                    http, request, handler, timeouts.silence(), timeouts.longest());
        } catch (IOException e) {
            throw new ClientException.Unreachable(
                    why(e) + "; is the orchestrator running there?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientException.Unreachable("interrupted while waiting for " + uri, e);
        }
    }

    private String why(IOException failure) {
        return switch (failure) {
            case ConnectException _ when isUnresolved(failure) ->
                    "there is no host " + uri.getHost();
            case HttpTimeoutException _ -> "no answer from " + uri + " in time";
            case ConnectException _ -> "nothing listens at " + uri;
            default ->
                    "no answer from "
                            + uri
                            + (failure.getMessage() == null
                                    ? ""
                                    : " (" + failure.getMessage() + ")");
        };
    }

    private static boolean isUnresolved(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(UnresolvedAddressException.class::isInstance);
    }

    static Duration retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .map(HttpTransport::seconds)
                .orElse(Duration.ZERO);
    }

    /// Seconds, or a date (RFC 9110, section 10.2.3); zero for what is neither.
    private static Duration seconds(String text) {
        Duration asked;
        try {
            asked = Duration.ofSeconds(Math.max(0, Integer.parseInt(text.strip())));
        } catch (NumberFormatException noSeconds) {
            try {
                var at = ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME);
                asked = Duration.between(Instant.now(), at);
            } catch (DateTimeException noDate) {
                return Duration.ZERO;
            }
        }
        if (asked.isNegative()) {
            return Duration.ZERO;
        }
        return asked.compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : asked;
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
