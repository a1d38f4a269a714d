package dev.artel.server;

import static dev.artel.waits.Await.await;

import dev.artel.waits.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;

/// Asks an orchestrator as a client, or with another header.
public final class TestClient {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final URI root;
    private final String header;
    private final String token;
    private final Map<String, String> more;

    public TestClient(URI root, String header, String token) {
        this(root, header, token, Map.of());
    }

    private TestClient(URI root, String header, String token, Map<String, String> more) {
        this.root = root;
        this.header = header;
        this.token = token;
        this.more = more;
    }

    /// This client, which sends one more header.
    public TestClient with(String name, String value) {
        var all = new HashMap<>(more);
        all.put(name, value);
        return new TestClient(root, header, token, all);
    }

    public static TestClient of(ArtelNode node) {
        return new TestClient(node.uri(), "Authorization", "Bearer " + node.clientToken());
    }

    /// The same client of another orchestrator.
    public TestClient at(URI other) {
        return new TestClient(other, header, token);
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    /// Posts `body`. On a machine that is busy the store may have taken nothing for seconds: then it is sent again, as clients do.
    public Answer post(String path, String body) {
        var answer = postOnce(path, body);
        return isPutOff(answer)
                ? await("the store takes appends again")
                        .until(() -> postOnce(path, body), it -> !isPutOff(it))
                : answer;
    }

    private static boolean isPutOff(Answer answer) {
        return answer.status() == 503 && answer.text().contains("the store has taken no append");
    }

    /// Posts `body`, and takes any answer.
    public Answer postOnce(String path, String body) {
        return send(request(path).POST(BodyPublishers.ofString(body)));
    }

    public Answer post(String path, byte[] body) {
        return send(request(path).POST(BodyPublishers.ofByteArray(body)));
    }

    public Answer post(String path, String body, String name, String value) {
        return send(request(path).header(name, value).POST(BodyPublishers.ofString(body)));
    }

    public Answer put(String path, byte[] body, String type) {
        return send(
                request(path).header("Content-Type", type).PUT(BodyPublishers.ofByteArray(body)));
    }

    public Answer patch(String path, String body) {
        return send(request(path).method("PATCH", BodyPublishers.ofString(body)));
    }

    public Answer method(String method, String path) {
        return send(request(path).method(method, BodyPublishers.noBody()));
    }

    public Answer send(String method, String path, String body) {
        return send(request(path).method(method, BodyPublishers.ofString(body)));
    }

    /// The id of a job made of `body`, which is sent again as long as it cannot be taken.
    public String submit(String body) {
        var answer =
                await("the submission is taken")
                        .until(() -> post("/api/v1/jobs", body), it -> it.status() != 503);
        if (answer.status() != 202) {
            throw new AssertionError("submitting " + body + ": " + answer);
        }
        return answer.object().string("job_id").orElseThrow();
    }

    private HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(root.resolve(path)).timeout(Await.longest());
        more.forEach(request::header);
        return token.isEmpty() ? request : request.header(header, token);
    }

    private static Answer send(HttpRequest.Builder request) {
        try {
            var response = HTTP.send(request.build(), BodyHandlers.ofString());
            var answer = new Answer(response.statusCode(), response.headers(), response.body());
            DescribedAnswers.check(response.request(), answer);
            return answer;
        } catch (Exception e) {
            throw new AssertionError("no answer to " + request.build(), e);
        }
    }
}
