package dev.artel.worker.link;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Requests to one orchestrator, over connections that are kept alive. Safe for use by many threads.
final class Channel implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final long LARGEST_ANSWER = 64L << 20;

    private final Orchestrator orchestrator;
    private final String worker;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT)
                    .executor(Executors.newVirtualThreadPerTaskExecutor())
                    .build();

    Channel(Orchestrator orchestrator, String workerId) {
        this.orchestrator = orchestrator;
        this.worker = URLEncoder.encode(workerId, StandardCharsets.UTF_8).replace("+", "%20");
    }

    Answer register(byte[] body, Duration timeout) throws IOException, InterruptedException {
        return send("POST", "/_worker/workers/register", body, timeout);
    }

    Answer heartbeat(byte[] body, Duration timeout) throws IOException, InterruptedException {
        return send("PATCH", "/_worker/workers/" + worker, body, timeout);
    }

    Answer poll(int max, Duration timeout) throws IOException, InterruptedException {
        return send("GET", "/_worker/workers/" + worker + "/tasks/next?max=" + max, null, timeout);
    }

    Answer result(byte[] body, Duration timeout) throws IOException, InterruptedException {
        return send("POST", "/_worker/tasks/result", body, timeout);
    }

    Answer results(byte[] body, Duration timeout) throws IOException, InterruptedException {
        return send("POST", "/_worker/tasks/results", body, timeout);
    }

    Answer renew(byte[] body, Duration timeout) throws IOException, InterruptedException {
        return send("POST", "/_worker/workers/" + worker + "/renew", body, timeout);
    }

    Answer log(String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        var task = URLEncoder.encode(taskId, StandardCharsets.UTF_8).replace("+", "%20");
        var path = "/_worker/workers/" + worker + "/tasks/" + task + "/logs";
        return send("POST", path, body, timeout);
    }

    Answer drain(Duration timeout) throws IOException, InterruptedException {
        return send("POST", "/_worker/workers/" + worker + "/drain", new byte[0], timeout);
    }

    Answer release(byte[] body, Duration timeout) throws IOException, InterruptedException {
        return send("POST", "/_worker/tasks/release", body, timeout);
    }

    Answer leave(Duration timeout) throws IOException, InterruptedException {
        return send("DELETE", "/_worker/workers/" + worker, null, timeout);
    }

    /// The client and the address for a socket.
    SocketAddress socket() {
        return new SocketAddress(http, orchestrator, worker);
    }

    record SocketAddress(HttpClient http, Orchestrator orchestrator, String worker) {}

    private Answer send(String method, String path, byte @Nullable [] body, Duration timeout)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(orchestrator.at(path))
                        .timeout(timeout)
                        .method(method, publisher(body));
        if (!orchestrator.token().isEmpty()) {
            request.header("X-Worker-Token", orchestrator.token());
        }
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        var response =
                http.send(
                        request.build(),
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), LARGEST_ANSWER));
        return new Answer(response.statusCode(), response.body(), retryAfter(response));
    }

    private static BodyPublisher publisher(byte @Nullable [] body) {
        return body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
    }

    private static @Nullable Duration retryAfter(HttpResponse<?> response) {
        return response.headers().firstValue("Retry-After").map(RetryAfter::parse).orElse(null);
    }

    @Override
    public String toString() {
        return orchestrator.toString();
    }

    /// Ends what is in flight.
    @Override
    public void close() {
        http.shutdownNow();
    }
}
