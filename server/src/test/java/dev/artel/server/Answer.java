package dev.artel.server;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.net.http.HttpHeaders;
import java.util.Optional;

/// What came back over HTTP.
record Answer(int status, HttpHeaders headers, String text) {
    JsonValue json() {
        return JsonText.read(text);
    }

    JsonObject object() {
        return (JsonObject) json();
    }

    /// Of a page.
    JsonArray items() {
        return object().array("items").orElseThrow();
    }

    /// The cursor of the page behind this one; empty at the end of the list.
    Optional<String> next() {
        return object().string("next_cursor");
    }

    String error() {
        return object().string("error").orElse("");
    }

    String detail() {
        return object().string("detail").orElse("");
    }

    Optional<String> header(String name) {
        return headers.firstValue(name);
    }
}
