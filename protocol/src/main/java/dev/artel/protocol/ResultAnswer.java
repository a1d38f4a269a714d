package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The outcome of a report. Whatever it is, the worker need not send the report again.
///
/// @param status `result_accepted_success`, `result_accepted_failure`, `result_accepted_cancelled`, `accepted`,
///     `ignored`, or `refused` for an unreadable entry of a batch
/// @param reason why it was ignored or refused: `not_found`, `mismatch`, `stale`, `late`, `cancelled`, or a
///     sentence; null if there is nothing to add
public record ResultAnswer(String status, @Nullable String reason) implements OrchestratorMessage {
    /// Why a result was ignored, in the words that workers with flat results know; they warn of any other.
    private static final Map<String, String> WORDS_OF_FLAT_RESULTS =
            Map.of(
                    "not_found", "job_not_found",
                    "mismatch", "worker_mismatch",
                    "stale", "stale_task",
                    "late", "deadline_exceeded",
                    "cancelled", "job_cancelled");

    private static final Map<String, String> OWN_WORDS =
            WORDS_OF_FLAT_RESULTS.entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    /// The report was taken.
    public static ResultAnswer accepted(TaskOutcome outcome) {
        return new ResultAnswer(
                switch (outcome) {
                    case TaskOutcome.Succeeded _, TaskOutcome.Stored _ -> "result_accepted_success";
                    case TaskOutcome.Failed _ -> "result_accepted_failure";
                    case TaskOutcome.CancelledByWorker _ -> "result_accepted_cancelled";
                },
                null);
    }

    /// The report changes nothing.
    public static ResultAnswer ignored(String reason) {
        return new ResultAnswer("ignored", reason);
    }

    /// The entry of a batch could not be read.
    public static ResultAnswer refused(MalformedMessage malformed) {
        return new ResultAnswer("refused", malformed.getMessage());
    }

    /// Whether the report could not be read, which is a fault of the worker.
    public boolean isRefused() {
        return status.equals("refused");
    }

    /// Reads the answer of any generation of orchestrators; the reason is in our words where theirs means the same.
    ///
    /// @throws MalformedMessage if a member has the wrong type
    public static ResultAnswer read(JsonValue body) {
        return read(body, "");
    }

    private static ResultAnswer read(JsonValue body, String path) {
        var fields = Fields.of(body, path);
        var reason = fields.findString("reason");
        return new ResultAnswer(
                fields.string("status", "accepted"),
                reason == null ? null : OWN_WORDS.getOrDefault(reason, reason));
    }

    /// Reads the answers to a batch.
    ///
    /// @throws MalformedMessage if it is no array of answers
    public static List<ResultAnswer> readAll(JsonValue body) {
        return Fields.list(body, "", ResultAnswer::read);
    }

    @Override
    public JsonObject toJson() {
        var json = JsonObject.builder().put("status", status);
        return (reason == null ? json : json.put("reason", reason)).build();
    }

    /// The answer to a worker with flat results: why a result was ignored in its words as `reason`, and in ours as `code`.
    public JsonObject toJsonForFlatResults() {
        var known = reason == null ? null : WORDS_OF_FLAT_RESULTS.get(reason);
        return reason == null || known == null
                ? toJson()
                : JsonObject.builder()
                        .put("status", status)
                        .put("reason", known)
                        .put("code", reason)
                        .build();
    }

    /// The answers to a batch.
    public static JsonArray toJson(List<ResultAnswer> answers) {
        return new JsonArray(answers.stream().map(answer -> (JsonValue) answer.toJson()).toList());
    }
}
