package dev.artel.gateway.http;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.MalformedMessage;
import io.javalin.http.Context;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request that is answered with an error: the sender is told why. Carries no stack trace, since strangers can
/// cause it at will.
public final class HttpRefusal extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final int status;
    private final String error;
    private final @Nullable String detail;
    private final @Nullable Duration retryAfter;
    private final transient List<String> problems;

    private HttpRefusal(
            int status,
            String error,
            @Nullable String detail,
            @Nullable Duration retryAfter,
            List<String> problems) {
        super(error, null, false, false);
        this.status = status;
        this.error = error;
        this.detail = detail;
        this.retryAfter = retryAfter;
        this.problems = List.copyOf(problems);
    }

    /// A refusal that `error` says all about, in a few words that stay the same.
    public HttpRefusal(int status, String error) {
        this(status, error, null, null, List.of());
    }

    /// A refusal of which `detail` says what was found and what to do.
    public HttpRefusal(int status, String error, String detail) {
        this(status, error, detail, null, List.of());
    }

    /// A refusal that does not hold for ever.
    ///
    /// @param detail null if there is no more to say
    public static HttpRefusal later(
            int status, Duration after, String error, @Nullable String detail) {
        return new HttpRefusal(status, error, detail, after, List.of());
    }

    /// The refusal of a request that could be served another time.
    public static HttpRefusal later(Duration after, String error) {
        return later(503, after, error, null);
    }

    /// The refusal of a body that cannot be read.
    public static HttpRefusal invalidJson(String detail) {
        return new HttpRefusal(400, "Invalid JSON body", detail);
    }

    static HttpRefusal malformed(MalformedMessage malformed) {
        return invalidJson(String.valueOf(malformed.getMessage()));
    }

    /// This refusal, with each thing that is wrong.
    public HttpRefusal withProblems(List<String> all) {
        return new HttpRefusal(status, error, detail, retryAfter, all);
    }

    /// The status of the answer.
    public int status() {
        return status;
    }

    /// What went wrong, in `error` and `detail`.
    public JsonObject reason() {
        var json = JsonObject.builder().put("error", error);
        return withProblems((detail == null ? json : json.put("detail", detail)).build());
    }

    private JsonObject withProblems(JsonObject answer) {
        return problems.isEmpty() ? answer : answer.with("problems", JsonArray.ofStrings(problems));
    }

    /// Whole seconds, at least one; 0 if it makes no sense to try again.
    long retryAfterSeconds() {
        return retryAfter == null ? 0 : Math.max(1, retryAfter.plusMillis(999).toSeconds());
    }

    /// What is answered, in the form [Problem#TYPE].
    JsonObject body() {
        return withProblems(Problem.of(status, error, detail));
    }

    /// Answers `request` with this.
    public void answer(Context request) {
        var seconds = retryAfterSeconds();
        if (seconds > 0) {
            request.header("Retry-After", Long.toString(seconds));
        }
        if (status == 401) {
            request.header("WWW-Authenticate", "Bearer");
        }
        if ((status == 401 || status == 408 || status == 413) && hasBody(request)) {
            // It may not have been read, and would be taken for the next request.
            request.header("Connection", "close");
        }
        if (status != 408 && hasBody(request) && request.res().containsHeader("Connection")) {
            UnreadBody.drop(request);
        }
        request.status(status).contentType(Problem.TYPE).result(JsonText.write(body()));
    }

    private static boolean hasBody(Context request) {
        return request.req().getContentLengthLong() > 0
                || request.header("Transfer-Encoding") != null;
    }
}
