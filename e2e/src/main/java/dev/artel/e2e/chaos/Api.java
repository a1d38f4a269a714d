package dev.artel.e2e.chaos;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;

/// The client API as one client sees it. Safe for use by many threads.
final class Api implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(12);

    private final URI server;
    private final String token;
    private final BiConsumer<String, String> answers;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();

    /// @param answers gets each path and what came back
    Api(URI server, String token, BiConsumer<String, String> answers) {
        this.server = server;
        this.token = token;
        this.answers = answers;
    }

    /// An answer.
    record Reply(int status, String body) {
        boolean isGood() {
            return status / 100 == 2;
        }

        /// The body, which is a JSON object.
        JsonObject object() {
            return (JsonObject) JsonText.read(body.getBytes(StandardCharsets.UTF_8));
        }

        /// The items of a page.
        JsonArray items() {
            return object().array("items").orElseThrow();
        }
    }

    /// Empty if there was no whole answer, for whatever reason.
    Optional<Reply> get(String path) throws InterruptedException {
        return send(request(path).GET().build());
    }

    /// Empty if there was no whole answer, for whatever reason.
    Optional<Reply> post(String path, JsonObject body) throws InterruptedException {
        return send(request(path).POST(BodyPublishers.ofByteArray(JsonText.write(body))).build());
    }

    /// Any method with any bytes.
    Optional<Reply> send(String method, String path, byte[] body) throws InterruptedException {
        BodyPublisher bytes =
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        return send(request(path).method(method, bytes).build());
    }

    private Optional<Reply> send(HttpRequest request) throws InterruptedException {
        try {
            var response = http.send(request, HttpResponse.BodyHandlers.ofString());
            var path = request.uri().getRawPath();
            answers.accept(path, response.body());
            return Optional.of(new Reply(response.statusCode(), response.body()));
        } catch (IOException noAnswer) {
            return Optional.empty();
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.resolve(path))
                .timeout(LIMIT)
                .header("Authorization", "Bearer " + token);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
