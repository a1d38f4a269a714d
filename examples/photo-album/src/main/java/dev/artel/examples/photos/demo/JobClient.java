package dev.artel.examples.photos.demo;

import static dev.artel.examples.photos.PhotoTypes.PHOTO_ALBUM;

import dev.artel.examples.photos.PhotoTypes.Order;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Submits jobs and looks at them over HTTP, as a client in any language would.
final class JobClient implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Set<String> ENDED =
            Set.of("finished", "failed", "cancelled", "quarantined");

    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(LONGEST)
                    .build();
    private final URI orchestrator;
    private final String token;

    JobClient(URI orchestrator, String token) {
        this.orchestrator = orchestrator;
        this.token = token;
    }

    /// Orders an album.
    ///
    /// @return the job's id
    String submit(String title, Path photos, Path out) throws InterruptedException {
        var order = new Order(title, photos.toString(), out.toString());
        var body = JsonText.write(PHOTO_ALBUM.input().write(order));
        var request =
                request("/api/v1/jobs/" + PHOTO_ALBUM.name())
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(body));
        var answer = (JsonObject) send(request.build(), 202);
        return answer.string("job_id").orElseThrow();
    }

    /// The ids of the albums that are not done, oldest first.
    List<String> unfinished() throws InterruptedException {
        return items(get("/api/v1/jobs?limit=1000&blueprint=" + PHOTO_ALBUM.name())).stream()
                .filter(job -> !ENDED.contains(job.string("status").orElse("")))
                .map(job -> job.string("id").orElseThrow())
                .toList()
                .reversed();
    }

    JsonObject job(String id) throws InterruptedException {
        return (JsonObject) get("/api/v1/jobs/" + id);
    }

    /// What happened to a job after its version `after`, oldest first.
    List<JsonObject> history(String id, long after) throws InterruptedException {
        return items(get("/api/v1/jobs/" + id + "/history?limit=1000&after=" + after));
    }

    /// What a task is about: `resize_image life.jpg`.
    String task(String job, long number) throws InterruptedException {
        var task = (JsonObject) get("/api/v1/jobs/" + job + "/tasks/" + number);
        var type = task.string("type").orElse("task " + number);
        return task.object("params")
                .flatMap(params -> params.string("source"))
                .map(source -> type + " " + Path.of(source).getFileName())
                .orElse(type);
    }

    private static List<JsonObject> items(JsonValue page) {
        return ((JsonObject) page)
                .array("items").orElseThrow().stream().map(JsonObject.class::cast).toList();
    }

    private JsonValue get(String path) throws InterruptedException {
        return send(request(path).GET().build(), 200);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(orchestrator.resolve(path))
                .timeout(LONGEST)
                .header("Authorization", "Bearer " + token);
    }

    private JsonValue send(HttpRequest request, int expected) throws InterruptedException {
        try {
            var answer = http.send(request, BodyHandlers.ofByteArray());
            var body = JsonText.read(answer.body());
            if (answer.statusCode() != expected) {
                throw new IllegalStateException(
                        request.method()
                                + " "
                                + request.uri()
                                + " was answered with "
                                + answer.statusCode()
                                + ": "
                                + body);
            }
            return body;
        } catch (IOException broken) {
            throw new UncheckedIOException(
                    "asking the orchestrator: " + request.uri() + ": " + broken, broken);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
