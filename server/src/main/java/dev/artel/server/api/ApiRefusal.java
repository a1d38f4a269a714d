package dev.artel.server.api;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.bind.Mismatch;
import dev.artel.server.access.Admission;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request that is answered with an error: the sender is told why. Carries no stack trace, since strangers can
/// cause it at will.
final class ApiRefusal extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final int status;
    private final String error;
    private final @Nullable String detail;
    private final @Nullable Duration retryAfter;
    private final transient List<Mismatch> mismatches;

    private ApiRefusal(
            int status, String error, @Nullable String detail, @Nullable Duration retryAfter) {
        this(status, error, detail, retryAfter, List.of());
    }

    private ApiRefusal(
            int status,
            String error,
            @Nullable String detail,
            @Nullable Duration retryAfter,
            List<Mismatch> mismatches) {
        super(error, null, false, false);
        this.status = status;
        this.error = error;
        this.detail = detail;
        this.retryAfter = retryAfter;
        this.mismatches = mismatches;
    }

    ApiRefusal(int status, String error) {
        this(status, error, null, null);
    }

    ApiRefusal(int status, String error, String detail) {
        this(status, error, detail, null);
    }

    static ApiRefusal later(Duration after, String error) {
        return new ApiRefusal(503, error, null, after);
    }

    static ApiRefusal of(Admission.Refused refused) {
        return new ApiRefusal(
                refused.status(),
                refused.error(),
                refused.detail().isEmpty() ? null : refused.detail(),
                refused.retryAfter().orElse(null));
    }

    static ApiRefusal invalidJson(String detail) {
        return new ApiRefusal(400, "Invalid JSON body", detail);
    }

    /// @param detail all of `mismatches` in one text
    static ApiRefusal invalidData(String detail, List<Mismatch> mismatches) {
        return new ApiRefusal(422, "Invalid initial data", detail, null, mismatches);
    }

    int status() {
        return status;
    }

    /// Whole seconds, at least one; 0 if it makes no sense to try again.
    long retryAfterSeconds() {
        return retryAfter == null ? 0 : Math.max(1, retryAfter.plusMillis(999).toSeconds());
    }

    /// Whether the body of the request may not have been read to its end.
    boolean leavesTheBody() {
        return status == 401 || status == 408 || status == 413;
    }

    /// What went wrong, in `error` and `detail`.
    JsonObject reason() {
        var json = JsonObject.builder().put("error", error);
        return withProblems((detail == null ? json : json.put("detail", detail)).build());
    }

    /// The whole answer.
    JsonObject body() {
        return withProblems(Problem.of(status, error, detail));
    }

    private JsonObject withProblems(JsonObject answer) {
        return mismatches.isEmpty()
                ? answer
                : answer.with(
                        "problems",
                        JsonArray.ofStrings(mismatches.stream().map(Mismatch::toString).toList()));
    }
}
