package dev.artel.server.api;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import io.javalin.http.Context;

/// Writes answers.
final class Answers {
    static final String JSON = "application/json; charset=utf-8";

    private Answers() {}

    static void json(Context request, int status, JsonValue body) {
        json(request, status, JsonText.write(body));
    }

    static void json(Context request, int status, byte[] text) {
        request.status(status).contentType(JSON).result(text);
    }
}
