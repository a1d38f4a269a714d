package dev.artel.gateway.http;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Sends exactly what a test wants sent.
final class RawHttp implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;

    RawHttp(int port) {
        this.port = port;
    }

    /// An answer as it came.
    record Answer(int status, String text, Optional<String> contentType, Optional<String> retry) {
        JsonValue json() {
            return text.isEmpty() ? JsonNull.NULL : JsonText.read(text);
        }

        String error() {
            return json() instanceof JsonObject object ? object.string("error").orElse("") : "";
        }
    }

    Answer send(String method, String path, @Nullable String body) {
        return send(method, path, GatewayServer.TOKEN, body);
    }

    Answer send(String method, String path, @Nullable String token, @Nullable String body) {
        try {
            return answer(client.send(request(method, path, token, body), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    CompletableFuture<Answer> begin(String method, String path) {
        return client.sendAsync(
                        request(method, path, GatewayServer.TOKEN, null), BodyHandlers.ofString())
                .thenApply(RawHttp::answer);
    }

    private HttpRequest request(
            String method, String path, @Nullable String token, @Nullable String body) {
        var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        var request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(Await.longest())
                        .method(method, publisher);
        if (token != null) {
            request.header("X-Worker-Token", token);
        }
        return request.build();
    }

    private static Answer answer(HttpResponse<String> response) {
        return new Answer(
                response.statusCode(),
                response.body(),
                response.headers().firstValue("content-type"),
                response.headers().firstValue("retry-after"));
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
