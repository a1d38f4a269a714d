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

/// A request that is answered with an error: the answer states why. Carries no stack trace, since strangers can
/// cause it at will.
public final class HttpRefusal extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final String error;
    private final @Nullable String detail;
    private final @Nullable Duration retryAfter;
    private final transient List<String> problems;

    private HttpRefusal(
            ErrorCode code,
            String error,
            @Nullable String detail,
            @Nullable Duration retryAfter,
            List<String> problems) {
        super(error, null, false, false);
        this.code = code;
        this.error = error;
        this.detail = detail;
        this.retryAfter = retryAfter;
        this.problems = List.copyOf(problems);
    }

    /// A refusal of which `error` states everything, in a few words that stay the same.
    public HttpRefusal(ErrorCode code, String error) {
        this(code, error, null, null, List.of());
    }

    /// A refusal of which `detail` states what was found and what to do.
    public HttpRefusal(ErrorCode code, String error, String detail) {
        this(code, error, detail, null, List.of());
    }

    /// A refusal that does not hold forever.
    ///
    /// @param detail null if there is nothing to add
    public static HttpRefusal later(
            ErrorCode code, Duration after, String error, @Nullable String detail) {
        return new HttpRefusal(code, error, detail, after, List.of());
    }

    /// The refusal of a request that could be served another time.
    public static HttpRefusal later(Duration after, String error) {
        return later(ErrorCode.UNAVAILABLE, after, error, null);
    }

    /// The refusal of a body that cannot be read.
    public static HttpRefusal invalidJson(String detail) {
        return new HttpRefusal(ErrorCode.INVALID_JSON, "Invalid JSON body", detail);
    }

    /// The refusal of a body that is JSON and cannot be understood; the detail names the member.
    static HttpRefusal malformed(MalformedMessage malformed) {
        return new HttpRefusal(
                ErrorCode.INVALID_BODY, "Invalid body", String.valueOf(malformed.getMessage()));
    }

    /// This refusal, with each thing that is wrong.
    public HttpRefusal withProblems(List<String> all) {
        return new HttpRefusal(code, error, detail, retryAfter, all);
    }

    /// The status of the answer.
    public int status() {
        return code.status();
    }

    /// What went wrong, in `error`, `code` and `detail`.
    public JsonObject reason() {
        var json = JsonObject.builder().put("error", error).put("code", code.text());
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
        return withProblems(Problem.of(code, error, detail));
    }

    /// Answers `request` with this.
    public void answer(Context request) {
        var status = code.status();
        var seconds = retryAfterSeconds();
        if (seconds > 0) {
            request.header("Retry-After", Long.toString(seconds));
        }
        if (status == 401 || code == ErrorCode.TOKENS_DISAGREE) {
            request.header("WWW-Authenticate", BearerToken.challenge(request, status));
        }
        UnreadBody.beforeAnswer(request, status);
        request.attribute(Problem.CODE, code.text());
        request.status(status).contentType(Problem.TYPE).result(JsonText.write(body()));
    }
}
