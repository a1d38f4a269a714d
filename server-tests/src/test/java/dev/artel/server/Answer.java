package dev.artel.server;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.net.http.HttpHeaders;
import java.util.Optional;

/// What came back over HTTP.
public record Answer(int status, HttpHeaders headers, String text) {
    public JsonValue json() {
        return JsonText.read(text);
    }

    public JsonObject object() {
        return (JsonObject) json();
    }

    /// Of a page.
    public JsonArray items() {
        return object().array("items").orElseThrow();
    }

    /// The cursor of the page behind this one; empty at the end of the list.
    public Optional<String> next() {
        return object().string("next_cursor");
    }

    public String error() {
        return object().string("error").orElse("");
    }

    public String detail() {
        return object().string("detail").orElse("");
    }

    public Optional<String> header(String name) {
        return headers.firstValue(name);
    }
}
