package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Several reports in one request. Each is answered on its own, in the same order, so that a malformed one
/// harms none of its neighbours.
///
/// @param workerId the sender, who also is the sender of each report that names none
public record ResultBatch(@Nullable String workerId, List<Entry> entries) {
    /// How many reports one batch may have, where no setting says otherwise.
    public static final int MOST = 1_000;

    /// Copies `entries`.
    public ResultBatch {
        entries = List.copyOf(entries);
    }

    /// One report of a batch.
    public sealed interface Entry {
        /// A report that was understood.
        record Understood(TaskResult result) implements Entry {}

        /// A report that was not.
        record NotUnderstood(MalformedMessage reason) implements Entry {}
    }

    /// Reads `{"worker_id","results":[...]}`.
    ///
    /// @throws MalformedMessage if the batch itself has the wrong form
    public static ResultBatch read(JsonValue body) {
        var fields = Fields.of(body, "");
        if (!fields.has("results")) {
            throw new MalformedMessage("results", "an array", "nothing");
        }
        return new ResultBatch(
                fields.findString("worker_id"), fields.list("results", ResultBatch::entry));
    }

    private static Entry entry(JsonValue envelope, String path) {
        try {
            return new Entry.Understood(TaskResult.read(envelope, path));
        } catch (MalformedMessage malformed) {
            return new Entry.NotUnderstood(malformed);
        }
    }

    /// The body of a request with `results`.
    public static JsonObject toJson(String workerId, List<TaskResult> results) {
        var envelopes = results.stream().map(result -> (JsonValue) result.toJson()).toList();
        return JsonObject.builder()
                .put("worker_id", workerId)
                .put("results", new JsonArray(envelopes))
                .build();
    }
}
