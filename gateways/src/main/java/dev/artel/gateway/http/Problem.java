package dev.artel.gateway.http;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import org.jspecify.annotations.Nullable;

/// The form of answers with an error: problem details (RFC 9457), with a `code` for programs, and `error`, by which clients and
/// workers of the first generation know what went wrong.
public final class Problem {
    /// The content type of such an answer.
    public static final String TYPE = "application/problem+json; charset=utf-8";

    /// Under this name a request that was answered with one carries its code, for figures.
    public static final String CODE = "artel.problem";

    private Problem() {}

    /// The answer with `code` and its status.
    ///
    /// @param error what went wrong, in a few words that stay the same
    /// @param detail what was found and what to do; null if there is nothing to add
    public static JsonObject of(ErrorCode code, String error, @Nullable String detail) {
        var json =
                JsonObject.builder()
                        .put("error", error)
                        .put("code", code.text())
                        .put("type", "urn:artel:error:" + code.text())
                        .put("title", code.meaning())
                        .put("status", code.status());
        return (detail == null ? json : json.put("detail", detail)).build();
    }

    /// The answer with a `status` that something below the routes has chosen.
    ///
    /// @param error as in [#of(ErrorCode, String, String)]
    /// @param detail as in [#of(ErrorCode, String, String)]
    public static JsonObject of(int status, String error, @Nullable String detail) {
        return of(ErrorCode.of(status), error, detail).with("status", JsonValue.of(status));
    }
}
