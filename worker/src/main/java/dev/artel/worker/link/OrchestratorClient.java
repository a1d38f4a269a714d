package dev.artel.worker.link;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Requests to one orchestrator, over connections that are kept alive. Safe for use by many threads.
final class OrchestratorClient implements AutoCloseable {
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

    OrchestratorClient(Orchestrator orchestrator, String workerId) {
        this.orchestrator = orchestrator;
        this.worker = URLEncoder.encode(workerId, StandardCharsets.UTF_8).replace("+", "%20");
    }

    OrchestratorResponse register(byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return send("POST", "/_worker/workers/register", body, timeout);
    }

    OrchestratorResponse heartbeat(byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return send("PATCH", "/_worker/workers/" + worker, body, timeout);
    }

    /// @param inline larger parameters come as references; below 0: none do
    OrchestratorResponse poll(int max, int inline, Duration timeout)
            throws IOException, InterruptedException {
        var more = inline < 0 ? "" : "&inline=" + inline;
        return send(
                "GET",
                "/_worker/workers/" + worker + "/tasks/next?max=" + max + more,
                null,
                timeout);
    }

    /// What is at `url` goes into `file` if the answer is 200.
    OrchestratorResponse fetch(String url, Path file, Duration timeout)
            throws IOException, InterruptedException {
        var response =
                http.send(
                        transfer(url, timeout).GET().build(),
                        head ->
                                head.statusCode() == 200
                                        ? BodySubscribers.mapping(
                                                BodySubscribers.ofFile(file), _ -> new byte[0])
                                        : BodySubscribers.limiting(
                                                BodySubscribers.ofByteArray(), LARGEST_ANSWER));
        return new OrchestratorResponse(
                response.statusCode(), response.body(), retryAfter(response));
    }

    OrchestratorResponse put(String url, Path file, String sha256, Duration timeout)
            throws IOException, InterruptedException {
        var request =
                transfer(url, timeout)
                        .header("Content-Type", "application/json")
                        .header("X-Content-SHA256", sha256)
                        .PUT(BodyPublishers.ofFile(file))
                        .build();
        var response =
                http.send(
                        request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), LARGEST_ANSWER));
        return new OrchestratorResponse(
                response.statusCode(), response.body(), retryAfter(response));
    }

    /// The token is for the orchestrator alone; any other address is good for itself.
    private HttpRequest.Builder transfer(String url, Duration timeout) throws IOException {
        try {
            var isOwn = url.startsWith("/");
            var request =
                    HttpRequest.newBuilder(isOwn ? orchestrator.at(url) : URI.create(url))
                            .timeout(timeout);
            if (isOwn) {
                orchestrator.authorize(request::header);
            }
            return request;
        } catch (IllegalArgumentException noAddress) {
            throw new IOException("the address of a large value is none: " + url, noAddress);
        }
    }

    OrchestratorResponse result(byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return send("POST", "/_worker/tasks/result", body, timeout);
    }

    OrchestratorResponse results(byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return send("POST", "/_worker/tasks/results", body, timeout);
    }

    OrchestratorResponse renew(byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return send("POST", "/_worker/workers/" + worker + "/renew", body, timeout);
    }

    OrchestratorResponse log(String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        var task = URLEncoder.encode(taskId, StandardCharsets.UTF_8).replace("+", "%20");
        var path = "/_worker/workers/" + worker + "/tasks/" + task + "/logs";
        return send("POST", path, body, timeout);
    }

    OrchestratorResponse question(String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        var task = URLEncoder.encode(taskId, StandardCharsets.UTF_8).replace("+", "%20");
        var path = "/_worker/workers/" + worker + "/tasks/" + task + "/question";
        return send("POST", path, body, timeout);
    }

    OrchestratorResponse drain(Duration timeout) throws IOException, InterruptedException {
        return send("POST", "/_worker/workers/" + worker + "/drain", new byte[0], timeout);
    }

    OrchestratorResponse release(byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return send("POST", "/_worker/tasks/release", body, timeout);
    }

    OrchestratorResponse leave(Duration timeout) throws IOException, InterruptedException {
        return send("DELETE", "/_worker/workers/" + worker, null, timeout);
    }

    /// The client and the address for a socket.
    SocketAddress socket() {
        return new SocketAddress(http, orchestrator, worker);
    }

    record SocketAddress(HttpClient http, Orchestrator orchestrator, String worker) {}

    private OrchestratorResponse send(
            String method, String path, byte @Nullable [] body, Duration timeout)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(orchestrator.at(path))
                        .timeout(timeout)
                        .method(method, publisher(body));
        orchestrator.authorize(request::header);
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        var response =
                http.send(
                        request.build(),
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), LARGEST_ANSWER));
        return new OrchestratorResponse(
                response.statusCode(), response.body(), retryAfter(response));
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
