package dev.artel.gateway.http;

import dev.artel.json.JsonObject;
import io.javalin.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/// What answers with an error say: problem details (RFC 9457), and `error`, by which clients and workers of the first
/// generation know what went wrong.
public final class Problem {
    /// The content type of such an answer.
    public static final String TYPE = "application/problem+json; charset=utf-8";

    private Problem() {}

    /// The answer with `status`.
    ///
    /// @param error what went wrong, in a few words that stay the same
    /// @param detail what was found and what to do; null if there is no more to say
    public static JsonObject of(int status, String error, @Nullable String detail) {
        var json =
                JsonObject.builder()
                        .put("error", error)
                        .put("type", "about:blank")
                        .put("title", HttpStatus.forStatus(status).getMessage())
                        .put("status", status);
        return (detail == null ? json : json.put("detail", detail)).build();
    }
}
