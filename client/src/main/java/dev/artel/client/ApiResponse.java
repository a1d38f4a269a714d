package dev.artel.client;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// What an orchestrator answered.
final class ApiResponse {
    private final int status;
    private final byte[] bytes;
    private final Duration retryAfter;

    ApiResponse(int status, byte[] bytes, Duration retryAfter) {
        this.status = status;
        this.bytes = bytes;
        this.retryAfter = retryAfter;
    }

    int status() {
        return status;
    }

    /// How long it wants to be left alone; zero if it did not state it.
    Duration retryAfter() {
        return retryAfter;
    }

    boolean isGood() {
        return status >= 200 && status < 300;
    }

    /// Whether the same request may be answered otherwise a little later.
    boolean isPassing() {
        return status == 429 || status == 502 || status == 503 || status == 504 || status == 408;
    }

    JsonValue json(String attempted) {
        try {
            return JsonText.read(bytes);
        } catch (MalformedJson e) {
            throw new ClientException.Failed(
                    attempted
                            + ": the answer is no JSON ("
                            + e.getMessage()
                            + "); is it an orchestrator that answers there?");
        }
    }

    JsonObject object(String attempted) {
        if (json(attempted) instanceof JsonObject object) {
            return object;
        }
        throw new ClientException.Failed(
                attempted + ": the answer is no object; is it an orchestrator that answers there?");
    }

    /// The body as UTF-8.
    String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// As [#object]; empty if there is no body.
    JsonObject objectOrNone(String attempted) {
        return bytes.length == 0 ? JsonObject.EMPTY : object(attempted);
    }

    /// The body of a refusal; an empty object if it cannot be read.
    JsonObject refusal() {
        try {
            return JsonText.read(bytes) instanceof JsonObject object ? object : JsonObject.EMPTY;
        } catch (MalformedJson e) {
            return JsonObject.EMPTY;
        }
    }

    static List<String> problemsOf(JsonObject refusal) {
        return refusal.array("problems").orElse(JsonArray.EMPTY).stream()
                .map(ApiResponse::problem)
                .toList();
    }

    private static String problem(JsonValue problem) {
        return switch (problem) {
            case JsonString(var text) -> text;
            case JsonObject object ->
                    object.string("path").orElse("?") + ": " + object.string("problem").orElse("?");
            default -> problem.toString();
        };
    }
}
