package dev.artel.client;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.util.List;
import java.util.Map;

/// The API of an orchestrator as it is, for programs that show or pass on its documents. Every call blocks, and is tried again, as those of its [ArtelClient], whose connections it uses. Safe for
/// use by many threads.
public final class ArtelApi {
    private final ArtelClient client;
    private final HttpTransport httpTransport;

    ArtelApi(ArtelClient client, HttpTransport httpTransport) {
        this.client = client;
        this.httpTransport = httpTransport;
    }

    /// The document at `path`, such as `/api/v1/jobs/01a1...`.
    ///
    /// @throws ClientException which states what to do next
    public JsonObject get(String path) {
        return httpTransport.done("GET " + path, "GET", path, null).object("GET " + path);
    }

    /// The text at `path`, whatever its form.
    ///
    /// @throws ClientException which states what to do next
    public String text(String path) {
        return httpTransport.done("GET " + path, "GET", path, null).text();
    }

    /// The items of the list at `path`, page by page, at most `most`.
    ///
    /// @throws ClientException which states what to do next
    public List<JsonObject> list(String path, int most) {
        return client.pages("GET " + path, path, most).toList();
    }

    /// Posts `body`, which may arrive several times, and returns the answer; an empty object if it has none.
    ///
    /// @throws ClientException which states what to do next
    public JsonObject post(String path, JsonValue body) {
        var attempted = "POST " + path;
        return httpTransport
                .done(attempted, "POST", path, JsonText.write(body))
                .objectOrNone(attempted);
    }

    /// Sends `body`, which may arrive several times, and returns the answer; an empty object if it has none.
    ///
    /// @param method such as `PUT`
    /// @param contentType such as `application/yaml`
    /// @throws ClientException which states what to do next
    public JsonObject send(String method, String path, String contentType, byte[] body) {
        var attempted = method + " " + path;
        return httpTransport
                .done(
                        attempted,
                        method,
                        path,
                        body,
                        Map.of(HttpTransport.CONTENT_TYPE, contentType))
                .objectOrNone(attempted);
    }

    /// Posts `body` under an idempotency key, so that it is one request however often it arrives.
    ///
    /// @throws ClientException which states what to do next
    public JsonObject post(String path, JsonValue body, String idempotencyKey) {
        var attempted = "POST " + path;
        return httpTransport
                .done(
                        attempted,
                        "POST",
                        path,
                        JsonText.write(body),
                        Map.of("Idempotency-Key", idempotencyKey))
                .objectOrNone(attempted);
    }

    /// Puts `body` at `path`, perhaps several times, and returns the answer; an empty object if it has none.
    ///
    /// @throws ClientException which states what to do next
    public JsonObject put(String path, JsonValue body) {
        var attempted = "PUT " + path;
        return httpTransport
                .done(attempted, "PUT", path, JsonText.write(body))
                .objectOrNone(attempted);
    }

    /// Deletes what is at `path` and returns the answer; an empty object if it has none.
    ///
    /// @throws ClientException which states what to do next; [ClientException.NotFound] also if an attempt before has deleted it
    public JsonObject delete(String path) {
        var attempted = "DELETE " + path;
        return httpTransport.done(attempted, "DELETE", path, null).objectOrNone(attempted);
    }
}
