package dev.artel.gateway.http;

import dev.artel.json.JsonObject;
import dev.artel.protocol.MalformedMessage;
import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A request that is answered with an error: the sender is told why. Carries no stack trace, since strangers can
/// cause it at will.
final class HttpRefusal extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final int status;
    private final String error;
    private final @Nullable String detail;
    private final @Nullable Duration retryAfter;

    private HttpRefusal(
            int status, String error, @Nullable String detail, @Nullable Duration retryAfter) {
        super(error, null, false, false);
        this.status = status;
        this.error = error;
        this.detail = detail;
        this.retryAfter = retryAfter;
    }

    HttpRefusal(int status, String error) {
        this(status, error, null, null);
    }

    static HttpRefusal later(int status, Duration after, String error) {
        return new HttpRefusal(status, error, null, after);
    }

    static HttpRefusal invalidJson(String detail) {
        return new HttpRefusal(400, "Invalid JSON body", detail, null);
    }

    static HttpRefusal malformed(MalformedMessage malformed) {
        return invalidJson(String.valueOf(malformed.getMessage()));
    }

    int status() {
        return status;
    }

    /// Whole seconds, at least one; 0 if it makes no sense to try again.
    long retryAfterSeconds() {
        return retryAfter == null ? 0 : Math.max(1, retryAfter.plusMillis(999).toSeconds());
    }

    JsonObject body() {
        var json = JsonObject.builder().put("error", error);
        return (detail == null ? json : json.put("detail", detail)).build();
    }
}
