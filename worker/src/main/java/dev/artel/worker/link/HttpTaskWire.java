package dev.artel.worker.link;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.worker.wire.OrchestratorResponse;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireOperation;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Requests over HTTP, on connections that are kept alive; the worker polls. Safe for use by many threads.
final class HttpTaskWire implements TaskWire {
    /// What comes once an answer has begun, tasks with large parameters, may take longer than its head.
    private static final Duration REST = Duration.ofMinutes(1);

    private final HttpClient http;
    private final Orchestrator orchestrator;
    private final String worker;

    /// @param http belongs to others, who close it
    HttpTaskWire(HttpClient http, Orchestrator orchestrator, String workerId) {
        this.http = http;
        this.orchestrator = orchestrator;
        this.worker = encoded(workerId);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String name() {
        return "http";
    }

    @Override
    public boolean pushes() {
        return false;
    }

    /// Any answer shows that there is a way to the orchestrator, but for those of proxies that have none.
    @Override
    public void probe(Duration timeout) throws IOException, InterruptedException {
        var answer = request("GET", "/health", null, timeout);
        if (answer.status() >= 500) {
            throw new IOException("probing " + orchestrator + ": answered " + answer.text());
        }
    }

    @Override
    public OrchestratorResponse register(
            JsonObject introduction, List<String> held, Duration timeout)
            throws IOException, InterruptedException {
        return request("POST", "/_worker/workers/register", JsonText.write(introduction), timeout);
    }

    @Override
    public OrchestratorResponse poll(int max, int inline, @Nullable Duration hold, Duration timeout)
            throws IOException, InterruptedException {
        var inlined = inline < 0 ? "" : "&inline=" + inline;
        var held = hold == null ? "" : "&timeout=" + hold.toSeconds();
        return request("GET", ofWorker("/tasks/next?max=" + max + inlined + held), null, timeout);
    }

    private String ofWorker(String path) {
        return "/_worker/workers/" + worker + path;
    }

    @Override
    public OrchestratorResponse send(
            WireOperation operation, String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        return switch (operation) {
            case HEARTBEAT -> request("PATCH", ofWorker(""), body, timeout);
            case RENEW -> request("POST", ofWorker("/renew"), body, timeout);
            case RELEASE -> request("POST", "/_worker/tasks/release", body, timeout);
            case RESULT -> request("POST", "/_worker/tasks/result", body, timeout);
            case RESULTS -> request("POST", "/_worker/tasks/results", body, timeout);
            case LOG -> request("POST", ofTask(taskId, "/logs"), body, timeout);
            case QUESTION -> request("POST", ofTask(taskId, "/question"), body, timeout);
            case DRAIN -> request("POST", ofWorker("/drain"), body, timeout);
            case DISCONNECT -> request("DELETE", ofWorker(""), null, timeout);
        };
    }

    private String ofTask(String taskId, String path) {
        return ofWorker("/tasks/" + encoded(taskId) + path);
    }

    private OrchestratorResponse request(
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
        return OrchestratorClient.response(
                TimedAnswers.send(
                        http,
                        request.build(),
                        BodyHandlers.limiting(
                                BodyHandlers.ofByteArray(), OrchestratorClient.LARGEST_ANSWER),
                        timeout,
                        timeout.plus(REST)));
    }

    private static BodyPublisher publisher(byte @Nullable [] body) {
        return body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
    }

    /// The address of the socket of this worker.
    OrchestratorClient.SocketAddress socket() {
        return new OrchestratorClient.SocketAddress(http, orchestrator, worker);
    }

    /// A poll in flight may still bring tasks.
    @Override
    public void leave() {
        // There is no connection of its own.
    }

    @Override
    public void close() {
        // The client is that of large values, too.
    }

    @Override
    public String toString() {
        return orchestrator.toString();
    }
}
