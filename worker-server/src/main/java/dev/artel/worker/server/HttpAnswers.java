package dev.artel.worker.server;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;

/// The answers of the server itself.
final class HttpAnswers {
    private HttpAnswers() {}

    static JsonObject error(String problem) {
        return JsonObject.of("error", JsonValue.of(problem));
    }
}
